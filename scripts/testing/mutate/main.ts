/**
 * `npm run mutate -- life-cycle decide`: changes the code of an area in every way that Stryker knows, one at a time and in a copy of the project,
 * and runs the tests that reach the changed place. Prints what no test noticed and the share that some did; all areas without a name. Exits with
 * 1 below the share that is asked. The tool is installed by the first run, and by nothing else.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { thisProject } from '../../stack/project.ts';
import { AREAS, isArea } from './areas.ts';

const HERE = import.meta.dirname;
const INSTALL = ['ci', '--no-workspaces', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !isArea(name));
if (unknown.length > 0) {
  console.error(`"${unknown.join('", "')}" is no area. There are: ${Object.keys(AREAS).join(', ')}.`);
  process.exit(2);
}
if (!existsSync(join(HERE, 'node_modules', '.package-lock.json'))) {
  const { status } = spawnSync('npm', INSTALL, { cwd: HERE, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

let isBelow = false;
for (const area of named.length > 0 ? named.filter(isArea) : Object.keys(AREAS).filter(isArea)) {
  console.log(`\n── ${area}`);
  const stryker = join(HERE, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const { status } = spawnSync(process.execPath, [stryker, 'run', join(HERE, 'stryker.config.mjs')], {
    cwd: thisProject().root,
    env: { ...process.env, MUTATE_AREA: area },
    stdio: 'inherit',
  });
  isBelow ||= status !== 0;
}
process.exitCode = isBelow ? 1 : 0;
