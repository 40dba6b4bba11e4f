import type { BulkResults } from './discrepancy-actions.ts';

/** Results of a bulk action: `12 changed, 2 refused: It is already closed. 1 failed; try again.` */
export function describeResults(results: BulkResults): string {
  const count = (kind: string) => results.filter(({ outcome }) => outcome.kind === kind).length;
  const reasons = [...new Set(results.flatMap(({ outcome }) => (outcome.kind === 'refused' ? [outcome.why] : [])))];
  const parts = [
    [count('changed'), 'changed.'],
    [count('unchanged'), 'already so.'],
    [count('refused'), `not changed: ${reasons.slice(0, 3).join(' ')}`],
    [count('not_found'), 'no longer there.'],
    [count('failed'), 'could not be saved and stay as they were; try again.'],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, text]) => `${number.toLocaleString('en')} ${text}`)
    .join(' ');
}
