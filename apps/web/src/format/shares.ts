import { SHARE_FROM } from '@switchyard/routing';
import { describeShare } from './amounts.ts';

/** How many of the finished payments were paid: `97.4%`, or `3 of 4` where fewer than twenty finished; a dash for none. */
export function successRate(paid: number, failed: number): string {
  const finished = paid + failed;
  if (finished === 0) return '–';
  return finished < SHARE_FROM ? `${paid} of ${finished}` : describeShare(paid, finished);
}

/** True if a change between two counts of payments may be shown in percent: both are at least twenty. */
export function isComparable(now: number, before: number): boolean {
  return now >= SHARE_FROM && before >= SHARE_FROM;
}
