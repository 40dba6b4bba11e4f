import type { Scope } from '../../../scope/scope.ts';

const LATEST = 8;

/** The newest few payments of a scope, as the server is asked for them. */
export function latestInput({ mode, merchantId }: Scope) {
  return { mode, merchantId, limit: LATEST };
}
