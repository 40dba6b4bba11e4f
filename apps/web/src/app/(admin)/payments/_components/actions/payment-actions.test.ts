import { useState } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PaymentStatus } from '#/copy/payment-status.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { usePaymentActions, useVerify, watchInterval } from './payment-actions.tsx';

const page = openHookPage('?mode=live&merchant=m-1');

describe('use payment actions', () => {
  beforeEach(() => {
    page.server().on('me', () => ({ access: [{ merchantId: 'm-1', permissions: ['payment:refund', 'payment:verify'] }] }));
  });

  /** A paid payment's page, which reads the payment again while it is looked at. */
  const look = () =>
    page.render(() => {
      const [status, read] = useState<'SUCCESS' | 'REFUNDED'>('SUCCESS');
      return { read, ...usePaymentActions({ merchantId: 'm-1', status, attempts: [] }) };
    });

  test('the dialog of a refund stays open when another person refunds the payment meanwhile', async () => {
    const { result, act } = await look();
    expect(result.current).toMatchObject({ mayRefund: true, refunding: false });
    await act(() => result.current.askRefund());
    await act(() => result.current.read('REFUNDED'));
    expect(result.current).toMatchObject({ mayVerify: false, mayRefund: false, refunding: true, isShown: true });
    await act(() => result.current.close());
    expect(result.current).toMatchObject({ refunding: false, isShown: false });
  });
});

describe('use verify', () => {
  async function open() {
    let goOn: (status: PaymentStatus) => void = () => undefined;
    const hook = await page.render(() => {
      const [status, setStatus] = useState<PaymentStatus>('PENDING');
      goOn = setStatus;
      return useVerify({ paymentId: 'p-1', status });
    });
    return {
      now: () => hook.result.current,
      async verify() {
        await hook.act(() => hook.result.current.verify());
        await page.wait();
      },
      goOn: (status: PaymentStatus) => hook.act(() => goOn(status)),
    };
  }

  const answered = (before: PaymentStatus, after: PaymentStatus) => () => ({
    kind: 'verified',
    before,
    after,
    answered: true,
    underReview: false,
  });

  test('that a payment stays pending is not said any more once it has succeeded', async () => {
    page.server().on('payments.verify', answered('PENDING', 'PENDING'));
    const payment = await open();
    await payment.verify();
    expect(payment.now().result).toBe('Verified: the gateway has no payment, so it stays pending.');
    await payment.goOn('SUCCESS');
    expect(payment.now().result).toBe('');
  });

  test('a result that changes the payment is shown before and after the payment is read again', async () => {
    page.server().on('payments.verify', answered('PENDING', 'SUCCESS'));
    const payment = await open();
    await payment.verify();
    const text = 'Verified: the payment is now succeeded.';
    expect(payment.now().result).toBe(text);
    await payment.goOn('SUCCESS');
    expect(payment.now().result).toBe(text);
  });

  test('why a verification failed is shown until the payment goes on', async () => {
    page.server().on('payments.verify', () => {
      throw new Error('The database is unavailable.');
    });
    const payment = await open();
    await payment.verify();
    expect(payment.now()).toMatchObject({ result: '', refusal: 'The database is unavailable.' });
    await payment.goOn('FAILED');
    expect(payment.now().refusal).toBeNull();
  });
});

const NOW = Date.parse('2026-11-22T12:00:00Z');
const refund = (state: 'REQUESTED' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'NEEDS_ATTENTION', minutesAgo: number) => ({
  state,
  createdAt: new Date(NOW - minutesAgo * 60_000),
});

describe('a payment is read again', () => {
  test('until its checkout has ended', () => {
    expect(watchInterval({ status: 'PENDING', refunds: [] }, NOW)).toBe(5_000);
    expect(watchInterval({ status: 'FAILED', refunds: [] }, NOW)).toBe(false);
  });

  test('while a refund is under way: every two seconds at first, then less often', () => {
    for (const state of ['REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION'] as const) {
      expect(watchInterval({ status: 'SUCCESS', refunds: [refund(state, 1)] }, NOW)).toBe(2_000);
      expect(watchInterval({ status: 'SUCCESS', refunds: [refund(state, 600)] }, NOW)).toBe(15_000);
    }
    expect(watchInterval({ status: 'SUCCESS', refunds: [refund('PROCESSING', 600), refund('REQUESTED', 0)] }, NOW)).toBe(2_000);
  });

  test('not at all once every refund has ended', () => {
    const refunds = [refund('SUCCEEDED', 0), refund('FAILED', 0)];
    expect(watchInterval({ status: 'SUCCESS', refunds }, NOW)).toBe(false);
    expect(watchInterval({ status: 'REFUNDED', refunds }, NOW)).toBe(false);
  });
});
