import type { toVariables } from './filters.ts';

/** What an answer is kept under, in this process for the page and in the browser. */
export function reportKey(operation: string, variables: ReturnType<typeof toVariables>) {
  return ['report', operation, variables] as const;
}
