import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENT = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'migrating.md'), 'utf8');

/** A file in a folder of its own. */
export interface WrittenFile {
  readonly folder: string;
  readonly file: string;
  remove(): void;
}

/** Writes the file that docs/migrating.md shows, which changes the address of packages for Paystack. */
export function writeDocumentedFile(): WrittenFile {
  // Inside the repository, so that packages are found.
  const local = join(import.meta.dirname, '..', '.local');
  mkdirSync(local, { recursive: true });
  const folder = mkdtempSync(join(local, 'migrating-'));
  const [, shown] = /```js\n(\/\/ switchyard-paystack\.cjs[\s\S]*?)```/.exec(DOCUMENT) ?? [];
  if (shown === undefined) throw new Error('docs/migrating.md shows no switchyard-paystack.cjs');
  const file = join(folder, 'switchyard-paystack.cjs');
  writeFileSync(file, shown);
  return { folder, file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
