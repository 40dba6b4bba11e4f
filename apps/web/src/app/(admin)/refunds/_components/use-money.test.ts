import { beforeEach, describe, expect, test } from 'vitest';
import { shownToasts } from '../../../../components/toasts/toast-store.ts';
import { openHookPage } from '../../../../testing/hook-page.ts';
import { loadMoneyPage } from '../filters.ts';
import {
  showRefundRequested,
  useCharges,
  useDecideCharge,
  useDismissRefund,
  useRefunds,
  useResolveReview,
  useReviews,
  useSyncRefund,
} from './use-money.ts';

const page = openHookPage('?mode=live&merchant=m-1');
const filters = await loadMoneyPage({ gateway: 'kora' });
const LISTS = [
  ['refunds', 'refunds.list', useRefunds],
  ['duplicate charges', 'refunds.duplicates.list', useCharges],
  ['reviews', 'refunds.reviews.list', useReviews],
] as const;

describe.each(LISTS)('the list of %s', (_what, procedure, useList) => {
  test('is of the scope and the filters, and refreshed every ten seconds', async () => {
    page.server().on(procedure, () => ({ items: [], next: null }));
    await page.render(() => useList(filters, ''));
    expect(page.server().calls(procedure)).toMatchObject([{ mode: 'live', merchantIds: ['m-1'], gateways: ['kora'] }]);
    await page.wait(10_000);
    expect(page.server().calls(procedure)).toHaveLength(2);
  });

  test('goes on with the next page until there is none', async () => {
    page.server().on(procedure, (input) => ({ items: [{}], next: 'cursor' in Object(input) ? null : 'c-2' }));
    const { result, act } = await page.render(() => useList(filters, ''));
    expect([result.current.rows.length, result.current.hasMore]).toEqual([1, true]);
    await act(() => result.current.more());
    await page.wait();
    await act(() => result.current.more());
    await page.wait();
    expect([result.current.rows.length, result.current.hasMore, page.server().calls(procedure).length]).toEqual([2, false, 2]);
  });

  test('shows why it could not be read', async () => {
    page.server().on(procedure, () => {
      throw new Error('The database is unavailable.');
    });
    const { result } = await page.render(() => useList(filters, ''));
    expect([result.current.state, result.current.message]).toEqual(['failed', 'The database is unavailable.']);
  });
});

describe('after a decision on money', () => {
  const key = { merchantId: 'm-1', refundId: 'r-1' };

  beforeEach(() => {
    page.server().on('refunds.list', () => ({ items: [], next: null }));
    page.server().on('refunds.look', () => ({ state: 'SUCCEEDED', gateway: 'kora' }));
    page.server().on('refunds.dismiss', () => ({ kind: 'dismissed' }));
    for (const step of ['duplicates.refund', 'duplicates.dismiss', 'reviews.refund', 'reviews.close'])
      page.server().on(`refunds.${step}`, () => ({ kind: 'done' }));
  });

  const open = () =>
    page.render(() => {
      const charge = useDecideCharge();
      const review = useResolveReview();
      useRefunds(filters, '');
      return {
        'refunds.look': useSyncRefund().mutateAsync,
        'refunds.dismiss': useDismissRefund().mutateAsync,
        'refunds.duplicates.refund': charge.refund.mutateAsync,
        'refunds.duplicates.dismiss': charge.dismiss.mutateAsync,
        'refunds.reviews.refund': review.refund.mutateAsync,
        'refunds.reviews.close': review.close.mutateAsync,
      };
    });

  test.each([
    'refunds.look',
    'refunds.dismiss',
    'refunds.duplicates.refund',
    'refunds.duplicates.dismiss',
    'refunds.reviews.refund',
    'refunds.reviews.close',
  ] as const)('the lists are read again, so that nothing decided is offered twice: %s', async (procedure) => {
    const { result, act } = await open();
    await act(() => Reflect.apply(result.current[procedure], undefined, [key]));
    await page.wait();
    expect(page.server().calls(procedure)).toEqual([key]);
    expect(page.server().calls('refunds.list')).toHaveLength(2);
  });

  test('a check at the gateway shows its answer', async () => {
    const { result, act } = await open();
    await act(() => Reflect.apply(result.current['refunds.look'], undefined, [key]));
    expect(shownToasts().at(-1)?.text).toMatch(/^Checked at kora: the refund is /);
  });

  test('a failed check is shown, and changes no list', async () => {
    page.server().on('refunds.look', () => {
      throw new Error('Kora does not answer.');
    });
    const { result, act } = await open();
    await act(() => expect(Reflect.apply(result.current['refunds.look'], undefined, [key])).rejects.toThrow());
    await page.wait();
    expect(shownToasts().at(-1)).toMatchObject({ text: 'Kora does not answer.', tone: 'bad' });
    expect(page.server().calls('refunds.list')).toHaveLength(1);
  });
});

test('a requested refund is confirmed with its amount and its order', () => {
  showRefundRequested('NGN 1,200', 'order-7');
  expect(shownToasts().at(-1)?.text).toBe('Refund requested: NGN 1,200 of order order-7.');
});
