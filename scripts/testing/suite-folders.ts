import { dirname } from 'node:path';

/**
 * The folders whose suites a change is tried by before it is committed: those of the changed files, and for what is beside a package's
 * sources the whole package. A folder within another is left out.
 */
export function suiteFolders(files: readonly string[]): string[] {
  const folders = new Set(files.map((file) => `${dirname(file).replace(/\/(testing|fixtures)(\/.*)?$/, '')}/`));
  folders.delete('./'); // settings of the project: they change no suite by themselves
  return [...folders].filter((folder) => ![...folders].some((other) => other !== folder && folder.startsWith(other))).sort();
}
