import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const MAJOR = 20;

/**
 * The path of a Node 20, the oldest that merchants' code may run on: the machine's own where it has one, else the npm package `node` of that
 * version, installed in a temporary folder. Throws when neither is to be had, so that no test passes without it.
 */
export function findNode20(): string {
  const folders = ['/usr/local/bin', '/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  const own = folders.map((folder) => join(folder, 'node')).find((path) => existsSync(path) && isNode20(path));
  if (own !== undefined) return own;
  const folder = mkdtempSync(join(tmpdir(), 'node-20-'));
  const installed = spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `node@${MAJOR}`], {
    encoding: 'utf8',
  });
  const path = join(folder, 'node_modules', 'node', 'bin', 'node');
  if (!existsSync(path) || !isNode20(path)) throw new Error(`no Node ${MAJOR} is here, and npm has none: ${installed.stderr}`);
  return path;
}

function isNode20(path: string): boolean {
  return spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.startsWith(`v${MAJOR}.`) ?? false;
}
