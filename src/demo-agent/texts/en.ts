// Owns: every English sentence of the demo agent. Must not: decide anything, or hold code examples.

export const en = {
  title: 'Demo agent',
  greeting: (visit: number) => `Hello from Sidekicks: visit ${visit}`,
  newFile: (greeting: string) =>
    `# Hello\n\nThe demo agent made this file. Keep it, change it, or delete it.\n\n<!-- ${greeting} -->\n`,

  modes: {
    ask: { name: 'Ask', description: 'Asks before each edit' },
    auto: { name: 'Auto', description: 'Edits without asking' },
    plan: { name: 'Plan', description: 'Only plans, never edits' },
  },
  options: {
    model: {
      name: 'Model',
      description: 'Which imaginary model answers',
      values: { demo: 'Demo', 'demo-fast': 'Demo, in a hurry' },
    },
    verbosity: {
      name: 'Verbosity',
      description: 'How much the tour says',
      values: { brief: 'Brief', normal: 'Normal', detailed: 'Detailed' },
    },
    thoughts: { name: 'Thoughts', description: 'Shows what the agent thinks' },
  },
  commands: {
    help: { description: 'What this agent can do' },
    code: { description: 'Code to copy', hint: 'language' },
    plan: { description: 'A plan, and nothing but the plan', hint: 'goal' },
    edit: { description: 'Propose a small edit of a file', hint: 'path' },
    read: { description: 'Read a file', hint: 'path' },
    slow: { description: 'An answer that takes its time (to try cancelling)', hint: 'seconds' },
    long: { description: 'A long answer (to try scrolling)', hint: 'lines' },
    error: { description: 'An answer that fails', hint: 'message' },
    ask: { description: 'Ask you something back' },
  },

  thoughts: {
    tour: (name: string) =>
      `The user wants to see what I can do. I will read ${name}, explain, and propose one small edit.`,
    tourWithoutFile: 'The user wants to see what I can do, and there is no file here yet. I will propose one.',
  },
  planned: {
    read: (name: string) => `Read ${name}`,
    look: 'Look for a file to read',
    explain: 'Show prose and code',
    edit: (name: string) => `Propose one line in ${name}`,
    create: (name: string) => `Propose a new file ${name}`,
  },
  tools: {
    read: (name: string) => `Read ${name}`,
    edit: (name: string) => `Edit ${name}`,
    create: (name: string) => `Create ${name}`,
    wait: (seconds: number) => `Wait ${seconds} s`,
    count: (lines: number) => `Count to ${lines}`,
    waited: (seconds: number) => `${seconds} s have passed`,
    moreLines: (count: number) => `… ${count} more lines`,
    written: 'Written.',
    rejected: 'Rejected by the user.',
    stopped: 'Stopped.',
  },
  permission: {
    allow: 'Allow this edit',
    always: 'Allow all edits of this session',
    reject: 'Reject',
  },
  notices: {
    auto: { title: 'Edits are now made without asking', description: 'The mode of this session is Auto.' },
  },

  tour: {
    welcome:
      '# Welcome to Sidekicks\n\n' +
      'I am the **demo agent**. I need no key and no network, and I speak the same protocol as the real agents: ' +
      'whatever you ask, I answer with this tour.\n\n',
    images: (names: string) => `You sent me ${names}. I cannot see, but a real agent could.\n\n`,
    read: (name: string, size: string, viaClient: boolean) =>
      `I have read \`${name}\` (${size})` +
      (viaClient ? ', as it stands in your editor, unsaved text included.\n\n' : ' from disk.\n\n'),
    cannotRead: (name: string, reason: string) => `I could not read \`${name}\`: ${reason}.\n\n`,
    code:
      '## Code you can copy\n\nPut the cursor on a block and press `Y`: ' +
      'you get its lines, without fence and without indent.\n\n',
    list: {
      first: '1. A block inside a list is indented here, and not in the copy:\n\n',
      second: '2. Press `za` on a thought or a tool call to fold it.\n\n',
    },
    more:
      '## Around the code\n\n' +
      '> Quotes, *emphasis*, ~~strikes~~ and `code` are Markdown.\n\n' +
      '| key | does |\n| --- | --- |\n| `Y` | copies the region |\n| `<C-c>` | stops me |\n| `[[` `]]` | jump between messages |\n\n' +
      'Other scripts work too: naïve, Ελληνικά, 日本語, 😀.\n\n',
    beforeEdit: (name: string) => `## One small edit\n\nI propose one line in \`${name}\`. You decide.\n\n`,
    beforeCreate: (name: string) =>
      `## One small file\n\nThere is nothing to edit here, so I propose a new file \`${name}\`. You decide.\n\n`,
    withoutAsking: 'The mode is *Auto*, so I do not ask.\n\n',
    noGoodPlace: (name: string) => `A comment in \`${name}\` could break it, so I leave that file alone.\n\n`,
    onlyPlanning: 'The mode is *Plan*, so I stop before the edit. Choose the mode *Ask* to see it.\n\n',
    done: (name: string, line: number) =>
      `Done: line ${line} of \`${name}\`. If the file is open, the change stands in its buffer and \`u\` takes it back.\n\n`,
    rejected: (name: string) => `As you like: \`${name}\` stays as it is.\n\n`,
    cannotWrite: (name: string, reason: string) => `I could not write \`${name}\`: ${reason}.\n\n`,
    farewell: 'Type `/` to see what else I can do, or `/help`.\n',
  },

  help: {
    title: '## What I can do\n\n',
    rest: '\nAnything else gives a short tour: I think, plan, read a file, show code and propose one edit.\n',
  },
  code: {
    one: (language: string) => `Here is some ${language}:\n\n`,
    unknown: (language: string, known: string) => `I have nothing in “${language}”. I know ${known}.\n`,
  },
  plan: {
    intro: (goal: string) => `A plan for “${goal}”. I change nothing.\n\n`,
    defaultGoal: 'a small change',
    entries: {
      understand: 'Read the code that is concerned',
      test: 'Write a test that fails',
      change: 'Make the smallest change that passes it',
      review: 'Look at the whole difference once more',
    },
  },
  slow: {
    start: (seconds: number) => `This takes ${seconds} s. Press \`<C-c>\` to stop me.\n\n`,
    end: 'That was it.\n',
  },
  long: {
    intro: (lines: number) => `${lines} lines follow.\n\n`,
    line: (number: number) => `Line ${number}: the view stays where your cursor is.`,
  },
  error: { message: 'the demo agent failed, as you asked' },
  ask: {
    message: 'A few questions, to show how an agent asks.',
    editor: 'How do you like your answers?',
    answers: { short: 'Short', long: 'Long', code: 'As code' },
    name: 'What shall I call you?',
    again: 'Ask again some day',
    accepted: (answer: string) => `Thank you. You answered:\n\n${answer}`,
    nothing: '- nothing\n',
    declined: 'You declined. That is an answer too.\n',
    cancelled: 'You closed the question without an answer.\n',
    unavailable: 'This editor does not take questions from agents.\n',
    failed: (reason: string) => `The question could not be asked: ${reason}.\n`,
  },
  unknownCommand: (name: string) => `I do not know \`/${name}\`. `,
  noFile: 'There is no file here that I could take.\n',
  outside: 'it is outside the working folder',

  reasons: {
    missing: 'there is no such file',
    binary: 'it is not UTF-8 text',
    large: 'it is too large for a demo',
    folder: 'it is not a file',
  },
  size: (lines: number, bytes: number) => `${lines} ${lines === 1 ? 'line' : 'lines'}, ${bytes} bytes`,
  picture: (mimeType: string, bytes: number) => `a picture (${mimeType}, ${bytes} bytes)`,
  busy: 'this session is still answering',
};

export type Texts = typeof en;
