import { useState } from 'react';
import { expect, test } from 'vitest';
import type { PaymentStatus } from '#/copy/payment-status.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { useVerify } from './use-verify.ts';

const page = openHookPage('?mode=live&merchant=m-1');

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
