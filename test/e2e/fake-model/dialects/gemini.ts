// Owns Gemini's generateContent and streamGenerateContent. Decides nothing about the answer.
import { asObject, asObjects, asText, isObject, type JsonObject } from '../json.ts';
import type { Answer, Dialect, ModelRequest, Reply } from '../model.ts';
import { EventStream, newId, pieces, sendJson } from '../stream.ts';

const USAGE = { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 };

export const gemini: Dialect = {
  name: 'gemini',

  read(body: JsonObject): ModelRequest {
    const declarations = asObjects(body['tools']).flatMap((tool) => asObjects(tool['functionDeclarations']));
    return {
      tools: declarations.map((tool) => {
        const schema = isObject(tool['parametersJsonSchema']) ? tool['parametersJsonSchema'] : tool['parameters'];
        return { name: asText(tool['name']), schema: asObject(schema), custom: false };
      }),
      turns: asObjects(body['contents']).map((content) => {
        const parts = asObjects(content['parts']);
        return {
          role: asText(content['role']),
          text: parts.map((part) => asText(part['text'])).join('\n'),
          toolResults: parts.filter((part) => isObject(part['functionResponse'])).length,
        };
      }),
      ...wantedJson(asObject(body['generationConfig'])),
    };
  },

  async write(answer: Answer): Promise<void> {
    const responseId = newId('r');
    const body = (parts: JsonObject[], last: boolean): JsonObject => {
      const candidate = { index: 0, content: { role: 'model', parts }, ...(last ? { finishReason: 'STOP' } : {}) };
      return { candidates: [candidate], usageMetadata: USAGE, modelVersion: 'fake', responseId };
    };
    if (!answer.stream) {
      sendJson(answer.response, body(answer.replies.flatMap(wholeParts), true));
      return;
    }
    const stream = new EventStream(answer);
    for (const reply of answer.replies) {
      if (reply.kind === 'hang') await stream.pause(reply.ms);
      for (const part of streamedParts(reply)) await stream.send(body([part], false));
    }
    await stream.send(body([{ text: '' }], true));
    stream.end();
  },
};

function wantedJson(config: JsonObject): { jsonSchema?: JsonObject } {
  if (config['responseMimeType'] !== 'application/json') return {};
  return { jsonSchema: asObject(config['responseJsonSchema'] ?? config['responseSchema']) };
}

function wholeParts(reply: Reply): JsonObject[] {
  if (reply.kind === 'text') return [{ text: reply.text }];
  if (reply.kind === 'think') return [{ text: reply.text, thought: true }];
  if (reply.kind === 'tool') return [{ functionCall: { name: reply.name, args: reply.args } }];
  return [];
}

function streamedParts(reply: Reply): JsonObject[] {
  if (reply.kind !== 'text' && reply.kind !== 'think') return wholeParts(reply);
  return pieces(reply.text).flatMap((text) => wholeParts({ ...reply, text }));
}
