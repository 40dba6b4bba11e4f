import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PROGRAM = join(import.meta.dirname, '..', '..', 'scripts', 'build-install.ts');

/** Files that an installation serves at `/install`, in a temporary folder. */
export interface InstallFolder {
  readonly path: string;
  remove(): void;
}

/** Builds it. Throws with what the build said. */
export function buildInstallFolder(): InstallFolder {
  const path = mkdtempSync(join(tmpdir(), 'switchyard-install-'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, path], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A folder of a merchant's project, with nothing but packages that npm installs from addresses or files; no registry is asked. Removed by the caller. */
export async function emptyProject(packages: readonly string[]): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchyard-shop-')));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' },
  });
  return folder;
}
