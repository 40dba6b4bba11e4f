import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { Problem } from '../bootstrap/problem.mjs';
import type { Project } from '../stack/project.ts';

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  exports: z.record(z.string(), z.string()).default({}),
  /** Entry points of our private packages, which a package that is published has inside, by the names that it imports them under. */
  imports: z.record(z.string(), z.string()).default({}),
  bin: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
});

/** The manifest of a package of this repository. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Reads the manifest in a folder. */
export function readManifest(folder: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}

/**
 * Builds a package into `built` as it is published: JavaScript and declarations by the compiler, those of private packages that it imports
 * among them, the manifest for npm, the read-me and the licence. The generated types have to be current. Throws {@link Problem} with what
 * the compiler said.
 */
export function buildPublishable({ root }: Project, folder: string, built: string): void {
  rmSync(built, { recursive: true, force: true });
  const manifest = readManifest(folder);
  const inside = insideOf(root, manifest);
  // Two packages side by side keep their folders.
  const layout = inside.length === 0 ? [] : ['--rootDir', join(root, 'packages')];
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const settings = ['--noEmit', 'false', '--declaration', '--removeComments', 'false', '--outDir', built, ...layout];
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.published.json'), ...settings], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Problem(`${folder} could not be compiled:\n${stdout}`);
  writeFileSync(join(built, 'package.json'), `${JSON.stringify(publishedManifest(root, folder, manifest, inside), null, 2)}\n`);
  copyFileSync(join(root, 'LICENSE'), join(built, 'LICENSE'));
  if (existsSync(join(folder, 'README.md'))) copyFileSync(join(folder, 'README.md'), join(built, 'README.md'));
}

/** An entry point of a private package inside one that is published. */
interface Inside {
  /** `#gateways/certification`, as it is imported. */
  readonly alias: string;
  /** `gateways` */
  readonly name: string;
  /** `./src/certification/certify.ts` */
  readonly source: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

function insideOf(root: string, { imports }: Manifest): readonly Inside[] {
  return Object.entries(imports).map(([alias, target]) => {
    const [, name = '', entry = ''] = /^@switchyard\/([^/]+)(.*)$/.exec(target) ?? [];
    const { exports, dependencies } = readManifest(join(root, 'packages', name));
    const source = exports[`.${entry}`];
    if (source === undefined) throw new Problem(`${target} is nothing that a package of ours exports`);
    return { alias, name, source, dependencies };
  });
}

/**
 * The manifest as it is published: what is `x.ts` here is `x.js` there, our own packages have their versions, and what is inside has its
 * dependencies there.
 */
function publishedManifest(
  root: string,
  folder: string,
  { private: _private, devDependencies: _tools, exports, imports: _sources, bin, dependencies, ...manifest }: Manifest,
  inside: readonly Inside[],
) {
  const own = inside.length === 0 ? null : basename(folder);
  const moved = Object.entries(exports).map(([name, source]) => [name, builtEntry(own, source)]);
  const imports = inside.map(({ alias, name, source }) => [alias, builtEntry(name, source)]);
  const versions = [dependencies, ...inside.map((each) => each.dependencies)]
    .flatMap((each) => Object.entries(each))
    .map(([name, version]) => [
      name,
      name.startsWith('@switchyard/') ? readManifest(join(root, 'packages', name.slice('@switchyard/'.length))).version : version,
    ]);
  const commands = Object.entries(bin).map(([name, source]) => [name, `${builtPath(own, source)}.js`]);
  return {
    ...manifest,
    files: ['**/*.js', '**/*.d.ts', '!**/*.test.*'],
    ...(moved.length > 0 && { exports: Object.fromEntries(moved) }),
    ...(imports.length > 0 && { imports: Object.fromEntries(imports) }),
    ...(commands.length > 0 && { bin: Object.fromEntries(commands) }),
    dependencies: Object.fromEntries(versions),
    publishConfig: { access: 'public' },
  };
}

function builtEntry(beside: string | null, source: string) {
  const path = builtPath(beside, source);
  return { types: `${path}.d.ts`, default: `${path}.js` };
}

/** `./src/x.ts` of a package that is built alone is `./x`; of one that is built beside another, `./cli/src/x`. */
function builtPath(beside: string | null, source: string): string {
  return source.replace(beside === null ? /^\.\/src\// : /^\.\//, beside === null ? './' : `./${beside}/`).replace(/\.ts$/, '');
}
