import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { writeMeta as writeFlutterwaveMeta } from './flutterwave/flutterwave.ts';
import { writeListedRefund, writeListedTransaction } from './flutterwave/write.ts';
import { writeCursorMeta, writeMeta, writeTransactionMeta } from './paystack/paystack.ts';
import { writeRefund, writeTotals, writeTransaction } from './paystack/write.ts';
import type { NumberedRefund, Transaction } from './transactions/transaction.ts';

/* Rows and `meta` of lists have every field of the answers that the gateways' documentation prints, of the same type where both have one. */

const list = z.object({
  name: z.string(),
  body: z.looseObject({ data: z.array(z.looseObject({})), meta: z.looseObject({}).optional() }),
});

/** The documented list of a gateway with a name. */
function documented(gateway: 'paystack' | 'flutterwave', name: string) {
  const file = new URL(`../../gateways/documented/${gateway}.json`, import.meta.url);
  const { examples } = z
    .object({ examples: z.array(z.looseObject({ name: z.string() })) })
    .parse(JSON.parse(readFileSync(file, 'utf8')));
  return list.parse(examples.find((example) => example.name === name)).body;
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);

/** Fields of documented rows that ours lack, or have with another type. A documented null is of any type. */
function differences(rows: readonly object[], ours: object): string[] {
  const sent = new Map(Object.entries(ours));
  return rows.flatMap((row) =>
    Object.entries(row).flatMap(([field, value]) => {
      if (!sent.has(field)) return [`${field} is missing`];
      const [theirs, own] = [typeOf(value), typeOf(sent.get(field))];
      return theirs === own || theirs === 'null' ? [] : [`${field} is ${own}, not ${theirs}`];
    }),
  );
}

const AT = new Date('2026-11-20T14:00:00.000Z');
const transaction: Transaction = {
  merchantId: '0190a1b2-0000-7000-8000-000000000001',
  paymentId: '0190a1b2-0000-7000-8000-000000000002',
  number: 4_100_000_001,
  mode: 'test',
  reference: 'ref-1',
  status: 'SUCCESS',
  underReview: false,
  isReversed: false,
  amount: 2_500n,
  currency: 'NGN',
  email: 'ada@example.com',
  phone: '08012345678',
  customerName: { first: 'Ada', last: 'Obi' },
  customerNumber: 4_100_000_000,
  metadata: { cart: 7 },
  method: 'BANK',
  fee: '37.5',
  gatewayReference: 'gw-1',
  failure: null,
  paidAt: AT,
  createdAt: AT,
};
const refund: NumberedRefund = {
  number: 4_100_000_002,
  state: 'SUCCEEDED',
  amount: 1_000n,
  currency: 'NGN',
  reason: 'Torn',
  createdAt: AT,
  updatedAt: AT,
};
const page = { page: 1, perPage: 50, skipped: 0 };

describe('a list in the form of Paystack', () => {
  it('has the documented fields of transactions but what is known at one gateway alone, and the cursors', () => {
    const { data, meta } = documented('paystack', 'transactions: a page by cursor');
    // `plan` is null in the documented answer to verify.
    const unknown = ['ip_address is null, not string', 'log is null, not object', 'plan is null, not object'];
    expect(differences(data, writeTransaction(transaction))).toEqual(unknown);
    const customer = z.object({ customer: z.looseObject({}) }).parse(data[0]).customer;
    expect(differences([customer], writeTransaction(transaction).customer)).toEqual([]);
    const ours = writeCursorMeta({ items: [transaction], hasNewer: true, hasOlder: true }, 50);
    expect(Object.keys(ours).toSorted()).toEqual(Object.keys(meta ?? {}).toSorted());
    expect(ours).toEqual({ next: '4100000001', previous: '4100000001', perPage: 50 });
  });

  it('has the documented fields of refunds, and of a numbered page', () => {
    const { data, meta } = documented('paystack', 'refunds: a numbered page');
    expect(differences(data, writeRefund(refund, transaction, { whole: false }))).toEqual([]);
    expect(Object.keys(writeMeta(page, 2)).toSorted()).toEqual(Object.keys(meta ?? {}).toSorted());
    expect(writeMeta({ page: 3, perPage: 50, skipped: 100 }, 101)).toEqual({
      total: 101,
      skipped: 100,
      perPage: 50,
      page: 3,
      pageCount: 3,
    });
    // https://paystack.com/docs/api/pagination/#offset-pagination: the sum of the transactions that were fetched.
    expect(writeTransactionMeta(page, 7_316, [transaction, transaction])).toEqual({
      total: 7_316,
      total_volume: 500_000,
      skipped: 0,
      perPage: 50,
      page: 1,
      pageCount: 147,
    });
  });

  it('has the documented totals', () => {
    // PaystackOSS/doc-code-snippets at 94af513, src/api/transactions/totals/response.json.
    const fields = [
      'total_transactions',
      'total_volume',
      'total_volume_by_currency',
      'pending_transfers',
      'pending_transfers_by_currency',
    ];
    const totals = writeTotals([{ currency: 'NGN', transactions: 9, paid: 3, paidAmount: 7_500n }]);
    expect(Object.keys(totals)).toEqual(fields);
    expect(totals).toMatchObject({
      total_transactions: 3,
      total_volume: 750_000,
      total_volume_by_currency: [{ currency: 'NGN', amount: 750_000 }],
    });
    expect(writeTotals([{ currency: 'NGN', transactions: 9, paid: 0, paidAmount: 0n }]).total_volume_by_currency).toEqual([]);
  });
});

describe('a list in the form of Flutterwave', () => {
  it('has the documented fields of transactions but the bank account, which is not known here', () => {
    const { data, meta } = documented('flutterwave', 'transactions: a page');
    expect(new Set(differences(data, writeListedTransaction(transaction)))).toEqual(new Set(['account is missing']));
    expect(writeListedTransaction(transaction)).toMatchObject({
      customer_name: 'Ada Obi',
      amount_settled: 2_462.5,
      id: '4100000001',
    });
    const info = z.object({ page_info: z.looseObject({}) }).parse(meta).page_info;
    expect(differences([info], writeFlutterwaveMeta({ page: 1, perPage: 10, skipped: 0 }, 44).page_info)).toEqual([]);
    expect(writeFlutterwaveMeta({ page: 1, perPage: 10, skipped: 0 }, 44)).toEqual({
      page_info: { total: 44, current_page: 1, total_pages: 5, page_size: 10 },
    });
  });

  it('has the documented fields of refunds', () => {
    const { data, meta } = documented('flutterwave', 'refunds: a page');
    expect(differences(data, writeListedRefund(refund, transaction))).toEqual([]);
    const info = z.object({ page_info: z.looseObject({}) }).parse(meta).page_info;
    expect(Object.keys(info).toSorted()).toEqual(
      Object.keys(writeFlutterwaveMeta({ page: 1, perPage: 20, skipped: 0 }, 1).page_info).toSorted(),
    );
  });
});
