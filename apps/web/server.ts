import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/*
 * The production entry; with `--await-pages` while its pages are being built. Loading modules is most of a start, so compiled code is
 * cached for the next one; only modules that are loaded after this line are.
 */
enableCompileCache(fileURLToPath(new URL('../../.local/compile-cache', import.meta.url)));
const { startWeb } = await import('./src/server/start-web.ts');
await startWeb(import.meta.dirname, { awaitPages: process.argv.includes('--await-pages') });
// A killed process writes nothing at its end.
flushCompileCache();
