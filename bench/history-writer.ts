// Owns: being another Neovim's host that keeps messages in a history, as many as it is told. Must not: measure.
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { openHistory } from '../src/adapters/sqlite/history.ts';

const [dataFolder = '', configPath = '', count = '0'] = process.argv.slice(2);
const history = openHistory({ dataFolder, configPath, word: ({ text }) => text });
const channel = 'another';
history.saveConversation({ id: channel, name: 'another', description: '', direct: '', members: [], project: '/' });
process.stdout.write('ready\n');
await once(process.stdin, 'data');
for (let at = 0; at < Number(count); at += 1) {
  const id = `${channel}-${String(at).padStart(8, '0')}`;
  history.saveMessage(
    {
      id,
      channel,
      createdAt: at,
      agent: 'other',
      role: 'agent',
      parts: [{ kind: 'text', text: `what another agent says in its message ${at}, `.repeat(5) }],
      done: true,
      queued: false,
      stopReason: 'end_turn',
      error: '',
      code: '',
      attachments: [],
    },
    id,
  );
  await turn();
}
history.close();
