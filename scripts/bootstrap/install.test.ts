import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureInstalled, isInstalled } from './install.mjs';

const NODE = { 'node_modules/node': { version: '24.0.0' } };
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
  write('node_modules/node/bin/node', '');
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

  it('refuses one whose install scripts did not run, so that the Node it brings is missing', () => {
    state({ ...NODE }, { ...NODE });
    rmSync(join(root, 'node_modules/node/bin/node'));
    expect(isInstalled(root)).toBe(false);
  });
});
