import { handleGraphql } from '../graphql/handle.ts';
import { toWebHandler } from '../http/web-adapter.ts';
import type { Switchyard } from '../process.ts';

/** Sends a request to `/api/graphql`, the way of Next's route handlers. */
export function sendGraphql(switchyard: Switchyard, request: Request): Promise<Response> {
  return toWebHandler(() => switchyard, handleGraphql)(request);
}
