import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';

/** An application or package and those of ours that its package.json declares: the one place that states what it may import. */
interface Workspace {
  /** `packages/db` */
  readonly folder: string;
  /** `@switchyard/db` */
  readonly name: string;
  /** Names, sorted. */
  readonly dependsOn: readonly string[];
}

const names = z.record(z.string(), z.string()).default({});
const manifest = z.object({ name: z.string(), dependencies: names, devDependencies: names });

/** Every application and package, each after those that it depends on. */
function readWorkspaces(root: string): readonly Workspace[] {
  const workspaces = globSync('{apps,packages}/*/package.json', { cwd: root }).map((path) => {
    const { name, dependencies, devDependencies } = manifest.parse(JSON.parse(readFileSync(join(root, path), 'utf8')));
    const dependsOn = Object.keys({ ...dependencies, ...devDependencies }).filter((each) => each.startsWith('@switchyard/'));
    return { folder: dirname(path), name, dependsOn: dependsOn.toSorted() };
  });
  const height = (one: Workspace) => reachedFrom(one, workspaces).size;
  return workspaces.toSorted((a, b) => height(a) - height(b) || a.folder.localeCompare(b.folder));
}

/** The folders of all that a workspace depends on, directly or through others. */
function reachedFrom(workspace: Workspace, workspaces: readonly Workspace[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [workspace];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    for (const name of one.dependsOn) {
      const next = workspaces.find((each) => each.name === name);
      if (next === undefined) throw new Error(`${one.folder} depends on ${name}, which has no folder`);
      if (!reached.has(next.folder)) pending.push(next);
      reached.add(next.folder);
    }
  }
  return reached;
}

/** The table of ARCHITECTURE.md: a line for each application and package. */
function dependencyTable(workspaces: readonly Workspace[]): string {
  const lines = workspaces.map(({ folder, dependsOn }) => {
    const others = dependsOn.map((name) => `\`${name.replace('@switchyard/', '')}\``);
    return `| \`${folder}\` | ${others.join(' ') || '–'} |`;
  });
  return ['| | depends on |', '|---|---|', ...lines].join('\n');
}

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
