// The composition root: builds the adapters, hands them to app, and ends with Neovim. It alone knows them all.
import * as os from 'node:os';
import * as path from 'node:path';
import { format } from 'node:util';
import { filePreferences } from './adapters/files/preferences.ts';
import { findProgram } from './adapters/files/programs.ts';
import { watchFiles } from './adapters/files/watch-file.ts';
import { watchFolders } from './adapters/files/watch-folder.ts';
import { disk } from './adapters/files/disk.ts';
import { workspaceFiles } from './adapters/files/workspace-files.ts';
import { neovimEditor } from './adapters/nvim/editor.ts';
import { neovimTerminals } from './adapters/nvim/terminals.ts';
import { connectNeovim } from './adapters/nvim/rpc.ts';
import { clock, nextId } from './adapters/system/clock.ts';
import { fileLog } from './adapters/system/log.ts';
import { measureMemory } from './adapters/system/memory.ts';
import { createHost, type Host } from './app/host.ts';
import { schemaFile, userConfigFolder, type Whereabouts } from './core/config/locate.ts';
import type { ConfigFiles, Log } from './core/ports.ts';
import { parameterChecks } from './generated/validators.js';
import { version } from '../package.json';

const where: Whereabouts = {
  env: process.env,
  home: os.homedir(),
  platform: process.platform,
  folder: process.cwd(),
  option: process.env['SIDEKICKS_OPTION_CONFIG'] ?? '',
};
const userFolder = userConfigFolder(where);
const dataFolder = path.join(userFolder, 'sidekicks', 'data');
const stateFolder = path.join(process.env['XDG_STATE_HOME'] ?? path.join(os.homedir(), '.local', 'state'), 'sidekicks');

/** Standard output is the wire: nothing else may write there (CASES B28). */
function takeOverConsole(log: Log): void {
  const write = (...words: unknown[]): void => {
    log.write(format(...words));
  };
  Object.assign(console, { log: write, info: write, warn: write, error: write, debug: write, trace: write });
}

/** A bug is told once and must not end the host: agents at work would be lost with it. */
function surviveBugs(log: Log, host: Host): void {
  const survive = (cause: unknown): void => {
    log.write('a bug', cause);
    host.bug(cause);
  };
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
}

async function openFiles(log: Log): Promise<ConfigFiles> {
  const { configFiles } = await import('./adapters/files/config-file.ts');
  // Named by the environment, so that a configuration stays right when the plugin moves.
  const demoAgent = { command: '${SIDEKICKS_NODE}', args: ['${SIDEKICKS_DEMO_AGENT}'] };
  process.env['SIDEKICKS_NODE'] = process.execPath;
  process.env['SIDEKICKS_DEMO_AGENT'] = path.join(path.dirname(process.argv[1] ?? ''), 'dist', 'demo-agent.cjs');
  return configFiles({ log, demoAgent, schemaUrl: `./${schemaFile}` });
}

function main(): void {
  const logFile = path.join(stateFolder, 'host.log');
  const log = fileLog(logFile);
  takeOverConsole(log);
  const nvim = connectNeovim(process.stdin, process.stdout, (name, args) => answer(host, name, args), log);
  const host = createHost({
    clock,
    nextId,
    log,
    disk,
    findProgram: (command) => findProgram(command, process.cwd()),
    editor: neovimEditor(nvim),
    terminals: neovimTerminals(nvim),
    files: workspaceFiles(log, () => clock.now()),
    checks: parameterChecks,
    facts: { node: process.version, version, log: logFile },
    preferences: filePreferences(path.join(userFolder, 'sidekicks', 'preferences.json'), log),
    watchFile: watchFiles(log),
    watchFolder: watchFolders(log),
    measureMemory: () => measureMemory(log),
    where,
    openFiles: () => openFiles(log),
    openHistory: async (configPath, word) => {
      const { openHistory } = await import('./adapters/sqlite/history.ts');
      return openHistory({ dataFolder, configPath, word });
    },
    resetHistories: async (configPath, stamp) => {
      const { resetHistories } = await import('./adapters/sqlite/reset.ts');
      return resetHistories(dataFolder, configPath, stamp);
    },
    openLauncher: async () => {
      const { createAgentLauncher } = await import('./adapters/acp/launcher.ts');
      const { localProcesses } = await import('./adapters/runtimes/local.ts');
      const { insideProcesses } = await import('./adapters/runtimes/inside.ts');
      const { byRuntime } = await import('./adapters/runtimes/by-runtime.ts');
      const processes = localProcesses({ clock, log });
      const everywhere = byRuntime(processes, insideProcesses({ processes, log }));
      return createAgentLauncher({ processes: everywhere, clock, log, version });
    },
    openCommands: async () => {
      const { localProcesses } = await import('./adapters/runtimes/local.ts');
      const { commandRunner } = await import('./adapters/runtimes/commands.ts');
      return commandRunner(localProcesses({ clock, log }), clock);
    },
    openWorkspace: async (runtime, folder) => {
      if (runtime.type !== 'local') {
        const { insideWorkspace } = await import('./adapters/inside/workspace.ts');
        return insideWorkspace(runtime, folder, { clock });
      }
      const { localWorkspace } = await import('./adapters/files/local-workspace.ts');
      return localWorkspace(folder, { clock, log, trash: where });
    },
    openShells: async () => {
      const { localProcesses } = await import('./adapters/runtimes/local.ts');
      const { EditorShells } = await import('./adapters/runtimes/shells.ts');
      return new EditorShells({ clock, log, processes: localProcesses({ clock, log }) });
    },
  });
  surviveBugs(log, host);
  let left = false;
  const leaveOnce = (): void => {
    if (!left) void leave(host, log);
    left = true;
  };
  nvim.on('disconnect', leaveOnce);
  process.stdout.on('error', leaveOnce);
  process.on('SIGTERM', leaveOnce);
  // The terminal is the editor's: when it goes, the end of the input says so.
  process.on('SIGHUP', () => undefined);
}

/** The two functions of the wire: one answers in place, the other by an event with the caller's id. */
async function answer(host: Host, name: string, args: readonly unknown[]): Promise<object> {
  if (name === 'SidekicksRequest') return host.request(String(args[0]), args[1]);
  const [id, method, params] = args;
  const reply = await host.request(String(method), params);
  host.tell({ name: 'host:reply', payload: { id: Number(id), ...reply } });
  return {};
}

/** Neovim is gone, whatever ended it: the agents are stopped, then this process ends. */
async function leave(host: Host, log: Log): Promise<void> {
  try {
    await host.dispose();
  } catch (cause) {
    log.write('leaving failed', cause);
  }
  process.exit(0);
}

main();
