import { expect, it } from 'vitest';
import type { CallRecord } from './gateway.ts';
import { readAllPages } from './list-answers.ts';

const call: CallRecord = {
  method: 'GET',
  url: '',
  httpStatus: 200,
  latencyMs: 1,
  request: null,
  answer: null,
  retryAfterMs: null,
};

it('a list that never ends is unknown after two thousand pages', async () => {
  let pages = 0;
  const read = async () => {
    pages += 1;
    return { outcome: 'yes' as const, value: { rows: [pages], nextCursor: String(pages) }, call };
  };
  expect(await readAllPages(read, String)).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
  expect(pages).toBe(2_000);
});
