import { processSwitchyard } from '@switchyard/api/process';
import { type SiteHandler, toWebHandler } from '@switchyard/api/rest';

/** A REST handler as the route handlers of a Next route: every method goes to it, because it answers wrong ones itself. */
export function mount(handler: SiteHandler) {
  const serve = toWebHandler(processSwitchyard, handler);
  return { GET: serve, HEAD: serve, POST: serve, PUT: serve, PATCH: serve, DELETE: serve, OPTIONS: serve };
}
