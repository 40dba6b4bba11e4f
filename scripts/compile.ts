/**
 * `npm run compile`: loads what web, worker and reporting load, so that the compile cache has it: they start sooner, and without Node's
 * compiler of TypeScript, which takes up to 100 MB for as long as a process lives. Once for each version, after the pages are built,
 * where processes cannot write to their installation; elsewhere they fill the cache themselves.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { thisProject } from './stack/project.ts';
import { reachOf } from './testing/reach.ts';

const { root } = thisProject();
const ENTRIES = ['apps/web/server.ts', 'apps/worker/src/main.ts', 'apps/reporting/src/main.ts'].map((path) => join(root, path));
/** Packages that pages load past the bundler. */
const NATIVE = join(root, 'apps/web/src/server/native');
const NEXT_CONFIG = join(root, 'apps/web/next.config.mjs');

const CACHE = process.env.NODE_COMPILE_CACHE ?? join(root, '.local', 'compile-cache');

enableCompileCache(CACHE);
for (const entry of ENTRIES) {
  // Without settings it exits at once, when its own code is in the cache already.
  spawnSync(process.execPath, [entry], { env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: CACHE } });
}
const native = readdirSync(NATIVE).map((name) => join(NATIVE, name));
const files = new Set([...ENTRIES, ...native, NEXT_CONFIG].flatMap((entry) => reachOf(entry).files));
for (const file of files) {
  if (!ENTRIES.includes(file)) await import(pathToFileURL(file).href);
}
flushCompileCache();
