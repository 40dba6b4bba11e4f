import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PACKAGES = globSync('packages/*/src', { cwd: ROOT }).map((path) => dirname(path).replace('packages/', ''));

/** Layers of payments, each with those that it may use. A file beside the folders is a layer of its own. */
const LAYERS_OF_PAYMENTS: Readonly<Record<string, readonly string[]>> = {
  record: [],
  path: ['record'],
  refunds: ['record'],
  reversals: ['record'],
  retention: ['record'],
  incoming: ['record', 'refunds', 'reversals'],
  lists: ['incoming', 'record', 'refunds'],
  'index.ts': ['record'],
  'open-payments.ts': ['record'],
};

/** An import from one folder of a package's source to another, as their paths in it. */
interface FolderImport {
  readonly from: string;
  readonly to: string;
}

/** Imports and exports of values and of types, and imports within code and types, as the formatter writes them. */
const IMPORTS = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'([^']+)'/gm;

const folderOf = (path: string) => path.split('/')[0] ?? '';
const isLeftOut = (path: string) => /\.test\.tsx?$|(^|\/)(testing|generated)\//.test(path);

/** The imports between folders of a package. Suites, what they share, and generated code are left out. */
function importsBetweenFolders(name: string): FolderImport[] {
  const source = join(ROOT, 'packages', name, 'src');
  return globSync('**/*.{ts,tsx}', { cwd: source })
    .filter((from) => !isLeftOut(from))
    .toSorted()
    .flatMap((from) => {
      const file = join(source, from);
      return [...readFileSync(file, 'utf8').matchAll(IMPORTS)]
        .map(([, imported = '']) => imported)
        .filter((imported) => imported.startsWith('.') || `${imported}/`.startsWith(`@switchyard/${name}/`))
        .map((imported) => (imported.startsWith('.') ? resolve(dirname(file), imported) : createRequire(file).resolve(imported)))
        .map((path) => ({ from, to: relative(source, path) }));
    })
    .filter(({ from, to }) => !to.startsWith('..') && !isLeftOut(to) && folderOf(from) !== folderOf(to));
}

/** The shortest circle of folders, as an import from each to the next; null where there is none. */
function findCircle(imports: readonly FolderImport[]): readonly FolderImport[] | null {
  const byFolder = Map.groupBy(imports, ({ from }) => folderOf(from));
  const circles = [...byFolder.keys()].flatMap((folder) => {
    const paths: FolderImport[][] = (byFolder.get(folder) ?? []).map((first) => [first]);
    const seen = new Set<string>();
    for (const path of paths) {
      const next = folderOf(path.at(-1)?.to ?? '');
      if (next === folder) return [path];
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push(...(byFolder.get(next) ?? []).map((each) => [...path, each]));
    }
    return [];
  });
  return circles.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

/** A sentence about the circle; null where there is none. */
function describeCircle(imports: readonly FolderImport[]): string | null {
  const circle = findCircle(imports);
  if (circle === null) return null;
  const steps = circle.map(({ from, to }) => `${from} imports ${to}`).join(', and ');
  return `${steps}. Move what one of them needs to the folder below, or join the folders.`;
}

test('a circle is named by its imports, the shortest first', () => {
  const down = { from: 'endpoints/queries.ts', to: 'context.ts' };
  const up = { from: 'context.ts', to: 'deliveries/dispatcher.ts' };
  const across = { from: 'deliveries/deliver.ts', to: 'endpoints/queries.ts' };
  expect(describeCircle([down, across])).toBeNull();
  expect(describeCircle([down, up, across])).toMatch(
    /^endpoints\/queries\.ts imports context\.ts, and context\.ts imports deliveries\/dispatcher\.ts, and deliveries\/deliver\.ts imports endpoints\/queries\.ts\./,
  );
  const back = { from: 'endpoints/update-endpoint.ts', to: 'deliveries/queries.ts' };
  expect(describeCircle([down, up, across, back])).toMatch(
    /^endpoints\/update-endpoint\.ts imports deliveries\/queries\.ts, and deliveries\/deliver\.ts imports endpoints\/queries\.ts\./,
  );
});

test.each(PACKAGES)('no folders of packages/%s import each other, directly or through others', (name) => {
  expect(describeCircle(importsBetweenFolders(name))).toBeNull();
});

test('each layer of payments uses those that its line names, and no others', () => {
  const imports = importsBetweenFolders('payments');
  const others = imports
    .filter(({ from, to }) => !LAYERS_OF_PAYMENTS[folderOf(from)]?.includes(folderOf(to)))
    .map(({ from, to }) => `${from} imports ${to}: ${folderOf(from)} may not use ${folderOf(to)}`);
  expect(others).toEqual([]);
  const unused = Object.entries(LAYERS_OF_PAYMENTS).flatMap(([layer, below]) =>
    below
      .filter((each) => !imports.some(({ from, to }) => folderOf(from) === layer && folderOf(to) === each))
      .map((each) => `${layer} does not use ${each} any more: remove it from the line`),
  );
  expect(unused).toEqual([]);
});
