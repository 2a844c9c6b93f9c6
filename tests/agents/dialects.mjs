// How models are spoken to: Anthropic's messages, OpenAI's chat completions and responses, Gemini's contents.
//
// Each dialect reads from a request the tools that are offered and the results of calls by their ids, and writes the
// one thing that the model says next: a call or words. A tool in a namespace is `namespace/name` to the model.
// Where an agent may hand an answer over as its user's words, those are read too.

/** @typedef {{id: string, name: string, input: object}} Said a call as the model makes it */
/** @typedef {{text: string, failed: boolean}} Result what the agent sent back for a call */

/** What every call of the model's begins with, among whatever else stands in a conversation: the first is `…_0`. */
export const CALL = "toolu_scripted_";

const text_of = (content) => (typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join(""));

const messages = {
  read(asked) {
    const parts = asked.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const results = parts.filter((part) => part.type === "tool_result");
    return {
      tools: (asked.tools ?? []).map((tool) => tool.name),
      results: new Map(results.map((part) => [part.tool_use_id, { text: text_of(part.content), failed: part.is_error === true }])),
    };
  },

  write(response, asked, { call, words }) {
    const block = call ? { type: "tool_use", ...call } : { type: "text", text: words };
    const stop_reason = call ? "tool_use" : "end_turn";
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", model: asked.model, content: [], stop_reason: null, stop_sequence: null, usage };
    if (!asked.stream) return json(response, 200, { ...message, content: [block], stop_reason });
    const begun = call ? { ...block, input: {} } : { ...block, text: "" };
    const delta = call ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) } : { type: "text_delta", text: words };
    events(response, [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: begun },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
      { type: "message_stop" },
    ]);
  },
};

const chat = {
  read(asked) {
    const results = asked.messages.filter((message) => message.role === "tool");
    return {
      tools: (asked.tools ?? []).map((tool) => tool.function.name),
      // Here a result that failed is a text like any other.
      results: new Map(results.map((message) => [message.tool_call_id, { text: text_of(message.content), failed: false }])),
    };
  },

  write(response, asked, { call, words }) {
    const said = call && { index: 0, id: call.id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.input) } };
    const finish_reason = call ? "tool_calls" : "stop";
    const answer = { role: "assistant", ...(call ? { content: null, tool_calls: [said] } : { content: words }) };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const base = { id: "chat_1", created: 0, model: asked.model };
    if (!asked.stream) return json(response, 200, { ...base, object: "chat.completion", choices: [{ index: 0, message: answer, finish_reason }], usage });
    const chunk = (delta, finish_reason) => ({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
    const last = { ...base, object: "chat.completion.chunk", choices: [], usage };
    const chunks = [chunk(answer, null), chunk({}, finish_reason), last].map((part) => JSON.stringify(part));
    stream(response, [...chunks, "[DONE]"].map((data) => `data: ${data}\n\n`));
  },
};

const responses = {
  read(asked) {
    const items = Array.isArray(asked.input) ? asked.input : [];
    const results = items.filter((item) => item.type === "function_call_output");
    const names = (tool) => (tool.type === "namespace" ? tool.tools.map(({ name }) => `${tool.name}/${name}`) : [tool.name ?? tool.type]);
    return {
      // For newer models they stand in the conversation.
      tools: [...(asked.tools ?? []), ...items.filter(({ type }) => type === "additional_tools").flatMap(({ tools }) => tools)].flatMap(names),
      results: new Map(results.map((item) => [item.call_id, { text: text_of(item.output), failed: false }])),
      words: items.filter(({ type, role }) => type === "message" && role === "user").map(({ content }) => text_of(content)),
    };
  },

  write(response, asked, { call, words }) {
    const item = call ? called(call) : { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [{ type: "output_text", text: words, annotations: [] }] };
    const usage = { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 };
    const whole = { id: "resp_1", object: "response", created_at: 0, model: asked.model, status: "completed", output: [item], usage };
    if (!asked.stream) return json(response, 200, whole);
    const begun = { ...item, status: "in_progress", ...(call ? { arguments: "" } : { content: [] }) };
    const said = call ? [] : [{ type: "response.output_text.delta", item_id: item.id, output_index: 0, content_index: 0, delta: words }];
    const told = [
      { type: "response.created", response: { ...whole, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: begun },
      ...said,
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: whole },
    ];
    events(response, told.map((event, sequence_number) => ({ ...event, sequence_number })));
  },
};

function called({ id, name, input }) {
  const [last, namespace] = name.split("/").reverse();
  return { type: "function_call", id: `fc_${id}`, call_id: id, name: last, ...(namespace ? { namespace } : {}), arguments: JSON.stringify(input), status: "completed" };
}

const contents = {
  read(asked) {
    const parts = (asked.contents ?? []).flatMap((content) => content.parts ?? []);
    const results = parts.flatMap((part) => part.functionResponse ?? []);
    const text = ({ response }) => (typeof response.output === "string" ? response.output : JSON.stringify(response));
    return {
      tools: (asked.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []).map(({ name }) => name),
      // Calls need no ids here: then their order tells them apart.
      results: new Map(results.map((each, idx) => [each.id?.startsWith(CALL) ? each.id : `${CALL}${idx}`, { text: text(each), failed: "error" in each.response }])),
    };
  },

  write(response, _asked, { call, words }, path) {
    const part = call ? { functionCall: { id: call.id, name: call.name, args: call.input } } : { text: words };
    const candidates = [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }];
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const whole = { candidates, usageMetadata, modelVersion: "scripted", responseId: "r1" };
    if (!path.endsWith(":streamGenerateContent")) return json(response, 200, whole);
    stream(response, [`data: ${JSON.stringify(whole)}\n\n`]);
  },
};

/** The dialect of a path; none where it is no model's. */
export function dialect_of(path) {
  if (path.endsWith("/messages")) return messages;
  if (path.endsWith("/chat/completions")) return chat;
  if (path.endsWith("/responses")) return responses;
  if (/:(streamG|g)enerateContent$/.test(path)) return contents;
  return undefined;
}

export function json(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function stream(response, lines) {
  response.writeHead(200, { "content-type": "text/event-stream" }).end(lines.join(""));
}

function events(response, all) {
  stream(response, all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
}
