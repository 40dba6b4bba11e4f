import type { Scope } from '../../../scope/scope.ts';

const LATEST = 8;

/** The query for the newest payments of a scope. */
export function latestInput({ mode, merchantId }: Scope) {
  return { mode, merchantId, limit: LATEST };
}
