// The configuration as the rest of Sidekicks sees it (SPEC section 3). Reads no file and no environment itself.

/** One agent, every field resolved: `~` and `${NAME}` replaced, relative paths made absolute. */
export interface AgentDefinition {
  readonly name: string;
  readonly title: string;
  readonly icon: string;
  readonly description: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; "" for the project of the conversation. */
  readonly workspace: string;
  readonly startTimeoutMs: number;
  readonly mcpServers: readonly McpServer[];
  readonly defaults: { readonly mode: string; readonly model: string };
  readonly runtime: RuntimeDefinition;
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** As ACP has it: without `type`, a program the agent launches. */
export type McpServer = { readonly name: string; readonly _meta?: unknown } & (
  | { readonly command: string; readonly args: readonly string[]; readonly env: readonly NamedValue[] }
  | { readonly type: 'http' | 'sse'; readonly url: string; readonly headers: readonly NamedValue[] }
);

export interface RuntimeDefinition {
  readonly type: 'local' | 'container' | 'sbx';
  readonly name: string;
  readonly cli: 'docker' | 'podman' | 'nerdctl';
  readonly workspacePath: string;
  readonly launch: 'inside' | 'host';
  readonly lifecycle: { readonly create: string; readonly stop: string; readonly remove: string };
}

export interface ChannelDeclaration {
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
}

export interface Config {
  readonly language: 'en' | 'fr';
  readonly theme: Readonly<Record<string, string>>;
  readonly limits: { readonly maxRunningAgents: number; readonly stopIdleAgentsAfterMs: number };
  readonly agents: readonly AgentDefinition[];
  readonly channels: readonly ChannelDeclaration[];
  readonly edits: { readonly save: 'never' | 'turn' | 'always'; readonly unopened: 'disk' | 'buffer' };
}
