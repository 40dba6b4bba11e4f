import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { usePaymentActions } from './use-payment-actions.ts';

const page = openHookPage('?mode=live&merchant=m-1');

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
