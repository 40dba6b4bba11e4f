import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** Set to 1, records are written anew instead of compared. */
const RECORD = process.env.RECORD_EXAMPLES === '1';

/** Expects a record in the repository to equal what was found now; writes it where `RECORD_EXAMPLES=1`. */
export function expectKept(kept: unknown, found: unknown, file: URL): void {
  if (RECORD) {
    writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
    spawnSync('npx', ['biome', 'format', '--write', fileURLToPath(file)]);
  } else expect(kept, 'RECORD_EXAMPLES=1 npm test -- night e2e/documentation writes it anew').toEqual(found);
}
