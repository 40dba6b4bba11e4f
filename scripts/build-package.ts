/**
 * Builds a package that is published, `npm run build:package -- packages/client [folder]`, into its `dist` folder or the one named: JavaScript
 * and declarations by the compiler, the manifest for npm, the read-me and the licence. `npm publish packages/client/dist` publishes it.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { generateTypes } from './stack/builds.ts';
import { runCommand } from './stack/command.ts';
import { thisProject } from './stack/project.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  exports: z.record(z.string(), z.string()).default({}),
  bin: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
});
type Manifest = z.infer<typeof manifestSchema>;

/** The manifest as it is published: what is `src/x.ts` here is `x.js` there, and our own packages have their versions. */
function publishedManifest({ private: _private, devDependencies: _tools, exports, bin, dependencies, ...manifest }: Manifest) {
  const moved = Object.entries(exports).map(([name, source]) => {
    const path = builtPath(source);
    return [name, { types: `${path}.d.ts`, default: `${path}.js` }];
  });
  const versions = Object.entries(dependencies).map(([name, version]) => [
    name,
    name.startsWith('@switchyard/') ? readManifest(join(ROOT, 'packages', name.slice('@switchyard/'.length))).version : version,
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

function readManifest(folder: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}

const [source, target] = process.argv.slice(2);
if (source === undefined) throw new Error('usage: build-package <folder> [target]');
const folder = resolve(source);
const built = resolve(target ?? join(folder, 'dist'));

await runCommand(async () => {
  await generateTypes(thisProject());
  rmSync(built, { recursive: true, force: true });
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const settings = ['--noEmit', 'false', '--declaration', '--removeComments', 'false', '--outDir', built];
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.json'), ...settings], {
    stdio: 'inherit',
  });
  if (status !== 0) return 1;
  writeFileSync(join(built, 'package.json'), `${JSON.stringify(publishedManifest(readManifest(folder)), null, 2)}\n`);
  copyFileSync(join(ROOT, 'LICENSE'), join(built, 'LICENSE'));
  if (existsSync(join(folder, 'README.md'))) copyFileSync(join(folder, 'README.md'), join(built, 'README.md'));
  return 0;
});
