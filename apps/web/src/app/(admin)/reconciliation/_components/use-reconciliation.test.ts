import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { DAYS_SHOWN, loadReconciliationPage } from '../filters.ts';
import { useDiscrepancyActions } from './discrepancies/use-discrepancy-actions.ts';
import { useReconciliation } from './use-reconciliation.ts';

const page = openHookPage('?mode=live&merchant=m-1');
let runState: string;

async function open() {
  const filters = await loadReconciliationPage({});
  const hook = await page.render(() => ({ list: useReconciliation(filters), actions: useDiscrepancyActions() }));
  await page.wait();
  return hook;
}

beforeEach(() => {
  vi.setSystemTime(new Date('2026-11-21T10:00:00Z'));
  runState = 'DONE';
  page.server().on('reconciliation.accounts', () => [{ accountId: 'a-1' }]);
  page.server().on('reconciliation.runs', () => ({ items: [{ runId: 'r-1', state: runState }], next: null }));
  page.server().on('reconciliation.byAge', () => []);
  page.server().on('reconciliation.discrepancies', () => ({ items: [{ discrepancyId: 'd-1' }], next: null }));
});

test('the days end with yesterday, and the list is of discrepancies of any day', async () => {
  const { result } = await open();
  const { days, ready, discrepancies } = result.current.list;
  expect([days[0], days.length]).toEqual(['2026-11-20', DAYS_SHOWN]);
  expect([ready, discrepancies.rows.map(({ discrepancyId }) => discrepancyId)]).toEqual([true, ['d-1']]);
  expect(page.server().calls('reconciliation.runs').at(-1)).toMatchObject({ merchantId: 'm-1', mode: 'live', to: '2026-11-20' });
  expect(page.server().calls('reconciliation.discrepancies').at(-1)).toMatchObject({ dayTo: null, states: ['OPEN'] });
});

test.each(['QUEUED', 'RUNNING'])('while a day is %s the lists are refreshed every 1.5 seconds', async (state) => {
  runState = state;
  await open();
  const before = page.server().calls('reconciliation.runs').length;
  await page.wait(1_500);
  expect(page.server().calls('reconciliation.runs').length).toBe(before + 1);
  await page.wait();
  expect(page.server().calls('reconciliation.discrepancies').length).toBeGreaterThan(1);
});

test('otherwise they are refreshed every half minute only', async () => {
  await open();
  await page.wait(29_000);
  expect(page.server().calls('reconciliation.runs')).toHaveLength(1);
  await page.wait(1_000);
  expect(page.server().calls('reconciliation.runs')).toHaveLength(2);
});

test('the page is not ready, and names the failure, while one of the lists is missing', async () => {
  page.server().on('reconciliation.runs', () => {
    throw new Error('The database is unavailable.');
  });
  const { result } = await open();
  expect(result.current.list).toMatchObject({ ready: false, failure: 'The database is unavailable.' });
});

describe('an action on a discrepancy', () => {
  const key = { merchantId: 'm-1', discrepancyId: 'd-1' };

  test.each([
    ['note', 'reconciliation.note', { ...key, note: 'Asked Paystack' }],
    ['assign', 'reconciliation.assign', { ...key, ownerId: null }],
    ['reopen', 'reconciliation.reopen', { ...key, note: 'Not settled after all' }],
  ] as const)('refreshes the lists at once: %s', async (action, procedure, input) => {
    page.server().on(procedure, () => ({ kind: 'changed' }));
    const { result, act } = await open();
    const mutate: (command: never) => Promise<unknown> = result.current.actions[action].mutateAsync;
    await act(() => Reflect.apply(mutate, undefined, [input]));
    await page.wait();
    expect(page.server().calls(procedure)).toEqual([input]);
    expect(page.server().calls('reconciliation.discrepancies')).toHaveLength(2);
  });
});
