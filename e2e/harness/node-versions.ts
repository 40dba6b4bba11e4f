import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const LOCAL = join(import.meta.dirname, '..', '..', '.local');
const INSTALL_LIMIT_MS = 180_000;

/**
 * The path of a Node of a major version that merchants' code may run on: the machine's own where it has one, else the npm package `node` of
 * that version, installed in `.local`. Throws when neither is to be had, so that no test passes without it.
 */
export function findNode(major: number): string {
  const isOfMajor = (path: string) =>
    existsSync(path) && spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.startsWith(`v${major}.`);
  const folders = ['/usr/local/bin', '/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  const folder = join(LOCAL, `node-${major}`);
  const installed = join(folder, 'node_modules', 'node', 'bin', 'node');
  const own = [process.execPath, ...folders.map((each) => join(each, 'node')), installed].find(isOfMajor);
  if (own !== undefined) return own;
  mkdirSync(LOCAL, { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  const npm = spawnSync('npm', ['install', '--prefix', unfinished, '--no-audit', '--no-fund', `node@${major}`], {
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
  });
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another suite was faster.
    rmSync(unfinished, { recursive: true, force: true });
  }
  if (!isOfMajor(installed)) throw new Error(`no Node ${major} is here, and npm has none: ${npm.stderr}`);
  return installed;
}
