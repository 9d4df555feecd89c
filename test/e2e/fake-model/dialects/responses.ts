// Owns OpenAI's responses as the Codex agents speak them. Decides nothing about the answer.
import { asObject, asObjects, asText, type JsonObject } from '../json.ts';
import type { Answer, Dialect, ModelRequest, TextReply, ToolReply, Turn } from '../model.ts';
import { EventStream, newId, pieces } from '../stream.ts';
import { contentText } from './content.ts';

const USAGE = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 18,
};

export const responses: Dialect = {
  name: 'responses',

  read(body: JsonObject): ModelRequest {
    const input = Array.isArray(body['input']) ? body['input'] : [{ role: 'user', content: body['input'] }];
    return {
      tools: asObjects(body['tools']).map((tool) => {
        const custom = tool['type'] === 'custom';
        return { name: asText(tool['name']), schema: asObject(tool['parameters']), custom };
      }),
      turns: asObjects(input).map(readItem),
    };
  },

  /** These agents only ever ask for a stream. */
  async write(answer: Answer): Promise<void> {
    const stream = new EventStream(answer);
    let number = 0;
    const send: Send = (type, data) => stream.send({ type, sequence_number: number++, ...data }, type);
    const created = Math.floor(Date.now() / 1000);
    const head = { id: newId('resp'), object: 'response', created_at: created, model: answer.body['model'] };
    await send('response.created', { response: { ...head, status: 'in_progress', output: [] } });
    const output: JsonObject[] = [];
    for (const reply of answer.replies) {
      if (reply.kind === 'hang') await stream.pause(reply.ms);
      else if (reply.kind === 'text') output.push(await writeMessage(reply, output.length, send));
      else if (reply.kind === 'think') output.push(await writeReasoning(reply, output.length, send));
      else if (reply.kind === 'tool') output.push(await writeTool(reply, output.length, send));
    }
    await send('response.completed', { response: { ...head, status: 'completed', output, usage: USAGE } });
    stream.end();
  },
};

type Send = (type: string, data: JsonObject) => Promise<void>;

function readItem(item: JsonObject): Turn {
  if (asText(item['type']).endsWith('_output')) return { role: 'tool', text: '', toolResults: 1 };
  const text = contentText(item['content']);
  // Codex sends its instructions and the environment as messages of the user.
  return { role: asText(item['role']), text, toolResults: 0, auxiliary: /^<|# AGENTS/.test(text) };
}

async function writeMessage(reply: TextReply, index: number, send: Send): Promise<JsonObject> {
  const item = { type: 'message', id: newId('msg'), role: 'assistant', status: 'in_progress', content: [] };
  const place = { item_id: item.id, output_index: index, content_index: 0 };
  await send('response.output_item.added', { output_index: index, item });
  await send('response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } });
  for (const delta of pieces(reply.text)) await send('response.output_text.delta', { ...place, delta });
  const content = [{ type: 'output_text', text: reply.text, annotations: [] }];
  return finish({ ...item, status: 'completed', content }, index, send);
}

async function writeReasoning(reply: TextReply, index: number, send: Send): Promise<JsonObject> {
  const item = { type: 'reasoning', id: newId('rs'), summary: [] };
  const place = { item_id: item.id, output_index: index, summary_index: 0 };
  await send('response.output_item.added', { output_index: index, item });
  await send('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } });
  for (const delta of pieces(reply.text)) await send('response.reasoning_summary_text.delta', { ...place, delta });
  return finish({ ...item, summary: [{ type: 'summary_text', text: reply.text }] }, index, send);
}

async function writeTool(reply: ToolReply, index: number, send: Send): Promise<JsonObject> {
  const item = toolItem(reply);
  await send('response.output_item.added', { output_index: index, item });
  return finish(item, index, send);
}

function toolItem(reply: ToolReply): JsonObject {
  const ids = { id: newId('item'), call_id: newId('call'), name: reply.name };
  if (reply.custom) return { type: 'custom_tool_call', ...ids, input: asText(reply.args['input']) };
  return { type: 'function_call', ...ids, arguments: JSON.stringify(reply.args), status: 'completed' };
}

async function finish(item: JsonObject, index: number, send: Send): Promise<JsonObject> {
  await send('response.output_item.done', { output_index: index, item });
  return item;
}
