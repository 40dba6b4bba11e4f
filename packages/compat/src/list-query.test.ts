import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as flutterwave from './flutterwave/flutterwave.ts';
import { refundStatusOf as flutterwaveStatus } from './flutterwave/write.ts';
import * as paystack from './paystack/paystack.ts';
import { customerCode, readCustomer } from './paystack/write.ts';
import type { Read } from './problem.ts';

function wanted<Value>(result: Read<Value>): Value {
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.problem));
  return result.value;
}
const problemOf = (result: Read<unknown>) => (result.kind === 'refused' ? result.problem : null);

describe('a query of a list', () => {
  it.each([
    [{ from: '2026-11-20', to: '2026-11-20' }, '2026-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
    [
      { from: '2026-11-20T05:00:00.000Z', to: '2026-11-20T05:00:00.000Z' },
      '2026-11-20T05:00:00.000Z',
      '2026-11-20T05:00:00.001Z',
    ],
    // Without a zone, as paystack-node writes a Date; with a plus sign that was not encoded; as PHP writes a time.
    [{ from: '2026-11-20T05:00:00.500' }, '2026-11-20T05:00:00.500Z', null],
    [{ from: '2026-11-20T05%3A00%3A00.500' }, '2026-11-20T05:00:00.500Z', null],
    [{ from: '2026-11-20T05:00:00 01:00' }, '2026-11-20T04:00:00.000Z', null],
    [{ to: '2026-11-20 05:00:00' }, null, '2026-11-20T05:00:00.001Z'],
    [{ from: '2026-11-20T05:00' }, '2026-11-20T05:00:00.000Z', null],
    [{ from: '', to: undefined }, null, null],
    // How programs write "no end".
    [{ to: '9999-12-31' }, null, '9999-12-31T23:59:59.999Z'],
    [{ to: '9999-12-31T23:59:59-12:00' }, null, '9999-12-31T23:59:59.999Z'],
    [{ from: '1920-01-01' }, '1919-12-31T23:00:00.000Z', null],
  ])('with the time %j has both ends in it', (sent, from, to) => {
    const { createdFrom, createdTo } = wanted(paystack.readTotalsQuery(sent));
    expect([createdFrom?.toISOString() ?? null, createdTo?.toISOString() ?? null]).toEqual([from, to]);
  });

  it.each([
    '2026-02-30',
    '20 Nov',
    '1763600000',
    '2026-11-20T25:00:00Z',
    '2026-02-30T05:00:00Z',
    '0000-01-01',
    '0001-01-01T00:00:00+14:00',
    'x',
  ])('has no time %j', (text) => {
    expect(problemOf(paystack.readTotalsQuery({ from: text }))).toMatchObject({ kind: 'invalid_field', field: 'from' });
    expect(problemOf(flutterwave.readRefundList({ to: text }))).toMatchObject({ kind: 'invalid_field', field: 'to' });
  });

  it('of any form is read or refused, and never throws', () => {
    const names = [
      'from',
      'to',
      'page',
      'perPage',
      'status',
      'customer',
      'amount',
      'next',
      'channel',
      'id',
      'currency',
      'tx_ref',
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.string(), fc.nat().map(String))), (sent) => {
        for (const reads of [paystack, flutterwave]) {
          expect(['read', 'refused']).toContain(reads.readTransactionList(sent).kind);
          expect(['read', 'refused']).toContain(reads.readRefundList(sent).kind);
        }
      }),
    );
  });
});

describe('a query of Paystack', () => {
  it('has 50 a page, and 100 at most', () => {
    const pageOf = (sent: object) => wanted(paystack.readTransactionList({ ...sent })).page;
    expect(pageOf({})).toEqual({ page: 1, perPage: 50, skipped: 0 });
    expect(pageOf({ perPage: '20', page: '3' })).toEqual({ page: 3, perPage: 20, skipped: 40 });
    expect(pageOf({ per_page: '1000', page: '2' })).toEqual({ page: 2, perPage: 100, skipped: 100 });
    expect(problemOf(paystack.readTransactionList({ page: '2002' }))).toEqual({ kind: 'list_too_long' });
    for (const sent of [{ page: '0' }, { page: '-1' }, { perPage: '0' }, { perPage: 'x' }]) {
      expect(problemOf(paystack.readTransactionList(sent))).toMatchObject({ kind: 'invalid_field' });
    }
  });

  it('reads cursors', () => {
    const placeOf = (sent: object) => wanted(paystack.readTransactionList({ ...sent }));
    expect(placeOf({ use_cursor: 'true', perPage: '49' })).toMatchObject({
      page: null,
      perPage: 49,
      place: { kind: 'skip', rows: 0 },
    });
    expect(placeOf({ use_cursor: 'true', next: '41' })).toMatchObject({ page: null, place: { kind: 'after', number: 41 } });
    expect(placeOf({ previous: '41' })).toMatchObject({ page: null, place: { kind: 'before', number: 41 } });
    expect(problemOf(paystack.readTransactionList({ next: 'x' }))).toMatchObject({ kind: 'invalid_field', field: 'next' });
  });

  it.each([
    ['success', ['paid']],
    ['failed', ['failed']],
    ['abandoned', ['open']],
    ['processing', ['under_review']],
    ['reversed', ['reversed']],
    ['ongoing', []],
    ['all', null],
  ])('for the status %s finds %j', (status, states) => {
    expect(wanted(paystack.readTransactionList({ status })).filter.states).toEqual(states);
  });

  it.each([
    [{ status: 'paid' }, { kind: 'invalid_field', field: 'status' }],
    [{ status: 'toString' }, { kind: 'invalid_field', field: 'status' }],
    [{ amount: '20050' }, { kind: 'invalid_field', field: 'amount' }],
    [{ channel: 'pos' }, { kind: 'invalid_field', field: 'channel' }],
    [{ settlement: '7' }, { kind: 'field_not_mapped', field: 'settlement' }],
    [{ terminalid: '7' }, { kind: 'field_not_mapped', field: 'terminalid' }],
    [{ subaccount_code: 'ACCT_1' }, { kind: 'field_not_mapped', field: 'subaccount_code' }],
    [{ reference: 'ref-1' }, { kind: 'field_not_mapped', field: 'reference' }],
    [{ plan: 'PLN_1' }, { kind: 'field_not_mapped', field: 'plan' }],
    [{ Status: 'failed' }, { kind: 'field_not_mapped', field: 'Status' }],
    [{ 'customer[]': '7' }, { kind: 'field_not_mapped', field: 'customer[]' }],
    [{ amount: '' }, { kind: 'invalid_field', field: 'amount' }],
    [{ customer: '' }, { kind: 'invalid_field', field: 'customer' }],
    [
      { customer: '7', customer_code: 'CUS_7' },
      { kind: 'invalid_field', field: 'customer_code' },
    ],
  ])('with %j is refused, because leaving it out would answer with more', (sent, problem) => {
    expect(problemOf(paystack.readTransactionList(sent))).toMatchObject(problem);
  });

  it('has amounts in kobo', () => {
    const { filter } = wanted(paystack.readTransactionList({ amount: '20000', channel: 'bank_transfer' }));
    expect(filter).toMatchObject({ amount: 200n, method: 'TRANSFER', customer: null });
  });

  it.each([
    [paystack.readTotalsQuery({ currency: 'NGN' }), { kind: 'field_not_mapped', field: 'currency' }],
    [paystack.readRefundList({ status: 'failed' }), { kind: 'field_not_mapped', field: 'status' }],
    [paystack.readRefundList({ id: '7' }), { kind: 'field_not_mapped', field: 'id' }],
    [paystack.readRefundList({ reference: '' }), { kind: 'invalid_field', field: 'reference' }],
    [paystack.readRefundList({ transaction: '' }), { kind: 'invalid_field', field: 'transaction' }],
    [paystack.readRefundList({ transaction: '7', reference: 'ref-1' }), { kind: 'invalid_field', field: 'reference' }],
  ])('of totals or refunds is refused with %j', (result, problem) => {
    expect(problemOf(result)).toMatchObject(problem);
  });

  it('takes what is documented, and what is empty where that asks for nothing', () => {
    const places = { perPage: '2', page: '1', from: '', to: '', status: '', channel: '', settlement: '', source: 'merchantApi' };
    expect(wanted(paystack.readTransactionList(places)).perPage).toBe(2);
    expect(wanted(paystack.readTotalsQuery({ perPage: '50', page: '1' }))).toEqual({ createdFrom: null, createdTo: null });
    const refunds = ['ngn', 'NGN', 'USD', ''].map((currency) => wanted(paystack.readRefundList({ currency })).isOtherCurrency);
    expect(refunds).toEqual([false, false, true, false]);
  });

  it('finds a customer by the id, the code and the address', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (number) => {
        expect(readCustomer(customerCode(number))).toEqual({ number });
        expect(readCustomer(String(number))).toEqual({ number });
      }),
    );
    for (const text of ['ada@example.com', 'CUS_', 'CUS_zzzzzzzzzzzz', 'CUS_1-'])
      expect(readCustomer(text)).toEqual({ email: text });
  });
});

describe('a query of Flutterwave', () => {
  it('has pages of the documented size', () => {
    expect(wanted(flutterwave.readTransactionList({ page: '2' })).page).toEqual({ page: 2, perPage: 10, skipped: 10 });
    expect(wanted(flutterwave.readRefundList({ page: '2' })).page).toEqual({ page: 2, perPage: 20, skipped: 20 });
  });

  it.each([
    [{ status: 'successful' }, { states: ['paid'] }],
    [{ status: 'pending' }, { states: ['open', 'under_review'] }],
    [{ currency: 'USD', status: 'failed' }, { states: [] }],
    [{ currency: 'NGN' }, { states: null }],
    [
      { customer_email: 'ada@example.com', tx_ref: 'tx-1' },
      { customer: { email: 'ada@example.com' }, reference: 'tx-1' },
    ],
  ])('reads %j', (sent, filter) => {
    expect(wanted(flutterwave.readTransactionList(sent)).filter).toMatchObject(filter);
  });

  it('finds refunds by every status that they are shown with, and by the documented ones', () => {
    for (const state of ['REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'] as const) {
      expect(wanted(flutterwave.readRefundList({ status: flutterwaveStatus({ state }) })).states).toContain(state);
    }
    for (const status of ['completed-mpgs', 'completed-bank-transfer', 'successful']) {
      expect(wanted(flutterwave.readRefundList({ status })).states).toEqual(['SUCCEEDED']);
    }
  });

  it.each([
    [flutterwave.readTransactionList({ customer_fullname: 'Ada' }), { kind: 'field_not_mapped', field: 'customer_fullname' }],
    [flutterwave.readTransactionList({ status: 'paid' }), { kind: 'invalid_field', field: 'status' }],
    [flutterwave.readRefundList({ flw_ref: 'x' }), { kind: 'field_not_mapped', field: 'flw_ref' }],
    [flutterwave.readRefundList({ id: 'x' }), { kind: 'invalid_field', field: 'id' }],
    [flutterwave.readRefundList({ id: '' }), { kind: 'invalid_field', field: 'id' }],
    [flutterwave.readRefundList({ tx_ref: 'tx-1' }), { kind: 'field_not_mapped', field: 'tx_ref' }],
    [flutterwave.readTransactionList({ tx_ref: '' }), { kind: 'invalid_field', field: 'tx_ref' }],
    [flutterwave.readTransactionList({ txref: 'tx-1' }), { kind: 'field_not_mapped', field: 'txref' }],
    [flutterwave.readTransactionList({ amount: '100' }), { kind: 'field_not_mapped', field: 'amount' }],
    [flutterwave.readTransactionList({ customer_email: 'a@b.co', email: 'c@b.co' }), { kind: 'invalid_field', field: 'email' }],
    [flutterwave.readRefundList({ page: '9999999' }), { kind: 'list_too_long' }],
  ])('is refused with %j', (result, problem) => {
    expect(problemOf(result)).toMatchObject(problem);
  });
});
