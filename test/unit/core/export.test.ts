// A conversation as Markdown: every message whole, in the person's language, with how it ended (SPEC section 2).
import { expect, test } from 'vitest';
import type { Conversation, Message } from '../../../src/core/contract/shapes.ts';
import { exportMarkdown } from '../../../src/core/transcript/export.ts';
import type { Language } from '../../../src/core/texts/index.ts';
import { english, message, text, tool, user } from './transcript-support.ts';

const conversation: Conversation = {
  id: 'c',
  name: 'review',
  description: 'what we look at',
  direct: '',
  members: ['bob'],
  project: '/p',
};

/** What stands below the title and the description. */
function exported(language: Language, ...messages: Message[]): string[] {
  const options = { ...english, language, when: () => 'then' };
  return exportMarkdown(conversation, messages, options).trimEnd().split('\n\n').slice(2);
}

test('a message that was not sent, an answer cut short and one that failed say so', () => {
  const rows = exported(
    'en',
    user('go', { attachments: [{ agent: 'bob', path: 'a.txt' }] }),
    message({ parts: [text('half')], stopReason: 'cancelled' }),
    user('then this', { error: 'cancelled' }),
    message({ stopReason: '', error: 'it fell over' }),
    message({}),
  );
  expect(rows).toEqual([
    ...['## You · then', 'go', '↳ a.txt'],
    ...['## Bob (llama.cpp) · then', 'half', '*cancelled*'],
    ...['## You · then', 'then this', '*not sent: cancelled*'],
    ...['## Bob (llama.cpp) · then', '*ended by an error: it fell over*'],
    ...['## Bob (llama.cpp) · then', '*the agent said nothing*'],
  ]);
});

test('a tool call is named in the language of the person, its output fenced longer than any fence in it', () => {
  const output = '````js\nx()\n````';
  const call = message({ parts: [tool({ title: 'make', kind: 'execute', status: 'failed', output })] });
  const fence = '`````';
  expect(exported('fr', call).slice(1)).toEqual(['**commande** make (échoué)', `${fence}\n${output}\n${fence}`]);
});
