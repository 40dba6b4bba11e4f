import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Problem } from '../bootstrap/problem.mjs';
import type { Project } from '../stack/project.ts';

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  exports: z.record(z.string(), z.string()).default({}),
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
 * Builds a package into `built` as it is published: JavaScript and declarations by the compiler, the manifest for npm, the read-me and the
 * licence. The generated types have to be current. Throws {@link Problem} with what the compiler said.
 */
export function buildPublishable({ root }: Project, folder: string, built: string): void {
  rmSync(built, { recursive: true, force: true });
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const settings = ['--noEmit', 'false', '--declaration', '--removeComments', 'false', '--outDir', built];
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.json'), ...settings], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Problem(`${folder} could not be compiled:\n${stdout}`);
  writeFileSync(join(built, 'package.json'), `${JSON.stringify(publishedManifest(root, readManifest(folder)), null, 2)}\n`);
  copyFileSync(join(root, 'LICENSE'), join(built, 'LICENSE'));
  if (existsSync(join(folder, 'README.md'))) copyFileSync(join(folder, 'README.md'), join(built, 'README.md'));
}

/** The manifest as it is published: what is `src/x.ts` here is `x.js` there, and our own packages have their versions. */
function publishedManifest(
  root: string,
  { private: _private, devDependencies: _tools, exports, bin, dependencies, ...manifest }: Manifest,
) {
  const moved = Object.entries(exports).map(([name, source]) => {
    const path = builtPath(source);
    return [name, { types: `${path}.d.ts`, default: `${path}.js` }];
  });
  const versions = Object.entries(dependencies).map(([name, version]) => [
    name,
    name.startsWith('@switchyard/') ? readManifest(join(root, 'packages', name.slice('@switchyard/'.length))).version : version,
  ]);
  const commands = Object.entries(bin).map(([name, source]) => [name, `${builtPath(source)}.js`]);
  return {
    ...manifest,
    files: ['**/*.js', '**/*.d.ts'],
    ...(moved.length > 0 && { exports: Object.fromEntries(moved) }),
    ...(commands.length > 0 && { bin: Object.fromEntries(commands) }),
    dependencies: Object.fromEntries(versions),
    publishConfig: { access: 'public' },
  };
}

function builtPath(source: string): string {
  return source.replace(/^\.\/src\//, './').replace(/\.ts$/, '');
}
