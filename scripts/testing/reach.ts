import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

/** Modules of ours that a module loads, itself included, generated code left out. */
export interface Reach {
  readonly files: readonly string[];
  readonly lines: number;
}

/**
 * The modules of this project that loading one needs: those it imports for values, directly or through others. Imports of types load
 * nothing.
 */
export function reachOf(entry: string): Reach {
  const seen = new Set([resolve(entry)]);
  let lines = 0;
  for (const file of seen) {
    const text = readFileSync(file, 'utf8');
    lines += text.split('\n').length - 1;
    for (const imported of importsOf(file, text)) seen.add(imported);
  }
  return { files: [...seen], lines };
}

/** Imports and exports of values from a module, and imports within code, as the formatter writes them. */
const IMPORTS =
  /^(?:import|export)\s(?!type\s)(?:[^'";]*\sfrom\s+)?'([^']+)'|(?<!typeof )\bimport\(\s*(?:\/\*.*?\*\/\s*)?'([^']+)'\)(?!\.[A-Z])/gm;

/** The modules of this project that a module imports for values, as their paths. Its text is not compiled, which takes 40 times as long. */
export function importsOf(file: string, text: string): string[] {
  const { resolve: find } = createRequire(file);
  return [...text.matchAll(IMPORTS)]
    .map(([, name, within = '']) => name ?? within)
    .filter((name) => /^([.#]|@switchyard\/)/.test(name))
    .map((name) => (name.startsWith('.') ? resolve(dirname(file), name) : find(name)))
    .filter((path) => path.endsWith('.ts') && !path.includes('/generated/'));
}
