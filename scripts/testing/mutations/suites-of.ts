import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { functionOf, isOfDatabase, type SourceEdit } from '../../../e2e/simulate/kernel/code.ts';
import { importsOf } from '../reach.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Suites of the code, each in one process. */
const SUITES = [
  'packages/**/*.test.ts',
  'apps/{sandbox,worker}/**/*.test.ts',
  'e2e/{client,compat,gateways,life,rest}/*.test.ts',
];
/** About as many as there is time for. */
const SUITES_MAX = 40;

/** Files that a suite loads, itself included, from the root. */
type Loaded = ReadonlySet<string>;

/** Opens the order in which suites are run to find a bug. */
export function openSuites(): (edit: SourceEdit) => readonly string[] {
  const imports = new Map<string, readonly string[]>();
  const importedBy = (file: string): readonly string[] => {
    const known = imports.get(file) ?? importsOf(file, readFileSync(file, 'utf8'));
    imports.set(file, known);
    return known;
  };
  const suites = globSync(SUITES, { cwd: ROOT, exclude: ['**/node_modules/**'] });
  const loaded = new Map(suites.map((suite) => [suite, loadedBy(join(ROOT, suite), importedBy)]));
  return (edit) => {
    const files = isOfDatabase(edit) ? callersOf(edit, [...imports.keys()]) : [edit.file];
    return suitesOf(files, loaded);
  };
}

function loadedBy(suite: string, importedBy: (file: string) => readonly string[]): Loaded {
  const seen = new Set([suite]);
  for (const file of seen) for (const imported of importedBy(file)) seen.add(imported);
  return new Set([...seen].map((file) => relative(ROOT, file)));
}

/**
 * The suites that load one of the files: those beside it, then those with most of its words in their names, wherever they are, then those of
 * its package, then the others, and of each those first that load least, which say the most about it.
 */
function suitesOf(files: readonly string[], loaded: ReadonlyMap<string, Loaded>): readonly string[] {
  const folders = new Set(files.map(dirname));
  const packages = files.map((file) => `${file.split('/', 2).join('/')}/`);
  const words = new Set(files.flatMap(wordsOf));
  const fitting = [...loaded].filter(([, its]) => files.some((file) => its.has(file)));
  const placed = fitting.map(([suite, its]) => {
    const shared = wordsOf(suite).filter((word) => words.has(word)).length;
    const isOfPackage = packages.some((name) => suite.startsWith(name));
    const distance = folders.has(dirname(suite)) ? 0 : shared > 0 ? 1 : isOfPackage ? 2 : 3;
    return { suite, distance, shared: distance === 1 ? shared : 0, size: its.size };
  });
  return placed
    .toSorted((one, other) => one.distance - other.distance || other.shared - one.shared || one.size - other.size)
    .slice(0, SUITES_MAX)
    .map(({ suite }) => suite);
}

/** The words of a file and its two folders, in the singular. */
function wordsOf(file: string): readonly string[] {
  const names = file.split('/').slice(-3).join('-').replace(/\..*$/, '');
  return [...new Set(names.split('-').map((word) => word.replace(/s$/, '')))].filter((word) => word !== 'src');
}

/** The files that call the function of the database that an edit is of. */
function callersOf({ file, search }: SourceEdit, files: readonly string[]): readonly string[] {
  const name = functionOf({ file, search });
  return files.filter((one) => readFileSync(one, 'utf8').includes(`${name}(`)).map((one) => relative(ROOT, one));
}
