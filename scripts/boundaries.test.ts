import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dependencyTable, reachedFrom, readWorkspaces } from './testing/dependencies.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TURBO = join(dirname(createRequire(import.meta.url).resolve('turbo/package.json')), 'bin', 'turbo');
const WORKSPACES = readWorkspaces(ROOT);

/** Dependencies that no package.json may declare, directly or through a third package. */
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
  ['packages/payments', 'packages/settlements'],
  ['packages/payments', 'packages/disputes'],
  ['packages/settlements', 'packages/disputes'],
  ['packages/payments', 'packages/accounting'],
  ['packages/settlements', 'packages/accounting'],
  ['packages/accounting', 'packages/api'],
  ['packages/reconciliation', 'packages/settlements'],
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

function workspaceAt(folder: string) {
  const found = WORKSPACES.find((each) => each.folder === folder);
  if (found === undefined) throw new Error(`there is no ${folder}`);
  return found;
}

/**
 * Builds the workspace with the dependencies that are declared and the real rules, and adds imports from one folder to another that no
 * package.json declares. Returns the check's report.
 */
function check(added: readonly (readonly [from: string, to: string])[]): string {
  const root = { name: 'workspace', private: true, packageManager: 'npm@11.0.0', workspaces: ['apps/*', 'packages/*'] };
  const packages: Record<string, object> = { '': root };
  for (const { folder, name, dependsOn } of WORKSPACES) {
    const imports = [...dependsOn, ...added.filter(([from]) => from === folder).map(([, to]) => workspaceAt(to).name)];
    const manifest = { name, version: '0.1.0', dependencies: Object.fromEntries(dependsOn.map((each) => [each, '*'])) };
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

it('accepts every dependency that a package.json declares', () => {
  expect(check([])).toContain('no issues found');
});

it('refuses an import that no package.json declares', () => {
  expect(check([['apps/web', 'packages/db']])).toContain('cannot import package `@switchyard/db`');
});

it('ARCHITECTURE.md lists the dependencies that each package.json declares', () => {
  const section = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
    .split('\n## ')
    .find((each) => each.startsWith('Dependencies'));
  expect(/^\|.*(?:\n\|.*)*/m.exec(section ?? '')?.[0]).toBe(dependencyTable(WORKSPACES));
});

it.each(FORBIDDEN)('%s does not depend on %s, directly or through other packages', (from, to) => {
  expect([...reachedFrom(workspaceAt(from), WORKSPACES)]).not.toContain(workspaceAt(to).folder);
});

it('has no two packages that depend on each other, directly or through others', () => {
  expect(WORKSPACES.filter((each) => reachedFrom(each, WORKSPACES).has(each.folder))).toEqual([]);
});
