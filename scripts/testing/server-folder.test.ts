import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './server-folder.ts';

test('the folder of a process that is gone goes when another is made, and that of one that runs stays', () => {
  const first = temporaryFolder('leftover');
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  const left = join(dirname(first), `switchyard-leftover-${gone}-abc123`);
  mkdirSync(left);
  const second = temporaryFolder('leftover');
  expect([left, first, second].map((folder) => existsSync(folder))).toEqual([false, true, true]);
  for (const folder of [first, second]) rmSync(folder, { recursive: true });
});
