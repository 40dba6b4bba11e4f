import { dirname } from 'node:path';

/**
 * The folders whose suites a change is tried by before it is committed: for each changed file the nearest folder at or above its own
 * that has suites. A folder within another is left out, and so are settings of the whole project. `suites` are all there are, from the
 * project's root.
 */
export function suiteFolders(files: readonly string[], suites: readonly string[]): string[] {
  const nearest = (path: string): string[] => {
    const folder = dirname(path);
    if (folder === '.') return [];
    return suites.some((suite) => suite.startsWith(`${folder}/`)) ? [`${folder}/`] : nearest(folder);
  };
  const folders = [...new Set(files.flatMap(nearest))];
  return folders.filter((folder) => !folders.some((other) => other !== folder && folder.startsWith(other))).sort();
}
