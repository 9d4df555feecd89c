// The programs for a container, run by this computer's own shell and tools: what busybox does, GNU and others must do too.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { insideWorkspace } from '../../../../src/adapters/inside/workspace.ts';
import { clock } from '../../../../src/adapters/system/clock.ts';
import { inContainer } from '../../agent-definition.ts';
import { workspaceContract } from './contract.ts';

const root = mkdtempSync(join(realpathSync(tmpdir()), 'words-'));
const path = process.env['PATH'];

/** Runs here what it is to run there. */
const standIn = '#!/bin/sh\nuntil [ "$1" = web-1 ]; do shift; done\nshift\nexec "$@"\n';

describe.skipIf(process.platform !== 'linux')('the programs of a workspace in a container, here', () => {
  beforeAll(() => {
    const docker = join(root, 'bin', 'docker');
    mkdirSync(join(root, 'bin'));
    writeFileSync(docker, standIn);
    chmodSync(docker, 0o755);
    process.env['PATH'] = [join(root, 'bin'), path].join(delimiter);
  });
  afterAll(() => {
    process.env['PATH'] = path;
    rmSync(root, { recursive: true });
  });

  workspaceContract(
    () => root,
    (folder) => insideWorkspace(inContainer(), folder, { clock }),
  );
});
