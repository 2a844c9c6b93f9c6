//! A thousand open asks are as smooth as ten: what is drawn is what is in sight.

use std::hint::black_box;
use std::time::{Duration, Instant};

use askuser_words::Language;

use crate::canvas::Canvas;
use crate::inbox::draw::draw;
use crate::inbox::keys::press;
use crate::inbox::samples::{ask, inbox};
use crate::inbox::{Action, Inbox};
use crate::keys::Key;
use crate::paint::Look;
use crate::samples::{auth, database, deploy, features};

/// Ten asks fill the list, so that both draw as many rows.
const SIZE: (usize, usize) = (120, 22);

fn many(n: u128) -> Inbox {
    let question = |n: u128| match n % 4 {
        0 => database(),
        1 => auth(),
        2 => deploy(),
        _ => features(),
    };
    let asks = (1..=n).map(|n| ask(n, ("claude-code", "shop"), vec![question(n)]));
    inbox(Language::English, asks.collect())
}

/// Returns the shortest time from a key to the bytes of the frame, of many: what the machine does
/// beside it only ever adds.
fn key_to_frame(inbox: &mut Inbox) -> Duration {
    let mut canvas = Canvas::new(Look { colour: true, reflow: true });
    let mut shortest = Duration::MAX;
    for n in 0..200 {
        let key = if n % 8 < 4 { Key::Down } else { Key::Up };
        let begun = Instant::now();
        assert_eq!(press(inbox, key), Action::Stay);
        let frame = draw(inbox, SIZE.0, SIZE.1);
        black_box(canvas.frame(frame, SIZE));
        shortest = shortest.min(begun.elapsed());
    }
    shortest
}

#[test]
fn a_thousand_asks_are_drawn_as_fast_as_ten() {
    let few = key_to_frame(&mut many(10));
    let mut inbox = many(1000);
    inbox.open.move_by(500);
    let lots = key_to_frame(&mut inbox);
    let ratio = lots.as_secs_f64() / few.as_secs_f64();
    assert!(ratio < 2.0, "{lots:?} with 1000 asks, {few:?} with 10: {ratio:.2} times as long");
}

#[test]
fn only_the_rows_in_sight_are_drawn() {
    let inbox = many(1000);
    assert_eq!(inbox.open.window(10).count(), 10);
    let frame = draw(&inbox, 60, 15);
    let n_rows = frame.lines.iter().filter(|line| line.text().contains("claude-code · shop")).count();
    assert_eq!(n_rows, 6);
}
