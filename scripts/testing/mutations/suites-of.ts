import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { functionOf, isOfDatabase, type SourceEdit } from '../../../e2e/simulate/kernel/code.ts';
import { importsOf } from '../reach.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Suites of the code, each in one process. */
const SUITES = ['packages/**/*.test.ts', 'apps/{sandbox,worker}/**/*.test.ts'];
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
 * The suites that load one of the files: those beside it, then those of its package, then the others, and of each those first that load
 * least, which say the most about it.
 */
function suitesOf(files: readonly string[], loaded: ReadonlyMap<string, Loaded>): readonly string[] {
  const folders = new Set(files.map(dirname));
  const packages = files.map((file) => `${file.split('/', 2).join('/')}/`);
  const distance = (suite: string): number => {
    if (folders.has(dirname(suite))) return 0;
    return packages.some((name) => suite.startsWith(name)) ? 1 : 2;
  };
  const fitting = [...loaded].filter(([, its]) => files.some((file) => its.has(file)));
  return fitting
    .toSorted(([one, its], [other, others]) => distance(one) - distance(other) || its.size - others.size)
    .slice(0, SUITES_MAX)
    .map(([suite]) => suite);
}

/** The files that call the function of the database that an edit is of. */
function callersOf({ file, search }: SourceEdit, files: readonly string[]): readonly string[] {
  const name = functionOf({ file, search });
  return files.filter((one) => readFileSync(one, 'utf8').includes(`${name}(`)).map((one) => relative(ROOT, one));
}
