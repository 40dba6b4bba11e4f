import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import {
  type BulkAction,
  type BulkChange,
  useBulkChange,
} from '#/app/(admin)/reconciliation/_components/discrepancies/use-discrepancy-actions.ts';
import type { Discrepancy } from '#/copy/discrepancies.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { SELECTED_MAX, useBulkBar } from './use-bulk-bar.ts';
import { useSelection } from './use-selection.ts';

const page = openHookPage('?mode=live&merchant=m-1');
const CHANGE = { kind: 'resolve', as: 'RESOLVED', why: 'Checked at the bank.' } as const;

let outcomes: Readonly<Record<string, string>>;

beforeEach(() => {
  outcomes = {};
  page.server().on('me', () => ({ access: [{ merchantId: null, permissions: ['reconciliation:resolve'] }] }));
  page
    .server()
    .on('reconciliation.changeMany', (input) =>
      keysOf(input).map((discrepancyId) => ({ discrepancyId, outcome: { kind: outcomes[discrepancyId] ?? 'changed' } })),
    );
});

function keysOf(input: unknown): string[] {
  return Reflect.get(Object(input), 'keys').map(({ discrepancyId }: { discrepancyId: string }) => discrepancyId);
}

const row: Discrepancy = {
  discrepancyId: 'd-0',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  mode: 'live',
  accountId: 'acc-1',
  accountLabel: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  day: '2026-11-20',
  about: 'payment',
  kind: 'AMOUNT',
  state: 'OPEN',
  amount: '500',
  paymentId: null,
  refundId: null,
  reference: null,
  transactionId: null,
  ownerId: null,
  ownerName: null,
  note: null,
  resolution: null,
  resolvedBy: null,
  resolvedByName: null,
  resolvedAt: null,
  createdAt: new Date(0),
  ledger: null,
  statement: null,
};
const rowsOf = (...ids: readonly string[]) => ids.map((discrepancyId) => ({ ...row, discrepancyId }));

/** The list's rows with a selection of `ids`, and the bar over them. */
async function select(ids: readonly string[], listed = ids) {
  const hook = await page.render(() => {
    const [rows, list] = useState(rowsOf(...listed));
    const selection = useSelection(rows, ({ discrepancyId }) => discrepancyId);
    return { list, selection, bar: useBulkBar<Discrepancy, BulkChange, BulkAction>(selection, useBulkChange()) };
  });
  await hook.act(() => hook.result.current.selection.select(rowsOf(...ids)));
  return hook;
}
const idsOf = (rows: readonly Discrepancy[] | undefined) => rows?.map(({ discrepancyId }) => discrepancyId);

test('rows that leave the list are no longer selected', async () => {
  const { result, act } = await select(['d-1', 'd-2'], ['d-1', 'd-2', 'd-3']);
  await act(() => result.current.list(rowsOf('d-2', 'd-3')));
  expect(idsOf(result.current.bar.selected)).toEqual(['d-2']);
});

test('an open dialog stays with its rows when another person closes them, and acts on those it shows', async () => {
  const { result, act } = await select(['d-1', 'd-2']);
  await act(() => result.current.bar.open('resolve'));
  await act(() => result.current.list(rowsOf('d-2')));
  expect(idsOf(result.current.bar.dialog?.rows)).toEqual(['d-1', 'd-2']);
  await act(() => result.current.list([]));
  expect(result.current.bar.dialog?.kind).toBe('resolve');
  await act(() => void result.current.bar.apply(CHANGE).catch(() => undefined));
  await page.wait();
  expect(page.server().calls('reconciliation.changeMany')).toMatchObject([
    { keys: [{ merchantId: 'm-1', discrepancyId: 'd-1' }, { discrepancyId: 'd-2' }], change: CHANGE },
  ]);
});

test('what was changed is no longer selected, and what was not stays', async () => {
  outcomes = { 'd-2': 'refused', 'd-3': 'unchanged', 'd-4': 'failed' };
  const { result, act } = await select(['d-1', 'd-2', 'd-3', 'd-4']);
  await act(() => result.current.bar.open('accept'));
  await act(() => void result.current.bar.apply(CHANGE).catch(() => undefined));
  await page.wait();
  expect(idsOf(result.current.bar.selected)).toEqual(['d-2', 'd-4']);
  expect([result.current.bar.dialog, result.current.bar.results?.length]).toEqual([null, 4]);
});

test('a dialog stays open with the reason when the change failed', async () => {
  page.server().on('reconciliation.changeMany', () => {
    throw new Error('The database is unavailable.');
  });
  const { result, act } = await select(['d-1']);
  await act(() => result.current.bar.open('assign'));
  await act(() => void result.current.bar.apply(CHANGE).catch(() => undefined));
  await page.wait();
  expect([result.current.bar.dialog?.kind, result.current.bar.refusal]).toEqual(['assign', 'The database is unavailable.']);
});

test(`one action is of ${SELECTED_MAX} rows at most`, async () => {
  const { result, act } = await select(Array.from({ length: SELECTED_MAX + 5 }, (_, at) => `d-${at}`));
  await act(() => result.current.bar.open('resolve'));
  expect(result.current.bar.dialog?.rows).toHaveLength(SELECTED_MAX);
});
