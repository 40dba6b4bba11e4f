import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ALLOWED_DEPENDENCIES, forbiddenDependencies, packageName } from './testing/dependencies.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TURBO = join(dirname(createRequire(import.meta.url).resolve('turbo/package.json')), 'bin', 'turbo');
const FOLDERS = Object.keys(ALLOWED_DEPENDENCIES);

/** Dependencies that no package.json can allow, directly or through a third package. */
const FORBIDDEN = [
  ['packages/routing', 'packages/db'],
  ['packages/gateways', 'packages/routing'],
  ['packages/db', 'packages/payments'],
  ['packages/runtime', 'packages/merchants'],
  ['packages/merchants', 'packages/payments'],
  ['packages/merchants', 'packages/staff'],
  ['packages/provider-health', 'packages/payments'],
  ['packages/rule-sets', 'packages/payments'],
  ['packages/webhooks', 'packages/payments'],
  ['packages/payments', 'packages/reconciliation'],
  ['packages/payments', 'packages/alerts'],
  ['packages/payments', 'packages/api'],
  ['packages/payments', 'packages/privacy'],
  ['packages/privacy', 'packages/api'],
  ['packages/alerts', 'packages/api'],
  ['packages/reporting', 'packages/payments'],
  ['packages/payments', 'packages/telemetry'],
  ['packages/telemetry', 'packages/api'],
  ['packages/api', 'apps/web'],
  ['apps/worker', 'packages/api'],
  ['apps/reporting', 'apps/web'],
  ['apps/sandbox', 'packages/gateways'],
] as const;

let workspace: string;

function write(path: string, content: object | string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), typeof content === 'string' ? content : JSON.stringify(content));
}

/**
 * Builds the workspace as it should be, with the real rules, and adds imports from one folder to another that no package.json
 * declares. Returns the check's report.
 */
function check(added: readonly (readonly [from: string, to: string])[]): string {
  const root = { name: 'workspace', private: true, packageManager: 'npm@11.0.0', workspaces: ['apps/*', 'packages/*'] };
  const packages: Record<string, object> = { '': root };
  for (const folder of FOLDERS) {
    const name = packageName(folder);
    const allowed = (ALLOWED_DEPENDENCIES[folder] ?? []).map((each) => `@switchyard/${each}`);
    const imports = [...allowed, ...added.filter(([from]) => from === folder).map(([, to]) => packageName(to))];
    const manifest = { name, version: '0.1.0', dependencies: Object.fromEntries(allowed.map((each) => [each, '*'])) };
    write(`${folder}/package.json`, manifest);
    write(`${folder}/index.ts`, imports.map((each) => `import '${each}';\n`).join(''));
    packages[folder] = manifest;
    packages[`node_modules/${name}`] = { resolved: folder, link: true };
  }
  cpSync(join(ROOT, 'turbo.json'), join(workspace, 'turbo.json'));
  write('package.json', root);
  write('package-lock.json', { name: 'workspace', lockfileVersion: 3, packages });
  const { stdout, stderr } = spawnSync(process.execPath, [TURBO, 'boundaries', '--no-color'], {
    cwd: workspace,
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`.replaceAll(/\s*\n[ |]*/g, ' ');
}

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'switchyard-workspace-'));
});

afterEach(() => rmSync(workspace, { recursive: true, force: true }));

it('accepts every dependency of the architecture', () => {
  expect(check([])).toContain('no issues found');
});

it('refuses an import that no package.json declares', () => {
  expect(check([['apps/web', 'packages/db']])).toContain('cannot import package `@switchyard/db`');
});

it.each(FORBIDDEN)('refuses that %s depends on %s even when its package.json declares it', (from, to) => {
  expect(forbiddenDependencies(from, ['zod', packageName(to)])).toEqual([packageName(to)]);
});

/** The packages that a folder depends on, directly or through others. */
function reached(folder: string, seen = new Set<string>()): Set<string> {
  for (const each of ALLOWED_DEPENDENCIES[folder] ?? []) {
    const next = FOLDERS.find((one) => packageName(one) === `@switchyard/${each}`);
    if (next === undefined) throw new Error(`${folder} may depend on ${each}, which has no folder`);
    if (!seen.has(next)) reached(next, seen.add(next));
  }
  return seen;
}

it.each(FORBIDDEN)('%s does not depend on %s through other packages', (from, to) => {
  expect([...reached(from)]).not.toContain(to);
});

it('has no two packages that depend on each other, directly or through others', () => {
  expect(FOLDERS.filter((folder) => reached(folder).has(folder))).toEqual([]);
});
