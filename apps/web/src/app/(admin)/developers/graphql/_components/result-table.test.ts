import { describe, expect, test } from 'vitest';
import { loadExplorerPage, toParameters } from '../filters.ts';
import { QUERY_IDS, readyQuery } from '../ready-queries.ts';
import { arrange, idOf, listColumns, listOrders, readResult, toCsv } from './result-table.tsx';

const NOON = Date.parse('2026-11-21T11:00:00Z');
const parametersOf = async (query: Record<string, string>) =>
  toParameters({ mode: 'test', merchantId: 'm"1' }, await loadExplorerPage(query), NOON);

/** A query without what is quoted in it. */
const skeletonOf = (text: string) => text.replaceAll(/"(?:\\.|[^"\\])*"/g, '""');

test.each(QUERY_IDS)('%s is the same query whatever text its parameters hold', async (id) => {
  const { text } = readyQuery(id);
  const plain = await parametersOf({ gateway: 'paystack', method: 'CARD', status: 'SUCCESS', by: 'merchant' });
  const hostile = await parametersOf({ gateway: 'pay"stack) { x', method: 'C"}', status: 'SUCCESS,}x', by: 'merchant' });
  expect(skeletonOf(text(hostile))).toBe(skeletonOf(text(plain)));
});

test('days are those of the zone', async () => {
  expect(await parametersOf({ from: '2026-11-01', to: '2026-11-02', zone: 'America/New_York' })).toMatchObject({
    from: '2026-11-01T04:00:00.000Z',
    to: '2026-11-03T05:00:00.000Z',
  });
});

describe('a result', () => {
  const sums = (paid: number, failed: number, expired = 0) => ({ payments: paid + failed, paid, failed, expired, pending: 0 });

  test('adds up: counts as sums, a rate from the sums, and none of fewer than twenty payments', async () => {
    const parameters = await parametersOf({ query: 'success', by: 'gateway' });
    const rows = [
      { gateway: 'paystack', sums: sums(15, 5, 4) },
      { gateway: '', sums: sums(1, 3) },
    ];
    const result = readResult(readyQuery('success'), parameters, { data: { volume: { currency: 'NGN', rows } } });
    expect(result.totals).toEqual([{ currency: 'NGN', cells: ['', '24', '16', '4', '4', '0', '0.666667'] }]);
    expect(toCsv(result)).toBe(
      'Gateway,Payments,Paid,Failed,Expired,Open,Success rate\r\npaystack,20,15,1,4,0,0.750000\r\n,4,1,3,0,0,\r\nTotal,24,16,4,4,0,0.666667\r\n',
    );
  });

  test('of a list has a total for each currency, exactly, and says when there is more', async () => {
    const node = (amount: number | string, currency: string) => ({ node: { amount, currency, state: 'FAILED', reason: '=1+1' } });
    const edges = [node('0.1', 'NGN'), node('0.2', 'NGN'), node(5, 'USD')];
    const data = { refunds: { edges, pageInfo: { hasNextPage: true } } };
    const result = readResult(readyQuery('refunds'), await parametersOf({}), { data });
    expect(result.totals.map(({ currency, cells }) => [currency, cells.at(-1)])).toEqual([
      ['NGN', '0.30'],
      ['USD', '5'],
    ]);
    expect(result.hasMore).toBe(true);
    expect(toCsv(result)).toContain("'=1+1");
  });

  test('shows and saves the chosen columns in the chosen order, with what is empty last', async () => {
    const rows = [
      { gateway: 'kora', sums: sums(18, 2) },
      { gateway: 'paystack', sums: sums(20, 80) },
      { gateway: 'monnify', sums: sums(0, 0) },
    ];
    const parameters = await parametersOf({ query: 'success', by: 'gateway' });
    const result = readResult(readyQuery('success'), parameters, { data: { volume: { currency: 'NGN', rows } } });
    const firstsBy = (by: string, descending: boolean) =>
      arrange(result, ['gateway'], { by, descending }).rows.map(([gateway]) => gateway);
    expect(firstsBy('paid', true)).toEqual(['paystack', 'kora', 'monnify']);
    expect(firstsBy('success-rate', true)).toEqual(['kora', 'paystack', 'monnify']);
    expect(firstsBy('success-rate', false)).toEqual(['paystack', 'kora', 'monnify']);
    expect(firstsBy('gateway', false)).toEqual(['kora', 'monnify', 'paystack']);
    const arranged = arrange(result, ['gateway', 'success-rate', 'paid'], { by: 'failed', descending: false });
    expect(toCsv(arranged)).toBe(
      'Gateway,Success rate,Paid\r\nmonnify,,0\r\nkora,0.900000,18\r\npaystack,0.200000,20\r\nTotal,0.316667,38\r\n',
    );
  });

  test.each(QUERY_IDS)('of %s has each column once, the first one always', async (id) => {
    const columns = readyQuery(id).columns(await parametersOf({}));
    expect(new Set(columns.map(idOf)).size).toBe(columns.length);
    expect(listColumns(columns).map(({ fixed }) => fixed)).toEqual(columns.map((_, at) => at === 0));
    expect(listOrders(columns)[0].by).toBe(columns.map(idOf)[0]);
  });

  test('that is refused says why', async () => {
    const read = async (body: unknown) => readResult(readyQuery('totals'), await parametersOf({}), body);
    await expect(read({ data: { volume: { problems: ['the period must not be longer'] } } })).rejects.toThrow('the period must');
    await expect(read({ errors: [{ message: 'Too costly.' }] })).rejects.toThrow('Too costly.');
    await expect(read(null)).rejects.toThrow('could not be reached');
  });
});
