import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Folders that hold what was made, not what it is made from. */
const MADE = new Set(['node_modules', 'generated', 'dist', 'coverage', '.next', '.turbo', '.local', 'test-results']);
const NOT_BUILT = /\.(test|spec)\.tsx?$|\.tsbuildinfo$|\.md$|^next-env\.d\.ts$/;

function filesBelow(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => (entry.isDirectory() ? !MADE.has(entry.name) : entry.isFile() && !NOT_BUILT.test(entry.name)))
    .flatMap((entry) => filesBelow(join(path, entry.name)));
}

/** A hash over the names and contents of these files and folders below `root`; tests and products are left out. */
export function fingerprint(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => filesBelow(join(root, path))).sort()) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
