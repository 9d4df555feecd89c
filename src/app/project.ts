// Finds the project of a working directory (SPEC section 3): the nearest folder upward that holds .git or .sidekicks.yaml.
import type { Disk } from '../core/ports.ts';

export const findProject = async (cwd: string, disk: Disk): Promise<string> =>
  (await findMarkedProject(cwd, disk)) ?? cwd;

/** Undefined where no folder upward is marked as a project. */
export async function findMarkedProject(cwd: string, disk: Disk): Promise<string | undefined> {
  for (let folder = cwd; ; folder = parentOf(folder)) {
    const marks = await Promise.all(
      ['.git', '.sidekicks.yaml'].map((name) => disk.exists(`${folder === '/' ? '' : folder}/${name}`)),
    );
    if (marks.some(Boolean)) return folder;
    if (folder === '/' || folder === '') return undefined;
  }
}

const parentOf = (folder: string): string => folder.slice(0, folder.lastIndexOf('/')) || '/';
