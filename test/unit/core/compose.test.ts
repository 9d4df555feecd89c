// What a Compose file offers to the assistant that adds an agent (SPEC section 15, CASES B25).
import { describe, expect, test } from 'vitest';
import { readCompose, type ComposeProject } from '../../../src/core/compose/read.ts';
import { fail, ok, type Failure } from '../../../src/core/errors.ts';
import { wordFailure } from '../../../src/core/texts/index.ts';

type Files = Readonly<Record<string, string>>;

const read = (files: Files) => (path: string) =>
  Promise.resolve(Object.hasOwn(files, path) ? ok(files[path] ?? '') : fail('not-found', 'file.missing', { path }));

/** `files` are named from the folder /shop. */
function compose(files: Files, env: Record<string, string> = {}, main = 'compose.yaml') {
  const absolute = Object.fromEntries(Object.entries(files).map(([name, text]) => [`/shop/${name}`, text]));
  return readCompose(`/shop/${main}`, { read: read(absolute), env, language: 'en' });
}

async function project(files: Files, env?: Record<string, string>, main?: string): Promise<ComposeProject> {
  const found = await compose(files, env, main);
  if (!found.ok) throw new Error(wordFailure('en', found.error));
  return found.value;
}

async function refusal(files: Files): Promise<Failure> {
  const found = await compose(files);
  if (found.ok) throw new Error('nothing was refused');
  return found.error;
}

const names = ({ services }: ComposeProject) => services.map(({ name }) => name);
const containers = ({ services }: ComposeProject) => services.map(({ container }) => container);
const shown = ({ problems }: ComposeProject) =>
  problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
const containerOf = async (text: string, env?: Record<string, string>) => {
  const found = await project({ 'compose.yaml': `services: {web: {container_name: "${text}"}}` }, env);
  return found.services[0]?.container ?? shown(found).join();
};

describe('B25', () => {
  const main = `x-a: &a {restart: always}
x-b: &b {working_dir: /app, restart: "no"}
services:
  web:
    <<: [*a, *b]
    command: !reset null
    ports: !override ["9000:90"]
  db:
    extends: {file: base.yml, service: pg}
`;

  test('merges, tags and extends: exactly the services, and "null" nowhere', async () => {
    const found = await project({ 'compose.yaml': main, 'base.yml': 'services: {pg: {image: postgres}}' });
    expect(found).toEqual({
      folder: '/shop',
      services: [
        {
          name: 'web',
          container: 'shop-web-1',
          createCommand: 'docker compose -f /shop/compose.yaml up -d web',
          stopCommand: 'docker compose -f /shop/compose.yaml stop web',
          removeCommand: 'docker compose -f /shop/compose.yaml rm -sf web',
        },
        {
          name: 'db',
          container: 'shop-db-1',
          createCommand: 'docker compose -f /shop/compose.yaml up -d db',
          stopCommand: 'docker compose -f /shop/compose.yaml stop db',
          removeCommand: 'docker compose -f /shop/compose.yaml rm -sf db',
        },
      ],
      problems: [],
    });
    expect(JSON.stringify(found)).not.toContain('null');
  });

  test('a missing base is a problem with its name and line; the other service is still offered', async () => {
    const found = await project({ 'compose.yaml': main });
    expect(names(found)).toEqual(['web']);
    expect(shown(found)).toEqual(['9:5 there is no file /shop/base.yml']);
  });

  test('two merge keys in one mapping both apply', async () => {
    const text = `x-a: &a {container_name: one}
x-b: &b {restart: always}
services:
  web:
    <<: *b
    <<: *a
`;
    expect(containers(await project({ 'compose.yaml': text }))).toEqual(['one']);
  });

  test('the first merge wins, and a key of its own over both', async () => {
    const text = `x-a: &a {container_name: first}
x-b: &b {container_name: second}
services:
  web: {<<: [*a, *b]}
  own: {<<: *a, container_name: mine}
`;
    expect(containers(await project({ 'compose.yaml': text }))).toEqual(['first', 'mine']);
  });
});

describe('extends', () => {
  const chain = {
    'compose.yaml': 'services:\n  web: {extends: {file: ../common/base.yml, service: app}}\n',
    '../common/base.yml': 'services:\n  app: {extends: {file: deeper/more.yml, service: root}}\n',
    '../common/deeper/more.yml': 'services:\n  root: {container_name: deep}\n',
  };
  const resolved = Object.fromEntries(
    Object.entries(chain).map(([name, text]) => [
      name.startsWith('..') ? `/common/${name.slice(10)}` : `/shop/${name}`,
      text,
    ]),
  );

  test('through several files, each path from the file that names it', async () => {
    const found = await readCompose('/shop/compose.yaml', { read: read(resolved), env: {}, language: 'en' });
    expect(found.ok && containers(found.value)).toEqual(['deep']);
  });

  test('in the same file, written either way; what a service says itself wins', async () => {
    const text = `services:
  base: {container_name: base}
  short: {extends: base}
  long: {extends: {service: base}}
  own: {extends: base, container_name: own}
  reset: {extends: base, container_name: !reset null}
  alone: {extends: !reset null}
`;
    expect(containers(await project({ 'compose.yaml': text }))).toEqual([
      'base',
      'base',
      'base',
      'own',
      'shop-reset-1',
      'shop-alone-1',
    ]);
  });

  test.each([
    ['a service that is not there', 'extends: nobody', '3:5 there is no service nobody in /shop/compose.yaml'],
    ['itself', 'extends: web', '3:5 the service web extends itself'],
    [
      'a file elsewhere',
      'extends: {file: "https://x.test/c.yml", service: a}',
      '3:5 https://x.test/c.yml is not on this computer and is not fetched',
    ],
    ['nothing', 'extends: {file: base.yml}', '3:5 extends must name a service'],
    [
      'a broken file',
      'extends: {file: bad.yml, service: a}',
      '3:5 /shop/bad.yml, line 2, column 1: tabs cannot indent: use spaces',
    ],
  ])('%s is a problem where it is written', async (_, extending, problem) => {
    const text = `services:\n  web:\n    ${extending}\n  other: {}\n`;
    const found = await project({ 'compose.yaml': text, 'bad.yml': 'services:\n\ta: {}\n' });
    expect(names(found)).toEqual(['other']);
    expect(shown(found)).toEqual([problem]);
  });

  test('in a ring ends', async () => {
    const text = 'services:\n  a: {extends: b}\n  b: {extends: c}\n  c: {extends: a}\n';
    expect(shown(await project({ 'compose.yaml': text }))).toHaveLength(3);
  });
});

describe('variables', () => {
  test.each([
    ['$NAME', 'here'],
    ['${NAME}', 'here'],
    ['a-${NAME}-$NAME', 'a-here-here'],
    ['${ABSENT:-other}', 'other'],
    ['${EMPTY:-other}', 'other'],
    ['${EMPTY-other}', 'shop-web-1'],
    ['${ABSENT-other}', 'other'],
    ['${NAME:+set}', 'set'],
    ['${EMPTY:+set}', 'shop-web-1'],
    ['${EMPTY+set}', 'set'],
    ['${ABSENT:-${NAME}}', 'here'],
    ['${ABSENT:-${GONE:-deep}x}', 'deepx'],
    ['${NAME:?needed}', 'here'],
    ['${ABSENT:?needed}', '1:34 the variable ABSENT is required: needed'],
    ['${EMPTY?needed}', 'shop-web-1'],
    ['$$NAME', '1:34 “$NAME” cannot name a container (in /shop/compose.yaml)'],
    ['$1', '1:34 $1 is no variable: write $$ for a dollar sign'],
    ['${NAME', '1:34 ${NAME is no variable: write $$ for a dollar sign'],
    ['${NAME!x}', '1:34 ${NAME!x} is no variable: write $$ for a dollar sign'],
    ['${}', '1:34 ${} is no variable: write $$ for a dollar sign'],
  ])('%s is %s', async (text, wanted) => {
    expect(await containerOf(text, { NAME: 'here', EMPTY: '' })).toBe(wanted);
  });

  test('come from .env beside the file, where the environment does not say otherwise', async () => {
    const env = [
      '# a comment',
      'PLAIN=plain # not this',
      'export EXPORTED = exported',
      `SINGLE='$PLAIN'`,
      'DOUBLE="${PLAIN}-two"',
      'WINS=file',
      'YAML: colon',
      'LINES="one',
      'NOT_A_KEY=two"',
      'LAST=last',
    ].join('\r\n');
    const lines = ['PLAIN', 'EXPORTED', 'DOUBLE', 'WINS', 'YAML', 'LAST', 'NOT_A_KEY'];
    const services = lines.map((name) => `  ${name.toLowerCase()}: {container_name: "\${${name}}"}`);
    const files = { 'compose.yaml': ['services:', ...services].join('\n'), '.env': env };
    expect(containers(await project(files, { WINS: 'environment' }))).toEqual([
      'plain',
      'exported',
      'plain-two',
      'environment',
      'colon',
      'last',
      'shop-not_a_key-1',
    ]);
  });
});

test('a folder named .env is none of its business; a file that cannot be read is', async () => {
  const around = (env: Failure) => ({
    read: (path: string) =>
      Promise.resolve(path.endsWith('.env') ? { ok: false as const, error: env } : ok('services: {web: {}}')),
    env: {},
    language: 'en' as const,
  });
  const folder = await readCompose(
    '/shop/compose.yml',
    around(fail('invalid', 'file.notRegular', { path: '.env' }).error),
  );
  expect(folder.ok && folder.value.problems).toEqual([]);
  const closed = await readCompose('/shop/x.yml', around(fail('refused', 'file.denied', { what: 'EACCES' }).error));
  expect(closed.ok && shown(closed.value)).toEqual(['1:1 the system does not allow it: EACCES']);
});

describe('the name of the project', () => {
  const services = 'services: {web: {}}\n';

  test.each([
    ['its own', { 'compose.yaml': `name: my-app\n${services}` }, {}, 'my-app-web-1'],
    ['with a variable', { 'compose.yaml': `name: "\${APP:-dev}"\n${services}` }, {}, 'dev-web-1'],
    [
      'of the environment',
      { 'compose.yaml': `name: mine\n${services}` },
      { COMPOSE_PROJECT_NAME: 'theirs' },
      'theirs-web-1',
    ],
    ['of .env', { 'compose.yaml': services, '.env': 'COMPOSE_PROJECT_NAME=dot\n' }, {}, 'dot-web-1'],
    ['of the folder', { 'compose.yaml': services }, {}, 'shop-web-1'],
  ])('%s', async (_, files, env, container) => {
    expect(containers(await project(files, env))).toEqual([container]);
  });

  test('of a folder with other letters is what Compose makes of it', async () => {
    const path = '/tmp/_My Shop.2/compose.yaml';
    const found = await readCompose(path, { read: read({ [path]: services }), env: {}, language: 'en' });
    expect(found.ok && found.value.services[0]).toEqual({
      name: 'web',
      container: 'myshop2-web-1',
      createCommand: `docker compose -f '/tmp/_My Shop.2/compose.yaml' up -d web`,
      stopCommand: `docker compose -f '/tmp/_My Shop.2/compose.yaml' stop web`,
      removeCommand: `docker compose -f '/tmp/_My Shop.2/compose.yaml' rm -sf web`,
    });
  });

  test('of the environment stands in the commands, which may run elsewhere', async () => {
    const found = await project({ 'compose.yaml': services }, { COMPOSE_PROJECT_NAME: 'theirs' });
    expect(found.services[0]?.stopCommand).toBe('docker compose -p theirs -f /shop/compose.yaml stop web');
  });

  test('that cannot be one is a problem', async () => {
    expect(shown(await project({ 'compose.yaml': `name: My App\n${services}` }))).toEqual([
      '1:7 “My App” cannot name a project: lower-case letters, digits, - and _',
    ]);
  });
});

describe('several files', () => {
  const override = `services:
  web: {container_name: changed}
  gone: !reset null
  fresh: !override {}
  more: {}
`;
  const main = 'services:\n  web: {}\n  gone: {}\n  fresh: {container_name: old}\n';

  test('an override file beside is merged, and named in the commands', async () => {
    const found = await project({ 'compose.yaml': main, 'compose.override.yml': override });
    expect(names(found)).toEqual(['web', 'fresh', 'more']);
    expect(containers(found)).toEqual(['changed', 'shop-fresh-1', 'shop-more-1']);
    expect(found.services[0]?.stopCommand).toBe(
      'docker compose -f /shop/compose.yaml -f /shop/compose.override.yml stop web',
    );
  });

  test('not beside a file of another name', async () => {
    const found = await project({ 'dev.yaml': main, 'compose.override.yml': override }, {}, 'dev.yaml');
    expect(names(found)).toEqual(['web', 'gone', 'fresh']);
  });

  test('included ones stand beside', async () => {
    const found = await project({
      'compose.yaml': 'include:\n  - sub/one.yaml\n  - path: [sub/two.yaml, sub/three.yaml]\nservices:\n  web: {}\n',
      'sub/one.yaml': 'services: {one: {}}',
      'sub/two.yaml': 'services: {two: {}}',
      'sub/three.yaml': 'services: {two: {container_name: second}}',
    });
    expect(names(found)).toEqual(['one', 'two', 'web']);
    expect(containers(found)[1]).toBe('second');
  });

  test('that include each other end, and what is wrong inside says where', async () => {
    const found = await project({
      'compose.yaml': 'include: [other.yaml]\nservices:\n  web: {}\n',
      'other.yaml': 'include: [compose.yaml, other.yaml, none.yaml]\nservices: {"no good": {}}\n',
    });
    expect(names(found)).toEqual(['web']);
    expect(shown(found)).toEqual([
      '1:11 /shop/other.yaml, line 1, column 37: there is no file /shop/none.yaml',
      '1:11 /shop/other.yaml, line 2, column 12: “no good” cannot name a service: letters, digits, ., - and _',
    ]);
  });
});

describe('a file that is none', () => {
  test.each([
    ['missing', {}, 'not-found', 'there is no file /shop/compose.yaml'],
    ['empty', { 'compose.yaml': '' }, 'invalid', '/shop/compose.yaml has no services'],
    ['a list', { 'compose.yaml': '- web' }, 'invalid', '/shop/compose.yaml has no services'],
    ['without services', { 'compose.yaml': 'x-services: {web: {}}' }, 'invalid', '/shop/compose.yaml has no services'],
    [
      'with services that are a list',
      { 'compose.yaml': 'services: [web]' },
      'invalid',
      '/shop/compose.yaml has no services',
    ],
    [
      'broken',
      { 'compose.yaml': 'services:\n  web: {image: "x\n' },
      'invalid',
      '/shop/compose.yaml, line 2, column 18: something is not closed: " is missing',
    ],
    [
      'with a key twice',
      { 'compose.yaml': 'services:\n  web: {}\n  web: {}\n' },
      'invalid',
      '/shop/compose.yaml, line 3, column 3: the key web is already there',
    ],
  ])('%s', async (_, files, code, message) => {
    const error = await refusal(files);
    expect([error.code, wordFailure('en', error)]).toEqual([code, message]);
  });
});

describe('a hostile file', () => {
  test('gets no word into a command that is not one word', async () => {
    const path = `/tmp/$(touch x)/it's; rm -rf ~/compose.yaml`;
    const found = await readCompose(path, { read: read({ [path]: 'services: {web: {}}' }), env: {}, language: 'en' });
    expect(found.ok && found.value.services[0]?.stopCommand).toBe(
      `docker compose -f '/tmp/$(touch x)/it'\\''s; rm -rf ~/compose.yaml' stop web`,
    );
  });

  test.each([['--help'], ['a;b'], ['$(id)'], ['a b'], ['']])('names no service %j', async (name) => {
    const found = await project({ 'compose.yaml': `services: {${JSON.stringify(name)}: {}, good: {}}` });
    expect(names(found)).toEqual(['good']);
    expect(found.problems).toHaveLength(1);
  });

  test('is read within bounds', async () => {
    const bomb = ['x0: &a0 [x,x,x,x,x,x,x,x,x,x]'];
    for (let index = 1; index < 12; index++)
      bomb.push(
        `x${index}: &a${index} [${Array(10)
          .fill(`*a${index - 1}`)
          .join()}]`,
      );
    const error = await refusal({ 'compose.yaml': `${bomb.join('\n')}\nservices: {web: {}}\n` });
    expect(wordFailure('en', error)).toMatch(/the aliases stand for too much/);
    const many = Array.from({ length: 700 }, (_, index) => `  s${index}: {}`);
    const found = await project({ 'compose.yaml': ['services:', ...many].join('\n') });
    expect(found.services).toHaveLength(500);
    expect(shown(found)).toEqual(['1:1 more than 500 services; the rest is left out']);
  });

  test('with endless files to include ends', async () => {
    let reads = 0;
    const found = await readCompose('/shop/0.yaml', {
      read: (path) => {
        if (path.endsWith('.env')) return Promise.resolve(fail('not-found', 'file.missing', { path }));
        reads++;
        const index = Number(/(\d+)/.exec(path)?.[1]);
        return Promise.resolve(
          ok(`include: [${2 * index + 1}.yaml, ${2 * index + 2}.yaml]\nservices: {s${index}: {}}\n`),
        );
      },
      env: {},
      language: 'en',
    });
    expect(found.ok && found.value.problems.length).toBeGreaterThan(0);
    expect(reads).toBeLessThan(60);
  });

  test('with a path that would need two lines is refused', async () => {
    const found = await readCompose('/shop/a\nb/compose.yaml', { read: read({}), env: {}, language: 'en' });
    expect(!found.ok && found.error.text).toBe('file.oddName');
  });
});
