import { type Scope, scopeFilter } from '#/scope/scope.ts';

const LATEST = 8;

/** The query for the newest payments of a scope. */
export function latestInput(scope: Scope) {
  return { ...scopeFilter(scope), limit: LATEST };
}

/** The query for the newest payment of a scope that succeeded. */
export function lastPaidInput(scope: Scope) {
  return { ...scopeFilter(scope), displayStatuses: ['SUCCESS'] as const, limit: 1 };
}
