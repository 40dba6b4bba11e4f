import { openTestPayments, recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExportedRow } from '../product/exported-lists.ts';
import { checkStaffWork, type Erasure, type StaffWork, searchTables } from './check-staff-work.ts';

const stored: ExportedRow = {
  id: 'p1',
  status: 'SUCCESS',
  amount: 2_500,
  fee_amount: 37.5,
  customer_id: null,
  paid_at: '2026-11-20',
};
const written: ExportedRow = { payment_id: 'p1', status: 'SUCCESS', amount: 2_500, fee_amount: '37.5', customer_id: null };
const none = { refunds: [], 'duplicate-charges': [], 'webhook-deliveries': [] };
const own = { table: 'payment', id: 'p1', payment_id: 'p1', kept: 'k1', whole: 'w1' };
const other = { table: 'attempt', id: 'a2', payment_id: 'p2', kept: 'k2', whole: 'w2' };
const erasure: Erasure = {
  paymentId: 'p1',
  isDone: true,
  before: [own, other],
  after: [{ ...own, whole: 'w9' }, other],
  left: [],
};
const refused = { what: 'a viewer refunds', refusedAs: ['FORBIDDEN'], answer: 'FORBIDDEN' };
const right: StaffWork = {
  exported: { ...none, payments: [written] },
  stored: { ...none, payments: [stored] },
  erasure,
  forbidden: [refused],
};

function exporting(...payments: ExportedRow[]): StaffWork {
  return { ...right, exported: { ...none, payments } };
}

function erasing(change: Partial<Erasure>): StaffWork {
  return { ...right, erasure: { ...erasure, ...change } };
}

describe('files, erasures and refusals', () => {
  test('nothing is found where they are right', () => {
    expect(checkStaffWork(right)).toEqual([]);
    expect(checkStaffWork(erasing({ isDone: false, after: erasure.before, left: [{ table: 'payment', rows: 1 }] }))).toEqual([]);
  });

  test.each<[string, string, StaffWork]>([
    ['a row that the file lacks', 'export_differs', exporting()],
    ['a row that the file has twice', 'export_differs', exporting(written, written)],
    ['a row that is on no record', 'export_differs', exporting(written, { ...written, payment_id: 'p9' })],
    ['another amount', 'export_differs', exporting({ ...written, amount: 2_501 })],
    ['another status', 'export_differs', exporting({ ...written, status: 'FAILED' })],
    ['a fee that is left out', 'export_differs', exporting({ ...written, fee_amount: null })],
    ['another customer’s row that changed', 'erased_too_much', erasing({ after: [own, { ...other, whole: 'w9' }] })],
    ['another customer’s row that is gone', 'erased_too_much', erasing({ after: [own] })],
    ['an amount of the customer’s that changed', 'erased_too_much', erasing({ after: [{ ...own, kept: 'k9' }, other] })],
    ['a payment of the customer’s that is gone', 'erased_too_much', erasing({ after: [other] })],
    ['a refused erasure that changed something', 'erased_too_much', erasing({ isDone: false })],
    ['what a role may not, granted', 'not_refused', { ...right, forbidden: [{ ...refused, answer: 'requested' }] }],
    [
      'what a role may not, refused as if it were not there',
      'not_refused',
      { ...right, forbidden: [{ ...refused, answer: 'NOT_FOUND' }] },
    ],
    ['an address that was left', 'erased_too_little', erasing({ left: [{ table: 'gateway_webhook', rows: 2 }] })],
  ])('finds %s', (_what, kind, work) => {
    expect(new Set(checkStaffWork(work).map((each) => each.kind))).toEqual(new Set([kind]));
  });
});

describe('the search for what an erasure left', () => {
  const email = 'customer-7@example.com';
  let context: TestPayments;
  let paymentId: string;
  let otherPaymentId: string;

  const run = async (statement: string, values: readonly unknown[] = []): Promise<unknown[]> =>
    (await context.database.pool.query(statement, [...values])).rows;
  const search = () => searchTables(run, { paymentId, email });

  const PACK_CALL = `UPDATE attempt SET packed_call = '\\x01' WHERE payment_id = $1`;
  const PACK_BODY = `INSERT INTO gateway_webhook (merchant_id, id, account_id, gateway, dedupe_key, event, reference, packed_body, state, received_at)
    SELECT merchant_id, payment_id, account_id, gateway, reference, 'charge.success', reference, '\\x01', 'PROCESSED', now()
    FROM attempt WHERE payment_id = $1`;
  const KEEP_REQUEST = `INSERT INTO api_request (merchant_id, mode, id, key_id, request_id, method, path, status, duration_ms, ended_at, request_body)
    SELECT merchant_id, mode, id, id, id, 'POST', '/v1/payments/initiate', 400, 1, now(), '{"email":"Customer-7@Example.com"}'
    FROM payment WHERE id = $1`;

  beforeAll(async () => {
    context = await openTestPayments();
    const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
    const pay = () => recordPayment(context, merchantId, { status: 'SUCCESS' });
    [{ paymentId }, { paymentId: otherPaymentId }] = [await pay(), await pay()];
    await run('UPDATE attempt SET packed_call = NULL');
    for (const statement of [PACK_CALL, PACK_BODY]) await run(statement, [otherPaymentId]);
  });
  afterAll(() => context.close());

  test('finds nothing where packed texts are those of other payments', async () => {
    expect(await search()).toEqual([]);
  });

  test.each([
    ['attempt', 'a recorded call', PACK_CALL, 'UPDATE attempt SET packed_call = NULL WHERE payment_id = $1'],
    ['gateway_webhook', 'the body of a webhook', PACK_BODY, 'DELETE FROM gateway_webhook WHERE id = $1'],
    ['api_request', 'the address in a refused request', KEEP_REQUEST, 'DELETE FROM api_request WHERE id = $1'],
  ])('finds in %s %s', async (table, _what, leave, remove) => {
    await run(leave, [paymentId]);
    expect(await search()).toEqual([{ table, rows: 1 }]);
    await run(remove, [paymentId]);
  });
});
