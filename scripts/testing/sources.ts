import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One text file of the project. */
export interface Source {
  /** From the project's root. */
  readonly path: string;
  readonly text: string;
}

const MADE = '**/{.git,node_modules,.next,.local,.turbo,generated,test-results,playwright-report}/**';

/** Every file of the project that is neither product nor package: what git knows or would take, where there is a git. */
export function projectFiles(root: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listing = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const paths = listing.status === 0 ? listing.stdout.split('\0') : globSync('**', { cwd: root, exclude: [MADE] });
  return [...new Set(paths)].filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile()).sort();
}

export function readSources(root: string, paths: readonly string[]): Source[] {
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Lines of a source that match, as `path:line: text`. Comment lines are left out on request. */
export function linesMatching(sources: readonly Source[], pattern: RegExp, options: { code: boolean }): string[] {
  const comment = /^\s*(\/\/|\/?\*)/;
  return sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, index) => ({ line, at: `${path}:${index + 1}: ${line.trim().slice(0, 120)}` }))
      .filter(({ line }) => pattern.test(line) && !(options.code && comment.test(line)))
      .map(({ at }) => at),
  );
}

/** Imports of a source: packages as `zod` or `@trpc/server`, built-ins as `node:fs`, its own files left out. */
export function packagesImported({ text }: Source): string[] {
  const statements = text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)['"]([^'"]+)['"]/g);
  const names = [...statements].map((match) => match[1] ?? '').filter((name) => !name.startsWith('.'));
  return names.map((name) => (name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? name)));
}
