// Owns OpenAI's chat completions as opencode, qwen, copilot and pi speak them. Decides nothing about the answer.
import { asObject, asObjects, asText, type JsonObject } from '../json.ts';
import type { Answer, Dialect, ModelRequest, Reply, ToolReply } from '../model.ts';
import { EventStream, newId, pieces, sendJson } from '../stream.ts';
import { contentText } from './content.ts';

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

export const chat: Dialect = {
  name: 'chat',

  read(body: JsonObject): ModelRequest {
    return {
      tools: asObjects(body['tools']).map((tool) => {
        const definition = asObject(tool['function']);
        return { name: asText(definition['name']), schema: asObject(definition['parameters']), custom: false };
      }),
      turns: asObjects(body['messages']).map((message) => {
        const role = asText(message['role']);
        if (role === 'tool') return { role, text: '', toolResults: 1 };
        return { role, text: contentText(message['content']), toolResults: 0 };
      }),
    };
  },

  async write(answer: Answer): Promise<void> {
    const head = { id: newId('chatcmpl'), created: Math.floor(Date.now() / 1000), model: answer.body['model'] };
    if (answer.stream) await writeStream(answer, { ...head, object: 'chat.completion.chunk' });
    else sendJson(answer.response, wholeAnswer(answer, { ...head, object: 'chat.completion' }));
  },
};

function wholeAnswer(answer: Answer, head: JsonObject): JsonObject {
  const text = answer.replies.map((reply) => (reply.kind === 'text' ? reply.text : '')).join('');
  const tools = answer.replies.filter((reply) => reply.kind === 'tool');
  const message = { role: 'assistant', content: text || null };
  const choice = {
    index: 0,
    finish_reason: finishReason(answer),
    message: tools.length > 0 ? { ...message, tool_calls: tools.map((tool) => toolCall(tool)) } : message,
  };
  return { ...head, usage: USAGE, choices: [choice] };
}

async function writeStream(answer: Answer, head: JsonObject): Promise<void> {
  const stream = new EventStream(answer);
  const send = (delta: JsonObject, finish: string | null = null): Promise<void> =>
    stream.send({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
  await send({ role: 'assistant', content: '' });
  for (const reply of answer.replies) {
    if (reply.kind === 'hang') await stream.pause(reply.ms);
    else for (const delta of deltas(reply)) await send(delta);
  }
  await send({}, finishReason(answer));
  await stream.send({ ...head, choices: [], usage: USAGE });
  stream.end('data: [DONE]\n\n');
}

function deltas(reply: Reply): JsonObject[] {
  if (reply.kind === 'text') return pieces(reply.text).map((piece) => ({ content: piece }));
  if (reply.kind === 'think') return pieces(reply.text).map((piece) => ({ reasoning_content: piece }));
  if (reply.kind !== 'tool') return [];
  const call = toolCall(reply);
  const opening = { ...call, index: 0, function: { name: reply.name, arguments: '' } };
  const rest = pieces(call.function.arguments).map((piece) => ({ index: 0, function: { arguments: piece } }));
  return [opening, ...rest].map((part) => ({ tool_calls: [part] }));
}

function toolCall(tool: ToolReply) {
  const use = { name: tool.name, arguments: JSON.stringify(tool.args) };
  return { id: newId('call'), type: 'function', function: use };
}

function finishReason(answer: Answer): string {
  return answer.replies.some((reply) => reply.kind === 'tool') ? 'tool_calls' : 'stop';
}
