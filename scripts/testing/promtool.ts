import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../bootstrap/problem.mjs';
import { thisProject } from '../stack/project.ts';

const ANSWER_LIMIT_MS = 20_000;
const DOWNLOAD_LIMIT_MS = 180_000;
const HINTS = ["Install Prometheus (Debian's package `prometheus`, `brew install prometheus`), or set PROMTOOL_PATH."];

const starts = (path: string) => spawnSync(path, ['--version'], { timeout: ANSWER_LIMIT_MS, stdio: 'ignore' }).status === 0;

/**
 * The path of Prometheus's `promtool`: that of `PROMTOOL_PATH`, else the machine's, else the one of Debian's package, unpacked into
 * `.local` without installing it. Null where there is none and none can be had; with `CI` set it throws instead, so that no test is
 * left out there.
 */
export function findPromtool(): string | null {
  const folder = join(thisProject().root, '.local', 'promtool');
  const unpacked = join(folder, 'usr', 'bin', 'promtool');
  const wanted = process.env.PROMTOOL_PATH;
  if (wanted && !starts(wanted)) throw new Problem(`PROMTOOL_PATH names ${wanted}, which does not start.`, HINTS);
  const found = [wanted || 'promtool', unpacked].find(starts);
  if (found !== undefined) return found;
  if (unpackPackage(folder) && starts(unpacked)) return unpacked;
  if (process.env.CI) throw new Problem('There is no promtool, which the tests of the alert rules need.', HINTS);
  return null;
}

/** Unpacks Debian's package. False where that is not to be had. */
function unpackPackage(folder: string): boolean {
  const downloads = mkdtempSync(join(tmpdir(), 'switchyard-promtool-'));
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { cwd: downloads, timeout: DOWNLOAD_LIMIT_MS, stdio: 'ignore' }).status === 0;
  try {
    // Only root may read the lists of packages anew.
    if (!apt('download', 'prometheus') && !(apt('update') && apt('download', 'prometheus'))) return false;
    const [name = ''] = readdirSync(downloads);
    const unfinished = `${folder}.${process.pid}.unfinished`;
    execFileSync('dpkg-deb', ['-x', join(downloads, name), unfinished], { timeout: DOWNLOAD_LIMIT_MS });
    if (existsSync(folder)) rmSync(folder, { recursive: true });
    renameSync(unfinished, folder);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(downloads, { recursive: true, force: true });
  }
}
