import { useState } from 'react';
import { expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import type { Payment } from '../detail/payment-head.tsx';
import { useOpenMoney } from './open-money.tsx';

type Refund = Payment['refunds'][number];
type Money = Pick<Payment, 'review' | 'attempts' | 'refunds'>;

const page = openHookPage('?mode=live&merchant=m-1');

const failed: Refund = {
  refundId: 'r-1',
  gateway: 'paystack',
  amount: 2_500n,
  currency: 'NGN',
  state: 'FAILED',
  reason: null,
  reasonCode: null,
  requestedBy: 'staff:ada',
  failureMessage: 'The card is closed.',
  duplicate: false,
  mismatched: false,
  unresolved: true,
  note: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};
const stuck: Refund = { ...failed, refundId: 'r-2', state: 'NEEDS_ATTENTION', unresolved: false };
const open: Money = { review: { state: 'OPEN', reason: null }, attempts: [], refunds: [failed, stuck] };
const settled: Money = {
  review: { state: 'RESOLVED', reason: null },
  attempts: [],
  refunds: [
    { ...failed, unresolved: false },
    { ...stuck, state: 'SUCCEEDED' },
  ],
};

/** A payment's page, which reads the payment again while it is looked at. */
const look = () =>
  page.render(() => {
    const [money, read] = useState(open);
    return { read, ...useOpenMoney(money) };
  });

test('what needs a decision is what the payment has now', async () => {
  const { result, act } = await look();
  expect(result.current).toMatchObject({ isForReview: true, hasDuplicates: false, failed: [failed], stuck: [stuck] });
  await act(() => result.current.read(settled));
  expect(result.current).toMatchObject({ isForReview: false, failed: [], stuck: [] });
});

test('an open dialog stays as it was opened when another person decides meanwhile', async () => {
  const { result, act } = await look();
  const decision = { kind: 'dismiss refund', refund: failed } as const;
  await act(() => result.current.decide(decision));
  await act(() => result.current.read(settled));
  expect(result.current.decision).toEqual(decision);
  await act(() => result.current.close());
  expect(result.current.decision).toBeNull();
});

test('a decision to refund again stays open once the payment has no failed refund left', async () => {
  const { result, act } = await look();
  await act(() => result.current.decide({ kind: 'refund again' }));
  await act(() => result.current.read({ ...settled, refunds: [] }));
  expect(result.current.decision).toEqual({ kind: 'refund again' });
});
