// Owns Anthropic's messages as the Claude agents speak them. Decides nothing about the answer.
import { asObject, asObjects, asText, type JsonObject } from '../json.ts';
import type { Answer, Dialect, ModelRequest, TextReply, ToolReply } from '../model.ts';
import { EventStream, newId, pieces, sendJson } from '../stream.ts';
import { contentText } from './content.ts';

const USAGE = { input_tokens: 11, output_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

export const anthropic: Dialect = {
  name: 'anthropic',

  read(body: JsonObject): ModelRequest {
    return {
      tools: asObjects(body['tools']).map((tool) => {
        return { name: asText(tool['name']), schema: asObject(tool['input_schema']), custom: false };
      }),
      turns: asObjects(body['messages']).map((message) => {
        const content = message['content'];
        const parts = asObjects(content);
        return {
          role: asText(message['role']),
          text: contentText(Array.isArray(content) ? parts.filter((part) => part['type'] === 'text') : content),
          toolResults: parts.filter((part) => part['type'] === 'tool_result').length,
        };
      }),
    };
  },

  async write(answer: Answer): Promise<void> {
    const stop = answer.replies.some((reply) => reply.kind === 'tool') ? 'tool_use' : 'end_turn';
    const message = {
      id: newId('msg'),
      type: 'message',
      role: 'assistant',
      model: answer.body['model'],
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: USAGE,
    };
    if (answer.stream) return writeStream(answer, message, stop);
    const content = answer.replies.filter(isBlock).map(block);
    sendJson(answer.response, { ...message, content, stop_reason: stop });
  },
};

async function writeStream(answer: Answer, message: JsonObject, stop: string): Promise<void> {
  const stream = new EventStream(answer);
  const send = (type: string, data: JsonObject = {}): Promise<void> => stream.send({ type, ...data }, type);
  await send('message_start', { message });
  let index = 0;
  for (const reply of answer.replies) {
    if (reply.kind === 'hang') await stream.pause(reply.ms);
    if (!isBlock(reply)) continue;
    await send('content_block_start', { index, content_block: emptyBlock(reply) });
    for (const delta of deltas(reply)) await send('content_block_delta', { index, delta });
    await send('content_block_stop', { index });
    index += 1;
  }
  await send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 7 } });
  await send('message_stop');
  stream.end();
}

type BlockReply = TextReply | ToolReply;

function isBlock(reply: { readonly kind: string }): reply is BlockReply {
  return reply.kind === 'text' || reply.kind === 'think' || reply.kind === 'tool';
}

function block(reply: BlockReply): JsonObject {
  if (reply.kind === 'tool') return { type: 'tool_use', id: newId('toolu'), name: reply.name, input: reply.args };
  if (reply.kind === 'think') return { type: 'thinking', thinking: reply.text, signature: 'fake' };
  return { type: 'text', text: reply.text };
}

function emptyBlock(reply: BlockReply): JsonObject {
  if (reply.kind === 'tool') return block({ ...reply, args: {} });
  return { ...block({ ...reply, text: '' }), ...(reply.kind === 'think' ? { signature: '' } : {}) };
}

function deltas(reply: BlockReply): JsonObject[] {
  if (reply.kind === 'text') return pieces(reply.text).map((text) => ({ type: 'text_delta', text }));
  if (reply.kind === 'tool') {
    return pieces(JSON.stringify(reply.args)).map((json) => ({ type: 'input_json_delta', partial_json: json }));
  }
  const thoughts = pieces(reply.text).map((thinking) => ({ type: 'thinking_delta', thinking }));
  return [...thoughts, { type: 'signature_delta', signature: 'fake' }];
}
