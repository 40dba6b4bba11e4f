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

  test('are those with a session, as JSON or packed', async () => {
    const { pool } = context.database;
    const packed = await recordPayment(context, merchantId);
    const asJson = await recordPayment(context, merchantId);
    await pool.query(`UPDATE payment SET session = '{}', packed_session = NULL WHERE id = $1`, [asJson.paymentId]);
    const { rows } = await pool.query('SELECT id FROM payment WHERE packed_session IS NOT NULL');
    expect(rows).toEqual([{ id: packed.paymentId }]);
    const found = await sampleOpenedPayments(pool, 'public', merchantId);
    expect(found.sort()).toEqual([packed.paymentId, asJson.paymentId].sort());
  });
});
