import { describeMoment } from '#/format/moments.ts';
import type { KeyRow } from './key-row.ts';

/** How much a key is used, as sentences. */
export function describeUse({ lastUsedAt, requestsInWeek }: KeyRow, nowMs: number = Date.now()): string {
  if (lastUsedAt === null) return 'It has never been used.';
  const requests = `${requestsInWeek.toLocaleString('en')} ${requestsInWeek === 1 ? 'request' : 'requests'}`;
  return `It was last used ${describeMoment(lastUsedAt, nowMs)}; ${requests} came with it in the last seven days.`;
}
