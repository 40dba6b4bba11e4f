import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DOWNLOAD_LIMIT_MS = 180_000;

export interface DebianPackages {
  readonly names: readonly string[];
  /** True if those that they need and this machine lacks are wanted as well. */
  readonly whole: boolean;
}

/** Unpacks Debian's packages into a folder, without installing them. False where they are not to be had. */
export function unpackDebian({ names, whole }: DebianPackages, folder: string): boolean {
  const downloads = mkdtempSync(join(tmpdir(), 'switchyard-debian-'));
  const apt = (...args: string[]) => spawnSync('apt-get', args, { cwd: downloads, timeout: DOWNLOAD_LIMIT_MS, encoding: 'utf8' });
  const missingOf = () => {
    const planned = apt('install', '--print-uris', '--yes', '--no-install-recommends', ...names);
    return [...(planned.stdout ?? '').matchAll(/^'\S+' (\S+?)_/gm)].map(([, name = '']) => name);
  };
  const download = () => {
    const wanted = whole ? missingOf() : names;
    return wanted.length > 0 && apt('download', ...wanted).status === 0;
  };
  try {
    // Only root may read the lists of packages anew.
    if (!download() && !(apt('update').status === 0 && download())) return false;
    const unfinished = `${folder}.${process.pid}.unfinished`;
    for (const name of readdirSync(downloads)) {
      execFileSync('dpkg-deb', ['-x', join(downloads, name), unfinished], { timeout: DOWNLOAD_LIMIT_MS });
    }
    if (existsSync(folder)) rmSync(folder, { recursive: true });
    renameSync(unfinished, folder);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(downloads, { recursive: true, force: true });
  }
}

// As a program: the folder, then the names of packages that are wanted whole.
if (import.meta.main) {
  const [folder = '', ...names] = process.argv.slice(2);
  process.exitCode = unpackDebian({ names, whole: true }, folder) ? 0 : 1;
}
