import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { Project } from '../stack/project.ts';

const BASE = 'tsconfig.base.json';
/** A project that only lists its files. */
const plainConfig = z.strictObject({ extends: z.string(), include: z.array(z.string()) });

/**
 * What the compiler is to be called with so that every project among `files`, paths from the root, is checked. Projects with the
 * same settings are checked as one, because otherwise what one imports of another is read and checked with each of them.
 */
export function gatherConfigs(project: Project, files: readonly string[]): string[] {
  const alone: string[] = [];
  const together: string[] = [];
  for (const config of files.filter((path) => path.endsWith('tsconfig.json'))) {
    const folder = join(project.root, dirname(config));
    const plain = plainConfig.safeParse(JSON.parse(readFileSync(join(project.root, config), 'utf8')));
    if (plain.success && resolve(folder, plain.data.extends) === join(project.root, BASE)) {
      together.push(...plain.data.include.map((pattern) => join(folder, pattern)));
    } else alone.push(config);
  }
  if (together.length === 0) return alone;
  const gathered = join(project.local, 'types', 'tsconfig.json');
  mkdirSync(dirname(gathered), { recursive: true });
  const typeRoots = [join(project.root, 'node_modules', '@types')];
  const settings = { extends: join(project.root, BASE), compilerOptions: { typeRoots }, include: together };
  writeFileSync(gathered, JSON.stringify(settings));
  return [gathered, ...alone];
}
