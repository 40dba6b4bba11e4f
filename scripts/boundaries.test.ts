import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ARROWS, packageName } from './testing/arrows.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TURBO = join(dirname(createRequire(import.meta.url).resolve('turbo/package.json')), 'bin', 'turbo');
const FOLDERS = Object.keys(ARROWS);

let house: string;

interface Workspace {
  readonly declares: readonly string[];
  readonly imports: readonly string[];
}

/** Builds the house anew with the real rules and made-up imports, and says what the check objects to. */
function check(workspaces: Readonly<Record<string, Workspace>>): string {
  const packages: Record<string, object> = { '': { name: 'house', workspaces: ['apps/*', 'packages/*'] } };
  for (const [folder, { declares, imports }] of Object.entries(workspaces)) {
    const name = packageName(folder);
    const manifest = { name, version: '0.1.0', dependencies: Object.fromEntries(declares.map((each) => [each, '*'])) };
    mkdirSync(join(house, folder), { recursive: true });
    writeFileSync(join(house, folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(house, folder, 'index.ts'), imports.map((each) => `import '${each}';\n`).join(''));
    cpSync(join(ROOT, folder, 'turbo.json'), join(house, folder, 'turbo.json'));
    packages[folder] = manifest;
    packages[`node_modules/${name}`] = { resolved: folder, link: true };
  }
  writeFileSync(join(house, 'package-lock.json'), JSON.stringify({ name: 'house', lockfileVersion: 3, packages }));
  const { stdout, stderr } = spawnSync(process.execPath, [TURBO, 'boundaries', '--no-color'], { cwd: house, encoding: 'utf8' });
  return `${stdout}${stderr}`.replaceAll(/\s*\n[ |]*/g, ' ');
}

/** The house as it should be, with one more dependency and import. */
function withArrow(from: string, to: string, declared: boolean): string {
  const workspaces = FOLDERS.map((folder): [string, Workspace] => {
    const allowed = (ARROWS[folder] ?? []).map((name) => `@switchyard/${name}`);
    if (folder !== from) return [folder, { declares: allowed, imports: allowed }];
    return [folder, { declares: declared ? [...allowed, packageName(to)] : allowed, imports: [...allowed, packageName(to)] }];
  });
  return check(Object.fromEntries(workspaces));
}

beforeEach(() => {
  house = mkdtempSync(join(tmpdir(), 'switchyard-house-'));
  cpSync(join(ROOT, 'turbo.json'), join(house, 'turbo.json'));
  const manifest = { name: 'house', private: true, packageManager: 'npm@11.0.0', workspaces: ['apps/*', 'packages/*'] };
  writeFileSync(join(house, 'package.json'), JSON.stringify(manifest));
});

afterEach(() => rmSync(house, { recursive: true, force: true }));

it('lets every arrow of the architecture be', () => {
  expect(withArrow('packages/api', 'packages/payments', true)).toContain('no issues found');
});

it('refuses an import that no package.json declares', () => {
  expect(withArrow('apps/web', 'packages/db', false)).toContain('cannot import package `@switchyard/db`');
});

it.each([
  ['packages/routing', 'packages/db'],
  ['packages/gateways', 'packages/routing'],
  ['packages/db', 'packages/payments'],
  ['packages/merchants', 'packages/payments'],
  ['packages/payments', 'packages/merchants'],
  ['packages/payments', 'packages/api'],
  ['packages/api', 'apps/web'],
  ['apps/worker', 'packages/api'],
  ['apps/reporting', 'apps/web'],
  ['apps/sandbox', 'packages/gateways'],
])('refuses the arrow from %s to %s even when it is declared', (from, to) => {
  const name = to.split('/')[1];
  expect(withArrow(from, to, true)).toContain(`tag listed in denylist for \`${packageName(from)}\`: \`${name}\``);
});
