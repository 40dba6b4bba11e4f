import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { thisProject } from './stack/project.ts';

const { root } = thisProject();
const NATIVE = join(root, 'apps/web/src/server/native');
const NEXT_CONFIG = join(root, 'apps/web/next.config.mjs');
const COMPILER = 'NativeModule internal/deps/amaro/dist/index';
/** Prints at the end of a process whether Node has loaded its compiler of TypeScript. */
const REPORT = `process.on('exit', () => console.log(process.moduleLoadList.includes('${COMPILER}') ? 'loaded' : 'not loaded'))`;
const LIMIT_MS = 600_000;

let cache: string;

/** True if a process with the cache loads the compiler; it has no settings, and ends by itself. */
function loadsCompiler(args: readonly string[], NODE_COMPILE_CACHE = cache): boolean {
  const report = `data:text/javascript,${encodeURIComponent(REPORT)}`;
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE };
  const { stdout } = spawnSync(process.execPath, ['--import', report, ...args], { env, encoding: 'utf8' });
  expect(stdout).toMatch(/^(not )?loaded$/m);
  return !stdout.includes('not loaded');
}

beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'switchyard-compiled-'));
  execFileSync(process.execPath, ['scripts/compile.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache },
    stdio: 'pipe',
  });
}, LIMIT_MS);

afterAll(() => rmSync(cache, { recursive: true, force: true }));

test.each(['apps/web/server.ts', 'apps/worker/src/main.ts', 'apps/reporting/src/main.ts'])(
  'after npm run compile %s starts without the compiler of TypeScript, which stays in memory',
  (entry) => {
    expect(loadsCompiler([join(root, entry)])).toBe(false);
  },
  LIMIT_MS,
);

test(
  'neither does what the worker, Next and pages load later',
  () => {
    const native = readdirSync(NATIVE).map((name) => join(NATIVE, name));
    const modules = [join(root, 'apps/worker/src/start-worker.ts'), NEXT_CONFIG, ...native];
    const imports = modules.map((path) => `await import('${pathToFileURL(path).href}');`);
    expect(loadsCompiler(['--input-type=module', '--eval', `${imports.join('')}process.exit()`])).toBe(false);
  },
  LIMIT_MS,
);
