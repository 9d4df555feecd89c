// The ports through which app reaches the world; each adapter fulfils some of them. Names them in one place.
export * from './ports/agents.ts';
export * from './ports/commands.ts';
export * from './ports/configuration.ts';
export * from './ports/editor.ts';
export * from './ports/files.ts';
export * from './ports/history.ts';
export * from './ports/processes.ts';
export * from './ports/system.ts';
export * from './ports/terminals.ts';
export * from './ports/workspaces.ts';
