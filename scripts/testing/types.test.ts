import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { thisProject } from '../stack/project.ts';
import { projectFiles } from './sources.ts';

const PROJECTS = ['.', 'apps/web'];
const BUILT = /\.next\/|next-env\.d\.ts|generated/;

const configSchema = z.object({ files: z.array(z.string()) });

/** The files that a project names to the compiler, from the root. The compiler checks them, whether or not others import them. */
function filesOf(root: string, project: string): readonly string[] {
  const folder = join(root, project);
  const shown = execFileSync('tsc', ['-p', join(folder, 'tsconfig.json'), '--showConfig'], { encoding: 'utf8' });
  return configSchema.parse(JSON.parse(shown)).files.map((file) => join(folder, file));
}

test('every file is checked by the compiler', () => {
  const { root } = thisProject();
  const known = new Set(PROJECTS.flatMap((project) => filesOf(root, project)));
  const missed = projectFiles(root).filter((file) => /\.tsx?$/.test(file) && !BUILT.test(file) && !known.has(join(root, file)));
  expect(missed).toEqual([]);
});
