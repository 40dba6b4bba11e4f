import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Problem } from '../bootstrap/problem.mjs';
import { thisProject } from '../stack/project.ts';
import { unpackDebian } from './debian-package.ts';

const ANSWER_LIMIT_MS = 20_000;
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
  if (unpackDebian({ names: ['prometheus'], whole: false }, folder) && starts(unpacked)) return unpacked;
  if (process.env.CI) throw new Problem('There is no promtool, which the tests of the alert rules need.', HINTS);
  return null;
}
