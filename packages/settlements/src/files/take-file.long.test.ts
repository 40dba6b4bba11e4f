import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TakeProgress } from '../reading/in-turns.ts';
import { fileOf, MAPPING, NOTHING_ENTERED } from '../testing/files.ts';
import { previewSettlementFile, takeSettlementFile } from './take-file.ts';

const ROWS = 100_000;
const ACTOR = 'staff:0190f0c4-1111-7000-8000-000000000001';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

test.each([
  ['one payout', 1],
  ['3,000 payouts', 3_000],
])('100,000 rows of %s come in within a transaction, say how far they are, and are then known', async (_, payouts) => {
  context.setClock(new Date('2026-12-01T08:00:00Z'));
  const { merchantId, accounts } = await createTestMerchant(context, { 'kora-main': { gateway: 'kora' } });
  const rows = Array.from({ length: ROWS }, (_row, at) => {
    return `P-${at % payouts},25/11/2026,ref-${at},t-${at},2500,37.5,24/11/2026 12:00:${String(at % 60).padStart(2, '0')}`;
  });
  const account = { merchantId, accountId: accounts['kora-main'] ?? '' };
  const file = { ...account, name: 'a.csv', bytes: fileOf(...rows), mapping: MAPPING, entered: NOTHING_ENTERED };
  const preview = await previewSettlementFile(context, file);
  if (preview.kind !== 'preview') throw new Error(preview.kind);
  const said: TakeProgress[] = [];
  const taken = await takeSettlementFile(context, { ...file, hash: preview.hash }, ACTOR, (progress) => said.push(progress));
  expect(taken).toMatchObject({ kind: 'taken', settlements: payouts, lines: 2 * ROWS });
  const stored = said.filter(({ stage }) => stage === 'storing').map(({ done }) => done);
  expect(stored.length).toBeGreaterThan(10);
  expect(stored).toEqual(stored.toSorted((a, b) => a - b));
  expect(said.at(-1)).toEqual({ stage: 'storing', done: 2 * ROWS, of: 2 * ROWS });
  const lines = { where: { merchantId } };
  expect(await context.database.prisma.settlementLine.count(lines)).toBe(2 * ROWS);
  expect(await previewSettlementFile(context, file)).toMatchObject({ counts: { new: 0, known: payouts, differs: 0 } });
});
