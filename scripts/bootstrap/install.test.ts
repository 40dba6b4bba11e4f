import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureInstalled, isInstalled } from './install.mjs';

const NODE = { 'node_modules/node-here': { version: '24.0.0' } };
const ZOD = { 'node_modules/zod': { version: '4.0.0' } };
const FOR_HERE = { 'node_modules/here': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] } };
const FOR_ELSEWHERE = { 'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['beos'], cpu: ['m68k'] } };

let root: string;

function write(path: string, content: object | string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

/** The packages of the lock file, and those in npm's record of the installation. */
function state(asked: object, installed: object): boolean {
  write('package-lock.json', { packages: { '': {}, ...asked } });
  write('node_modules/.package-lock.json', { packages: installed });
  return isInstalled(root);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'switchyard-install-'));
});

afterEach(() => rmSync(root, { recursive: true }));

describe('isInstalled', () => {
  it('accepts any installation made from the same lock file', () => {
    expect(state({ ...NODE, ...ZOD, ...FOR_ELSEWHERE }, { ...NODE, ...ZOD })).toBe(true);
  });

  it('refuses one with a package missing, of another version, or meant for this machine and left out', () => {
    expect(state({ ...NODE, ...ZOD }, NODE)).toBe(false);
    expect(state({ ...NODE, ...ZOD }, { ...NODE, 'node_modules/zod': { version: '3.0.0' } })).toBe(false);
    expect(state({ ...NODE, ...FOR_HERE }, NODE)).toBe(false);
  });

  it('refuses one that was interrupted: npm writes its note last, and ours goes when all is done', () => {
    expect(state({ ...NODE, ...ZOD }, { ...NODE, ...ZOD })).toBe(true);
    write('.local/install.unfinished', '1');
    expect(isInstalled(root)).toBe(false);
    rmSync(join(root, '.local'), { recursive: true });
    rmSync(join(root, 'node_modules/.package-lock.json'));
    expect(isInstalled(root)).toBe(false);
  });

  it('refuses one that left out a package of the project itself', () => {
    const own = { 'node_modules/@switchyard/db': { resolved: 'packages/db', link: true } };
    expect(state({ ...NODE, ...own }, NODE)).toBe(false);
    write('node_modules/@switchyard/db/package.json', {});
    expect(isInstalled(root)).toBe(true);
  });

  it('is complete again once a new package of the project itself is linked, without npm', async () => {
    const own = { 'node_modules/@switchyard/db': { resolved: 'packages/db', link: true } };
    write('packages/db/package.json', '{"name":"db"}');
    expect(state({ ...NODE, ...own }, NODE)).toBe(false);
    await ensureInstalled(root);
    expect(isInstalled(root)).toBe(true);
    expect(readFileSync(join(root, 'node_modules/@switchyard/db/package.json'), 'utf8')).toBe('{"name":"db"}');
  });

  it('asks less for a start: what only tests need may be missing', () => {
    write('package-lock.json', LOCK);
    write('node_modules/db/package.json', {});
    const pg = { 'packages/db/node_modules/pg': { version: '8.0.0' } };
    write('node_modules/.package-lock.json', { packages: { ...pg, ...ZOD } });
    expect([isInstalled(root, 'start'), isInstalled(root)]).toEqual([true, false]);
    write('node_modules/.package-lock.json', { packages: { ...ZOD, 'node_modules/vitest': { version: '5.0.0' } } });
    expect([isInstalled(root, 'start'), isInstalled(root)]).toEqual([false, false]);
  });
});

const MANIFEST = {
  name: 'all',
  workspaces: ['packages/*'],
  dependencies: { zod: '4.0.0' },
  devDependencies: { vitest: '5.0.0' },
};
const LOCK = {
  packages: {
    '': MANIFEST,
    'packages/db': { name: 'db', dependencies: { pg: '8.0.0' } },
    'node_modules/db': { resolved: 'packages/db', link: true },
    'packages/db/node_modules/pg': { version: '8.0.0' },
    'node_modules/zod': { version: '4.0.0' },
    'node_modules/vitest': { version: '5.0.0', dev: true },
  },
};
/** Does what npm does with a lock file: packages into their folders, and a list of them at the end. Says how it was called. */
const NPM = `const { appendFileSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const at = relative(realpathSync(join(__dirname, '..')), process.cwd());
appendFileSync(join(__dirname, 'calls'), process.argv[2] + ' in ' + (at || 'the project') + '\\n');
if (process.argv[2] === 'ci') rmSync('node_modules', { recursive: true, force: true });
for (const [path, { link, resolved }] of Object.entries(packages)) {
  if (!path.includes('node_modules/') || existsSync(path)) continue;
  mkdirSync(link ? dirname(path) : path, { recursive: true });
  if (link) symlinkSync(relative(dirname(path), resolved), path);
  else writeFileSync(join(path, 'package.json'), '{}');
}
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
`;

describe('ensureInstalled', () => {
  const calls = (): string[] =>
    readFileSync(join(root, 'npm', 'calls'), 'utf8')
      .trim()
      .split('\n');
  const there = (...names: string[]): boolean[] => names.map((name) => existsSync(join(root, name, 'package.json')));

  beforeEach(() => {
    vi.stubEnv('npm_execpath', join(root, 'npm', 'npm-cli.js'));
    vi.spyOn(console, 'log').mockReturnValue();
    write('npm/npm-cli.js', NPM);
    write('.npmrc', '');
    write('package-lock.json', LOCK);
    write('package.json', MANIFEST);
    write('packages/db/package.json', { name: 'db', dependencies: { pg: '8.0.0' } });
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('installs only what a start needs for a first start, adds the rest when it is needed, and nothing twice', async () => {
    await ensureInstalled(root, 'start');
    const all = ['node_modules/zod', 'node_modules/db', 'packages/db/node_modules/pg', 'node_modules/vitest'];
    expect(there(...all)).toEqual([true, true, true, false]);
    expect(existsSync(join(root, '.local/packages.unfinished'))).toBe(false);
    await ensureInstalled(root, 'start');
    await ensureInstalled(root);
    expect(there(...all)).toEqual([true, true, true, true]);
    await ensureInstalled(root);
    await ensureInstalled(root, 'start');
    expect(calls()).toEqual(['ci in .local/packages.unfinished', 'install in the project']);
  });

  it('takes nothing away from a whole installation for a start after a change of the lock file', async () => {
    await ensureInstalled(root);
    write('package-lock.json', { packages: { ...LOCK.packages, 'node_modules/zod': { version: '4.1.0' } } });
    await ensureInstalled(root, 'start');
    expect(calls()).toEqual(['ci in the project', 'install in the project']);
    expect(there('node_modules/vitest')).toEqual([true]);
  });

  it('begins anew after an interruption, as packages may be there in part', async () => {
    await ensureInstalled(root, 'start');
    write('.local/install.unfinished', '1');
    await ensureInstalled(root);
    expect(calls()).toEqual(['ci in .local/packages.unfinished', 'ci in the project']);
  });
});
