// Tests of the fake model as an agent meets it: over HTTP, in all four dialects.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asObject, asObjects, asText, parseObject, type JsonObject } from './fake-model/json.ts';
import { DEFAULT_ANSWER, scriptText, type Step } from './fake-model/script.ts';
import { startFakeModel, type FakeModel } from './fake-model/server.ts';

let model: FakeModel;

beforeEach(async () => {
  model = await startFakeModel({ delayMs: 0 });
});

afterEach(() => model.close());

/** How one dialect asks: its address, and a request with one prompt, one tool and the results of earlier tool calls. */
interface Asking {
  readonly path: string;
  readonly tool: string;
  body(prompt: string, results: number): JsonObject;
  /** The text, or the tool call as `name arguments`, out of one event of the stream. */
  read(event: JsonObject): string;
}

const schema = { type: 'object', properties: { file_path: { type: 'string' } } };
const repeat = (count: number, value: JsonObject): JsonObject[] => Array.from({ length: count }, () => value);

const DIALECTS: Readonly<Record<string, Asking>> = {
  chat: {
    path: '/v1/chat/completions',
    tool: 'write_file',
    body: (prompt, results) => ({
      stream: true,
      tools: [{ type: 'function', function: { name: 'write_file', parameters: schema } }],
      messages: [{ role: 'user', content: prompt }, ...repeat(results, { role: 'tool', content: 'done' })],
    }),
    read(event) {
      const delta = asObject(asObjects(event['choices'])[0]?.['delta']);
      const use = asObject(asObjects(delta['tool_calls'])[0]?.['function']);
      return (
        asText(delta['content']) + asText(delta['reasoning_content']) + asText(use['name']) + asText(use['arguments'])
      );
    },
  },
  anthropic: {
    path: '/v1/messages',
    tool: 'Write',
    body: (prompt, results) => ({
      stream: true,
      tools: [{ name: 'Write', input_schema: schema }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: prompt }] },
        ...repeat(results, { role: 'user', content: [{ type: 'tool_result', content: 'done' }] }),
      ],
    }),
    read(event) {
      const delta = asObject(event['delta']);
      const name = asText(asObject(event['content_block'])['name']);
      return name + asText(delta['text']) + asText(delta['thinking']) + asText(delta['partial_json']);
    },
  },
  responses: {
    path: '/v1/responses',
    tool: 'exec_command',
    body: (prompt, results) => ({
      tools: [{ type: 'function', name: 'exec_command', parameters: schema }],
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment>' }] },
        ...repeat(results, { type: 'function_call_output', output: 'done' }),
      ],
    }),
    read(event) {
      if (event['type'] !== 'response.output_item.done') return asText(event['delta']);
      const item = asObject(event['item']);
      return item['type'] === 'function_call' ? asText(item['name']) + asText(item['arguments']) : '';
    },
  },
  gemini: {
    path: '/v1beta/models/any:streamGenerateContent',
    tool: 'write_file',
    body: (prompt, results) => ({
      tools: [{ functionDeclarations: [{ name: 'write_file', parametersJsonSchema: schema }] }],
      contents: [
        { role: 'user', parts: [{ text: prompt }] },
        ...repeat(results, { role: 'user', parts: [{ functionResponse: { name: 'write_file' } }] }),
      ],
    }),
    read(event) {
      const parts = asObjects(asObject(asObjects(event['candidates'])[0]?.['content'])['parts']);
      const call = asObject(parts[0]?.['functionCall']);
      return asText(parts[0]?.['text']) + asText(call['name']) + (call['args'] ? JSON.stringify(call['args']) : '');
    },
  },
};

const post = (path: string, body: JsonObject, signal?: AbortSignal): Promise<Response> =>
  fetch(model.url + path, { method: 'POST', body: JSON.stringify(body), ...(signal ? { signal } : {}) });

async function answer(asking: Asking, prompt: string, results = 0): Promise<string> {
  const text = await (await post(asking.path, asking.body(prompt, results))).text();
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  return events.map((line) => asking.read(parseObject(line.slice('data: '.length)))).join('');
}

const SCRIPT: readonly Step[] = [
  { op: 'think', text: 'Let me see, ' },
  { op: 'text', text: 'naïve 日本 😀 first. ' },
  { op: 'write', path: '/w/a.txt', content: 'hi\n' },
  { op: 'text', text: 'All done.' },
];

describe.each(Object.entries(DIALECTS))('%s', (_, asking) => {
  it('answers a plain prompt', async () => {
    expect(await answer(asking, 'hello')).toBe(DEFAULT_ANSWER);
  });

  it('plays a script up to its tool, then on from the tool’s result', async () => {
    const prompt = `Do it. ${scriptText(SCRIPT)}`;
    const first = await answer(asking, prompt);
    expect(first).toContain(`Let me see, naïve 日本 😀 first. ${asking.tool}`);
    expect(first).toContain('/w/a.txt');
    expect(first).not.toContain('All done');
    expect(await answer(asking, prompt, 1)).toBe('All done.');
  });

  it('says so when the agent offers no tool for a step', async () => {
    const said = await answer(asking, scriptText([{ op: 'tool', name: 'fly', args: {} }]));
    expect(said).toBe(`No tool for tool; offered: ${asking.tool}`);
  });

  it('fails as told', async () => {
    const response = await post(asking.path, asking.body(scriptText([{ op: 'error', status: 529 }]), 0));
    expect(response.status).toBe(529);
    expect(await response.text()).toContain('fake failure');
  });

  it('stays silent as told, until the agent hangs up', async () => {
    const body = asking.body(scriptText([{ op: 'hang', ms: 60_000 }]), 0);
    await expect(
      post(asking.path, body, AbortSignal.timeout(50)).then((response) => response.text()),
    ).rejects.toThrow();
  });

  it('says that a script cannot be read', async () => {
    expect(await answer(asking, 'FAKE[{"op":"fly"}]FAKE')).toContain('there is no step "fly"');
  });
});

describe('beside the answers', () => {
  it('gives a title in a request without tools, and the default again after a later plain prompt', async () => {
    const messages = [{ role: 'user', content: scriptText(SCRIPT) }];
    const title = await post('/v1/chat/completions', { messages });
    expect(await title.json()).toMatchObject({
      choices: [{ message: { content: 'Fake title' }, finish_reason: 'stop' }],
    });
    const tools = [{ function: { name: 'write_file' } }];
    const later = { tools, messages: [...messages, { role: 'user', content: 'thanks' }] };
    const plain = await post('/v1/chat/completions', later);
    expect(await plain.json()).toMatchObject({ choices: [{ message: { content: DEFAULT_ANSWER } }] });
  });

  it('gives the smallest value that fits a schema', async () => {
    const wanted = {
      type: 'OBJECT',
      properties: { ok: { type: 'BOOLEAN' }, why: { type: 'STRING' }, n: { type: 'array' } },
    };
    const generationConfig = { responseMimeType: 'application/json', responseSchema: wanted };
    const response = await post('/v1beta/models/any:generateContent', { contents: [], generationConfig });
    const parts = [{ text: '{"ok":false,"why":"x","n":[]}' }];
    expect(await response.json()).toMatchObject({ candidates: [{ content: { parts } }] });
  });

  it('lists models, counts tokens, and knows nothing else', async () => {
    expect(await (await fetch(`${model.url}/v1/models`)).json()).toMatchObject({ data: [{ id: 'fake-model' }] });
    expect(await (await post('/v1/messages/count_tokens', {})).json()).toEqual({ input_tokens: 11 });
    expect((await fetch(`${model.url}/elsewhere`)).status).toBe(404);
  });
});
