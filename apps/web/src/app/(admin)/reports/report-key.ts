import type { toVariables } from './filters.ts';

/** The cache key of a report, on the server and in the browser. */
export function reportKey(operation: string, variables: ReturnType<typeof toVariables>) {
  return ['report', operation, variables] as const;
}
