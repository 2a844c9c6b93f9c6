// Who may use the processor: agents are slow to start, and many at once would all be late. A story that only waits
// gives its turn away, so that a hundred stories that wait for a minute take little more than that.

export class Turns {
  /** Below nought where stories came back from waiting before others had given their turn. */
  #free;
  #queue = [];

  constructor(at_once) {
    this.#free = at_once;
  }

  async take() {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise((begin) => this.#queue.push(begin));
  }

  /** Takes a turn at once: a story that has begun is watched by clocks of its agent's. */
  take_back() {
    this.#free -= 1;
  }

  give() {
    if (this.#free >= 0 && this.#queue.length > 0) this.#queue.shift()();
    else this.#free += 1;
  }
}
