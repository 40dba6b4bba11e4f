import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ALLOWED_DEPENDENCIES, packageName } from './testing/dependencies.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TURBO = join(dirname(createRequire(import.meta.url).resolve('turbo/package.json')), 'bin', 'turbo');
const FOLDERS = Object.keys(ALLOWED_DEPENDENCIES);

let workspace: string;

interface Workspace {
  readonly declares: readonly string[];
  readonly imports: readonly string[];
}

/** Builds a workspace with the real rules and made-up imports; returns the check's report. */
function check(workspaces: Readonly<Record<string, Workspace>>): string {
  const packages: Record<string, object> = { '': { name: 'workspace', workspaces: ['apps/*', 'packages/*'] } };
  for (const [folder, { declares, imports }] of Object.entries(workspaces)) {
    const name = packageName(folder);
    const manifest = { name, version: '0.1.0', dependencies: Object.fromEntries(declares.map((each) => [each, '*'])) };
    mkdirSync(join(workspace, folder), { recursive: true });
    writeFileSync(join(workspace, folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(workspace, folder, 'index.ts'), imports.map((each) => `import '${each}';\n`).join(''));
    cpSync(join(ROOT, folder, 'turbo.json'), join(workspace, folder, 'turbo.json'));
    packages[folder] = manifest;
    packages[`node_modules/${name}`] = { resolved: folder, link: true };
  }
  writeFileSync(join(workspace, 'package-lock.json'), JSON.stringify({ name: 'workspace', lockfileVersion: 3, packages }));
  const { stdout, stderr } = spawnSync(process.execPath, [TURBO, 'boundaries', '--no-color'], {
    cwd: workspace,
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`.replaceAll(/\s*\n[ |]*/g, ' ');
}

/** The workspace as it should be, with one more dependency and import. */
function withDependency(from: string, to: string, declared: boolean): string {
  const workspaces = FOLDERS.map((folder): [string, Workspace] => {
    const allowed = (ALLOWED_DEPENDENCIES[folder] ?? []).map((name) => `@switchyard/${name}`);
    if (folder !== from) return [folder, { declares: allowed, imports: allowed }];
    return [folder, { declares: declared ? [...allowed, packageName(to)] : allowed, imports: [...allowed, packageName(to)] }];
  });
  return check(Object.fromEntries(workspaces));
}

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'switchyard-workspace-'));
  cpSync(join(ROOT, 'turbo.json'), join(workspace, 'turbo.json'));
  const manifest = { name: 'workspace', private: true, packageManager: 'npm@11.0.0', workspaces: ['apps/*', 'packages/*'] };
  writeFileSync(join(workspace, 'package.json'), JSON.stringify(manifest));
});

afterEach(() => rmSync(workspace, { recursive: true, force: true }));

it('accepts every dependency of the architecture', () => {
  expect(withDependency('packages/api', 'packages/payments', true)).toContain('no issues found');
});

it('refuses an import that no package.json declares', () => {
  expect(withDependency('apps/web', 'packages/db', false)).toContain('cannot import package `@switchyard/db`');
});

it.each([
  ['packages/routing', 'packages/db'],
  ['packages/gateways', 'packages/routing'],
  ['packages/db', 'packages/payments'],
  ['packages/merchants', 'packages/payments'],
  ['packages/merchants', 'packages/staff'],
  ['packages/provider-health', 'packages/payments'],
  ['packages/rule-sets', 'packages/payments'],
  ['packages/webhooks', 'packages/payments'],
  ['packages/payments', 'packages/reconciliation'],
  ['packages/payments', 'packages/api'],
  ['packages/reporting', 'packages/payments'],
  ['packages/api', 'apps/web'],
  ['apps/worker', 'packages/api'],
  ['apps/reporting', 'apps/web'],
  ['apps/sandbox', 'packages/gateways'],
])('refuses that %s depends on %s even when it is declared', (from, to) => {
  const name = packageName(to).replace('@switchyard/', '');
  expect(withDependency(from, to, true)).toContain(`tag listed in denylist for \`${packageName(from)}\`: \`${name}\``);
});
