// The MCP servers of an agent: read as people write them, given as ACP has them (ACP.md 3.4). Starts and asks none of them.
import type { McpServer, NamedValue } from '../config.ts';
import { findEntry, toPlain } from './check.ts';
import { entriesOf, expanded, itemsOf, textOf, valueAt, type Resolving } from './resolving.ts';
import type { Tree } from './yaml-shapes.ts';

type Transport = 'stdio' | 'http' | 'sse';

export const resolveServers = (resolving: Resolving, tree: Tree | undefined): readonly McpServer[] =>
  itemsOf(tree)
    .filter(({ kind }) => kind === 'map')
    .map((server) => resolveServer(resolving, server));

function resolveServer(resolving: Resolving, tree: Tree): McpServer {
  const transport = transportOf(tree);
  const meta = valueAt(tree, '_meta');
  const common = { name: expanded(resolving, valueAt(tree, 'name')), ...(meta && { _meta: toPlain(meta, undefined) }) };
  if (transport === 'stdio') {
    refuseKeys(resolving, tree, ['url', 'headers'], transport);
    return {
      ...common,
      command: needed(resolving, tree, 'command'),
      args: itemsOf(valueAt(tree, 'args')).map((item) => expanded(resolving, item)),
      env: namedValues(resolving, valueAt(tree, 'env')),
    };
  }
  refuseKeys(resolving, tree, ['command', 'args', 'env'], transport);
  const headers = namedValues(resolving, valueAt(tree, 'headers'));
  return { ...common, type: transport, url: resolveUrl(resolving, tree), headers };
}

/** An address alone says that the server is reached over the network. */
function transportOf(tree: Tree): Transport {
  const type = textOf(valueAt(tree, 'type'));
  if (type === 'stdio' || type === 'http' || type === 'sse') return type;
  return valueAt(tree, 'url') && !valueAt(tree, 'command') ? 'http' : 'stdio';
}

function needed(resolving: Resolving, tree: Tree, key: string): string {
  const value = valueAt(tree, key);
  if (textOf(value).trim() === '') {
    resolving.findings.push({ at: value?.at ?? tree.at, text: 'config.missingKey', values: { key } });
  }
  return expanded(resolving, value);
}

function resolveUrl(resolving: Resolving, tree: Tree): string {
  const url = needed(resolving, tree, 'url');
  const written = valueAt(tree, 'url');
  if (written && textOf(written).trim() !== '' && !/^https?:\/\/[^\s/]/i.test(url)) {
    const what = { text: 'config.expected.url' } as const;
    resolving.findings.push({ at: written.at, text: 'config.wrongValue', values: { key: 'url', what } });
  }
  return url;
}

function refuseKeys(resolving: Resolving, tree: Tree, keys: readonly string[], type: Transport): void {
  for (const key of keys) {
    const entry = findEntry(tree, key);
    if (entry) resolving.findings.push({ at: entry.keyAt, text: 'config.serverKey', values: { key, type } });
  }
}

/** A mapping, or the list that ACP has. */
function namedValues(resolving: Resolving, tree: Tree | undefined): readonly NamedValue[] {
  const ofList = itemsOf(tree).map((item) => ({
    name: textOf(valueAt(item, 'name')),
    value: expanded(resolving, valueAt(item, 'value')),
  }));
  return [...ofList, ...entriesOf(tree).map(({ key, value }) => ({ name: key, value: expanded(resolving, value) }))];
}
