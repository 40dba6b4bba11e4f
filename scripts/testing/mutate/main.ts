/**
 * `npm run mutate -- life-cycle settlements/fees`: changes the code of an area in every way that Stryker knows, one at a time and in a copy of the
 * project, and runs the tests that reach the changed place. An area is a name of `areas.ts`, a package, or a folder of one; those of pure code
 * without a name. Prints what no test noticed and the share that some did. Exits with 1 below the share that is asked. The tool is installed by
 * the first run, and by nothing else.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { thisProject } from '../../stack/project.ts';
import { areaNames, areaOf, PURE_AREAS } from './areas.ts';

const HERE = import.meta.dirname;
const INSTALL = ['ci', '--no-workspaces', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];

const named = process.argv.slice(2);
const unknown = named.filter((name) => areaOf(name) === null);
if (unknown.length > 0) {
  console.error(
    `"${unknown.join('", "')}" is no area. There are: ${areaNames()}, and folders of packages, such as settlements/fees.`,
  );
  process.exit(2);
}
if (!existsSync(join(HERE, 'node_modules', '.package-lock.json'))) {
  const { status } = spawnSync('npm', INSTALL, { cwd: HERE, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

let isBelow = false;
for (const area of named.length > 0 ? named : PURE_AREAS) {
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
