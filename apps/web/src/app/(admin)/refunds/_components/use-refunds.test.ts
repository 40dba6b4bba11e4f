import { beforeEach, describe, expect, test } from 'vitest';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { loadMoneyPage } from '../filters.ts';
import {
  type ReviewRow,
  showRefundRequested,
  useCharges,
  useDecideCharge,
  useDismissRefund,
  useLiveReview,
  useRecordRefund,
  useRefunds,
  useResolveReview,
  useReviews,
  useSyncRefund,
} from './use-refunds.ts';

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
    expect([result.current.state, result.current.error?.message]).toEqual(['failed', 'The database is unavailable.']);
  });
});

describe('after a decision on money', () => {
  const key = { merchantId: 'm-1', refundId: 'r-1' };

  beforeEach(() => {
    page.server().on('refunds.list', () => ({ items: [], next: null }));
    page.server().on('refunds.look', () => ({ state: 'SUCCEEDED', gateway: 'kora' }));
    page.server().on('refunds.dismiss', () => ({ kind: 'dismissed' }));
    page.server().on('refunds.record', () => ({ kind: 'not_waiting', state: 'FAILED' }));
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
        'refunds.record': useRecordRefund().mutateAsync,
        'refunds.duplicates.refund': charge.refund.mutateAsync,
        'refunds.duplicates.dismiss': charge.dismiss.mutateAsync,
        'refunds.reviews.refund': review.refund.mutateAsync,
        'refunds.reviews.close': review.close.mutateAsync,
      };
    });

  test.each([
    'refunds.look',
    'refunds.dismiss',
    'refunds.record',
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

describe('a review that is looked at', () => {
  const row = (amounts: readonly string[]): ReviewRow => ({
    merchantId: 'm-1',
    paymentId: 'p-1',
    mode: 'live',
    merchantOrderId: 'order-7',
    status: 'PENDING',
    amount: 2_500n,
    currency: 'NGN',
    gateway: 'paystack',
    reviewReason: null,
    receivedAmount: amounts.at(-1) ?? null,
    receivedCurrency: 'NGN',
    createdAt: new Date(0),
    refunding: false,
    failureMessage: null,
    mismatched: amounts.map((receivedAmount) => ({
      attemptId: `a-${receivedAmount}`,
      accountId: 'acc-1',
      gateway: 'paystack',
      reference: `r-${receivedAmount}`,
      transactionId: `t-${receivedAmount}`,
      receivedAmount,
      receivedCurrency: 'NGN',
      refundable: BigInt(receivedAmount),
      remainder: '0',
      state: 'open',
      failureMessage: null,
    })),
  });
  const receivedOf = ({ mismatched }: ReviewRow) => mismatched.map(({ receivedAmount }) => receivedAmount);
  const PROCEDURE = 'refunds.reviews.list';

  test('shows money that was received after it was opened, and asks for its own payment in its own mode', async () => {
    page.server().on(PROCEDURE, () => ({ items: [row(['2600'])], next: null }));
    const { result } = await page.render(() => useLiveReview(row(['2600'])));
    page.server().on(PROCEDURE, () => ({ items: [row(['2600', '2000'])], next: null }));
    await page.wait(10_000);
    await page.wait();
    expect(receivedOf(result.current)).toEqual(['2600', '2000']);
    expect(page.server().calls(PROCEDURE)[0]).toMatchObject({ merchantIds: ['m-1'], mode: 'live', search: 'p-1' });
  });

  test('stays as it was last once another person closed it', async () => {
    page.server().on(PROCEDURE, () => ({ items: [row(['2600', '2000'])], next: null }));
    const { result } = await page.render(() => useLiveReview(row(['2600'])));
    page.server().on(PROCEDURE, () => ({ items: [], next: null }));
    await page.wait(10_000);
    await page.wait();
    expect(page.server().calls(PROCEDURE)).toHaveLength(2);
    expect(receivedOf(result.current)).toEqual(['2600', '2000']);
  });
});

test('a requested refund is confirmed with its amount and its order', () => {
  showRefundRequested('NGN 1,200.00', 'order-7');
  expect(shownToasts().at(-1)?.text).toBe('Refund requested: NGN 1,200.00 of order order-7.');
});
