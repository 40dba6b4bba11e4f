import type { PlainHandler } from '@switchyard/api/http';
import { toWebHandler } from './server/native/http.ts';
import { processSwitchyard } from './server/native/process.ts';

/**
 * A handler of plain requests as the route handlers of a Next route: every method goes to it, because it answers wrong ones
 * itself.
 */
export function mount(handler: PlainHandler) {
  const serve = toWebHandler(processSwitchyard, handler);
  return { GET: serve, HEAD: serve, POST: serve, PUT: serve, PATCH: serve, DELETE: serve, OPTIONS: serve };
}
