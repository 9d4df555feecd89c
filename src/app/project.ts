// Finds the project of a working directory (SPEC section 3): the nearest folder upward that holds .git or .sidekicks.yaml.
import type { Disk } from '../core/ports.ts';

export async function findProject(cwd: string, disk: Disk): Promise<string> {
  for (let folder = cwd; ; folder = parentOf(folder)) {
    const marks = await Promise.all(
      ['.git', '.sidekicks.yaml'].map((name) => disk.exists(`${folder === '/' ? '' : folder}/${name}`)),
    );
    if (marks.some(Boolean)) return folder;
    if (folder === '/' || folder === '') return cwd;
  }
}

const parentOf = (folder: string): string => folder.slice(0, folder.lastIndexOf('/')) || '/';
