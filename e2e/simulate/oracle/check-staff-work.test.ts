import { describe, expect, test } from 'vitest';
import type { ExportedRow } from '../product/staff-work.ts';
import { checkStaffWork, type Erasure, type StaffWork } from './check-staff-work.ts';

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
const right: StaffWork = { exported: { ...none, payments: [written] }, stored: { ...none, payments: [stored] }, erasure };

function exporting(...payments: ExportedRow[]): StaffWork {
  return { ...right, exported: { ...none, payments } };
}

function erasing(change: Partial<Erasure>): StaffWork {
  return { ...right, erasure: { ...erasure, ...change } };
}

describe('files and erasures', () => {
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
    ['an address that was left', 'erased_too_little', erasing({ left: [{ table: 'gateway_webhook', rows: 2 }] })],
  ])('finds %s', (_what, kind, work) => {
    expect(new Set(checkStaffWork(work).map((each) => each.kind))).toEqual(new Set([kind]));
  });
});
