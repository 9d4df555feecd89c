// Owns trying one real agent against the fake model with nothing of Sidekicks in between: when a whole turn fails in
// Neovim, this tells the agent's fault from ours, and shows what a new version of an agent sends.
//   node test/e2e/run.ts NAME [--raw]      exit status 0 when every check passed
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realAgent, type RealAgent, type StepName } from './agents.ts';
import { asObject, asObjects, asText, type JsonObject } from './fake-model/json.ts';
import { scriptText, type Step } from './fake-model/script.ts';
import { startFakeModel } from './fake-model/server.ts';
import { installAgent } from './install.ts';
import { WireClient } from './wire-client.ts';

const TURN_LIMIT_MS = 90_000;

const name = process.argv[2] ?? '';
const agent = realAgent(name);
const folder = mkdtempSync(join(tmpdir(), 'sidekicks-agent-'));
const workspace = join(folder, 'workspace');
const home = join(folder, 'home');
mkdirSync(join(workspace, '.git'), { recursive: true });
mkdirSync(home);
writeFileSync(join(workspace, 'a.txt'), 'line one\nline two\n');

const { command, binFolder } = await installAgent(name);
const model = await startFakeModel();
const { args, env } = agent.setUp({ url: model.url, home });
const path = `${binFolder}:${process.env['PATH'] ?? ''}`;
const client = new WireClient({
  command,
  args,
  cwd: workspace,
  env: { PATH: path, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8', ...env },
  missingFileReadsEmpty: agent.missingFileReadsEmpty ?? false,
  raw: process.argv.includes('--raw'),
});

let failures = 0;
try {
  const limit = AbortSignal.timeout(TURN_LIMIT_MS);
  limit.addEventListener('abort', () => client.fail(new Error(`no end within ${TURN_LIMIT_MS / 1000} s`)));
  report(await wholeTurn());
} catch (error) {
  failures += 1;
  console.error('FAILED', error);
} finally {
  await client.stop();
  await model.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(failures === 0 ? `${name}: all well` : `${name}: ${failures} checks failed`);
process.exitCode = failures === 0 ? 0 : 1;

/** A plain prompt, then one with every step the agent can do. */
async function wholeTurn(): Promise<Record<string, boolean>> {
  const capabilities = { fs: { readTextFile: true, writeTextFile: true } };
  const clientInfo = { name: 'sidekicks', version: '0.0.0' };
  const hello = await client.call('initialize', { protocolVersion: 1, clientCapabilities: capabilities, clientInfo });
  const sessionId = asText((await client.call('session/new', { cwd: workspace, mcpServers: [] }))['sessionId']);
  if (agent.mode) await client.call('session/set_mode', { sessionId, modeId: agent.mode });
  const prompt = (text: string) => client.call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  const plain = await prompt('hello');
  const work = await prompt(`Do it. ${scriptText(steps(agent))}`);
  return checks(agent, hello, [plain, work]);
}

function steps({ steps: names }: RealAgent): Step[] {
  const tools: Record<StepName, Step> = {
    write: { op: 'write', path: join(workspace, 'b.txt'), content: 'new file\n' },
    read: { op: 'read', path: join(workspace, 'a.txt') },
    edit: { op: 'edit', path: join(workspace, 'a.txt'), old: 'line two', new: 'line 2' },
    bash: { op: 'bash', command: 'echo made by the shell > c.txt' },
  };
  return [
    { op: 'think', text: 'Thinking about it.' },
    { op: 'text', text: 'Working. ' },
    ...names.map((step) => tools[step]),
    { op: 'text', text: 'All done.' },
  ];
}

function checks(expected: RealAgent, hello: JsonObject, results: readonly JsonObject[]): Record<string, boolean> {
  const requests = client.received.filter((message) => message['id'] !== undefined).map((m) => m['method']);
  const updates = client.received.map((message) => asObject(asObject(message['params'])['update']));
  const spoken = updates.filter((update) => update['sessionUpdate'] === 'agent_message_chunk');
  const text = spoken.map((update) => asText(asObject(update['content'])['text'])).join('');
  const asked = client.received.map((message) => asObject(asObject(message['params'])['toolCall']));
  const contents = [...updates, ...asked].flatMap((call) => asObjects(call['content']));
  return {
    'protocol version 1': hello['protocolVersion'] === 1,
    'both turns end with end_turn': results.every((result) => result['stopReason'] === 'end_turn'),
    'the text arrives': text.includes('Hello from the fake model.') && text.includes('All done.'),
    'b.txt is written': readText('b.txt') === 'new file\n',
    'a.txt is edited': readText('a.txt') === 'line one\nline 2\n',
    'the command ran': !expected.steps.includes('bash') || readText('c.txt') === 'made by the shell\n',
    'a diff is shown': contents.some((content) => content['type'] === 'diff'),
    'permission as expected': requests.includes('session/request_permission') === expected.asksPermission,
    'writing as expected': requests.includes('fs/write_text_file') === (expected.writes !== 'disk'),
    'reading as expected': requests.includes('fs/read_text_file') === expected.readsThroughClient,
  };
}

function readText(file: string): string {
  try {
    return readFileSync(join(workspace, file), 'utf8');
  } catch (error) {
    return String(error);
  }
}

function report(results: Record<string, boolean>): void {
  for (const [what, well] of Object.entries(results)) {
    if (!well) failures += 1;
    console.log(`${well ? 'ok    ' : 'FAILED'} ${what}`);
  }
}
