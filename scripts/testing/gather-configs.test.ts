import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { thisProject } from '../stack/project.ts';
import { gatherConfigs } from './gather-configs.ts';
import { projectFiles } from './sources.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const NONE = /\.(next|local)\/|next-env\.d\.ts|generated/;

const project = thisProject(join(ROOT, '.local', `gather-configs-test-${process.pid}`));
afterAll(() => rmSync(project.local, { recursive: true, force: true }));

test('every file of every project is checked, by the settings of its own project', () => {
  const files = projectFiles(ROOT);
  const [gathered = '', ...alone] = gatherConfigs(project, files);
  const { include } = z.looseObject({ include: z.array(z.string()) }).parse(JSON.parse(readFileSync(gathered, 'utf8')));
  const isIn = (pattern: string, file: string) => file === pattern || file.startsWith(`${pattern}/`);
  const checkedAlone = alone.map((config) => join(ROOT, dirname(config)));
  const missed = files
    .filter((file) => /\.tsx?$/.test(file) && !NONE.test(file))
    .map((file) => join(ROOT, file))
    .filter((file) => ![...include, ...checkedAlone].some((pattern) => isIn(pattern, file)));
  expect(missed.map((file) => file.slice(ROOT.length + 1)).sort()).toEqual(['prisma.config.ts', 'vitest.config.ts']);
  // These two are named by the project of the scripts.
  expect(alone).toContain('scripts/tsconfig.json');
  expect(globSync('packages/*/src', { cwd: ROOT }).every((folder) => include.includes(join(ROOT, folder)))).toBe(true);
});
