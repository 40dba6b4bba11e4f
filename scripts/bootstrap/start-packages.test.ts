import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { reachOf } from '../testing/reach.ts';
import { packagesImported } from '../testing/sources.ts';
import { entriesOfStart, type LockEntries, manifestOfStart } from './start-packages.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const ENTRIES: LockEntries = z
  .object({ packages: z.record(z.string(), z.looseObject({})) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))).packages;
const NEEDED = entriesOfStart(ENTRIES);

/** Programs that a start runs. */
const PROGRAMS = [
  'scripts/stack/{main,guard}.ts',
  'scripts/{build-install,compile,admin/main}.ts',
  'e2e/client/generate-types.ts',
  'prisma/seed.ts',
  'apps/*/src/main.ts',
  'apps/web/server.ts',
  'apps/web/src/server/native/*.ts',
];

/** Names of the packages that a file loads, by the folder of the file; what is imported for its types is not loaded. */
function loadedBy(file: string): (readonly [folder: string, name: string])[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^import type [^;]*;/gm, '');
  return packagesImported({ path: file, text })
    .filter((name) => /^@?\w[\w./-]*$/.test(name) && !name.startsWith('@switchyard/') && !builtinModules.includes(name))
    .map((name) => [dirname(file), name] as const);
}

/** True if Node finds the package from the folder. */
function isThere(folder: string, name: string): boolean {
  const path = join(folder, 'node_modules', name);
  return path in NEEDED || (folder !== '.' && isThere(dirname(folder), name));
}

describe('the packages of a start', () => {
  test('have all that its programs and pages load', () => {
    const programs = globSync(PROGRAMS, { cwd: ROOT }).flatMap((entry) => reachOf(join(ROOT, entry)).files);
    const pages = globSync('apps/web/{src/**/*.{ts,tsx,mdx,css},*.mjs}', { cwd: ROOT }).filter(
      (path) => !/\.test\.tsx?$|\/testing\//.test(path),
    );
    const files = [...new Set([...programs.map((path) => relative(ROOT, path)), ...pages])];
    expect(files.length).toBeGreaterThan(1_000);
    const missing = files.flatMap((file) =>
      loadedBy(file)
        .filter(([folder, name]) => !isThere(folder, name))
        .map(([, name]) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('name nothing that they leave out, and leave out what only tests need', () => {
    for (const name of ['vitest', '@playwright/test', 'happy-dom', '@biomejs/biome', 'knip', '@tabler/icons']) {
      expect(ENTRIES).toHaveProperty([`node_modules/${name}`]);
      expect(NEEDED).not.toHaveProperty([`node_modules/${name}`]);
    }
    expect(NEEDED['node_modules/@tabler/icons-react']?.dependencies).toEqual({});
  });

  test('are those that their workspaces name, without development tools that a start does not build with', () => {
    const packages: LockEntries = {
      '': { dependencies: { pg: '1' }, devDependencies: { prisma: '1', vitest: '1' } },
      'apps/web': { dependencies: { next: '1', own: '*' } },
      'packages/own': { dependencies: { pg: '2' }, devDependencies: { zod: '1' } },
      bench: { dependencies: { rules: '1' } },
      'node_modules/own': { link: true, resolved: 'packages/own' },
      'node_modules/pg': {
        version: '1',
        peerDependencies: { native: '1', zod: '1' },
        peerDependenciesMeta: { native: { optional: true } },
      },
      'packages/own/node_modules/pg': { version: '2', optionalDependencies: { fast: '1' } },
      ...Object.fromEntries(
        ['next', 'prisma', 'vitest', 'zod', 'native', 'fast', 'rules'].map((name) => [`node_modules/${name}`, { version: '1' }]),
      ),
    };
    const needed = entriesOfStart(packages);
    expect(Object.keys(packages).filter((path) => !(path in needed))).toEqual([
      'node_modules/vitest',
      'node_modules/native',
      'node_modules/rules',
    ]);
    expect(needed['']?.dependencies).toEqual({ pg: '1', prisma: '1' });
    expect(
      manifestOfStart('', { scripts: { start: 'node' }, dependencies: { pg: '1' }, devDependencies: { vitest: '1' } }),
    ).toEqual({
      dependencies: { pg: '1' },
    });
  });
});
