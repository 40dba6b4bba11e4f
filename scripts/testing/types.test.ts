import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { thisProject } from '../stack/project.ts';
import { projectFiles } from './sources.ts';

const PROJECTS = ['.', 'apps/web'];
const BUILT = /\.next\/|next-env\.d\.ts|generated/;

test('every file is checked by the compiler', () => {
  const { root } = thisProject();
  const checked = PROJECTS.flatMap((folder) =>
    execFileSync('tsc', ['-p', join(root, folder, 'tsconfig.json'), '--listFilesOnly'], { encoding: 'utf8' }).split('\n'),
  );
  const known = new Set(checked);
  const missed = projectFiles(root).filter((file) => /\.tsx?$/.test(file) && !BUILT.test(file) && !known.has(join(root, file)));
  expect(missed).toEqual([]);
});
