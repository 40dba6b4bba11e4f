import { openTestPayments, recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleOpenedPayments } from './operations.ts';

let context: TestPayments;
let merchantId: string;

beforeAll(async () => {
  context = await openTestPayments();
  merchantId = (await createTestMerchant(context, { 'paystack-main': {} })).merchantId;
});
afterAll(() => context.close());

describe('payments that are read', () => {
  test('have to be there', async () => {
    await expect(sampleOpenedPayments(context.database.pool, 'public', merchantId)).rejects.toThrow('was opened');
  });

  test('are those with a session', async () => {
    const opened = await recordPayment(context, merchantId);
    expect(await sampleOpenedPayments(context.database.pool, 'public', merchantId)).toEqual([opened.paymentId]);
  });
});
