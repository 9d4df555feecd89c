// Owns: the floor of the streams, a client that reads one answer of the bench agent through the SDK and draws it nowhere.
// Must not: keep anything of it.   node reader.mjs PROMPT
// It says `ready`, waits for a line, reads, prints what it took as JSON, and ends with its input.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { client, ndJsonStream } from '@agentclientprotocol/sdk';

const [text] = process.argv.slice(2);
const agent = spawn(process.execPath, [fileURLToPath(new URL('../agent.mjs', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'ignore'],
});
let updates = 0;
let characters = 0;

function onUpdate({ params: { update } }) {
  updates += 1;
  if (update.sessionUpdate === 'agent_message_chunk') characters += update.content.text.length;
}

process.stdin.once('end', () => process.exit(0));
const stream = ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
await client({ name: 'floor' })
  .onNotification('session/update', onUpdate)
  .connectWith(stream, async (connection) => {
    await connection.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await connection.request('session/new', { cwd: process.cwd(), mcpServers: [] });
    process.stdout.write('ready\n');
    await once(process.stdin, 'data');
    const start = performance.now();
    await connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    process.stdout.write(`${JSON.stringify({ ms: performance.now() - start, updates, characters })}\n`);
  });
