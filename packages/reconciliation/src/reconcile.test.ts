import { addDecimals, subtractDecimals } from '@switchyard/db/decimals';
import type { ListedPayment, ListedRefund } from '@switchyard/gateways';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerPayment, LedgerRefund } from './ledger.ts';
import { reconcile } from './reconcile.ts';
import {
  day,
  kinds,
  ledgerOf,
  ledgerPayment,
  ledgerRefund,
  statementOf,
  statementPayment,
  statementRefund,
} from './testing/ledgers.ts';

/** How many times as much is drawn: `PROPERTY_TIMES=20` at night. */
const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);

/** One change to otherwise equal sides, and the one discrepancy that must result. */
interface Plant {
  readonly statement: readonly ListedPayment[];
  readonly ledger: readonly LedgerPayment[];
  readonly statementRefunds?: readonly ListedRefund[];
  readonly ledgerRefunds?: readonly LedgerRefund[];
  readonly found: readonly string[];
}

const amount = fc
  .integer({ min: 1, max: 10_000_000 })
  .map((kobo) => addDecimals(`${Math.floor(kobo / 100)}.${String(kobo % 100).padStart(2, '0')}`));

const plantOf = (at: number): fc.Arbitrary<Plant> => {
  const own = `transaction/${1000 + at}`;
  const fixed: readonly Plant[] = [
    { statement: [statementPayment(at)], ledger: [ledgerPayment(at)], found: [] },
    { statement: [statementPayment(at)], ledger: [], found: [`MISSING_HERE ${own}`] },
    { statement: [statementPayment(at, { reference: null })], ledger: [], found: [`MISSING_HERE ${own}`] },
    { statement: [statementPayment(at, { status: 'reversed' })], ledger: [], found: [`MISSING_HERE ${own}`] },
    { statement: [statementPayment(at, { status: 'open' })], ledger: [], found: [] },
    { statement: [statementPayment(at, { status: 'unpaid' })], ledger: [], found: [] },
    { statement: [], ledger: [ledgerPayment(at)], found: [`MISSING_THERE reference/sw-${at}`] },
    { statement: [], ledger: [ledgerPayment(at, { paid: false, status: 'FAILED' })], found: [] },
    {
      statement: [statementPayment(at)],
      ledger: [ledgerPayment(at, { paid: false, status: 'PENDING' })],
      found: [`STATUS ${own}`],
    },
    {
      statement: [statementPayment(at)],
      ledger: [ledgerPayment(at, { paid: false, status: 'FAILED' })],
      found: [`STATUS ${own}`],
    },
    {
      statement: [statementPayment(at, { status: 'open' })],
      ledger: [ledgerPayment(at, { paid: false, status: 'PENDING' })],
      found: [],
    },
    {
      statement: [statementPayment(at, { status: 'unpaid' })],
      ledger: [ledgerPayment(at, { paid: false, status: 'FAILED' })],
      found: [],
    },
    { statement: [statementPayment(at, { status: 'unpaid' })], ledger: [ledgerPayment(at)], found: [`STATUS ${own}`] },
    { statement: [statementPayment(at, { status: 'open' })], ledger: [ledgerPayment(at)], found: [`STATUS ${own}`] },
    { statement: [statementPayment(at, { status: 'reversed' })], ledger: [ledgerPayment(at)], found: [`STATUS ${own}`] },
    { statement: [statementPayment(at, { status: 'reversed' })], ledger: [ledgerPayment(at, { status: 'REFUNDED' })], found: [] },
    { statement: [statementPayment(at, { status: 'reversed' })], ledger: [ledgerPayment(at, { refunded: '2500' })], found: [] },
    { statement: [statementPayment(at, { status: 'reversed' })], ledger: [ledgerPayment(at, { reversed: '2500' })], found: [] },
    {
      statement: [statementPayment(at, { status: 'reversed' })],
      ledger: [ledgerPayment(at, { reversed: '1000', refunded: '1500' })],
      found: [],
    },
    { statement: [statementPayment(at, { currency: 'USD' })], ledger: [ledgerPayment(at)], found: [`CURRENCY ${own}`] },
    // Money that did not match the order, and was refunded.
    {
      statement: [statementPayment(at)],
      ledger: [ledgerPayment(at, { paid: false, status: 'PENDING', refunded: '2500' })],
      found: [],
    },
    {
      statement: [statementPayment(at, { status: 'open' })],
      ledger: [ledgerPayment(at, { paid: false, status: 'PENDING', refunded: '5' })],
      found: [`STATUS ${own}`],
    },
    // A failed attempt before the one that paid.
    {
      statement: [statementPayment(at, { transactionId: `${at}0`, status: 'unpaid' }), statementPayment(at)],
      ledger: [ledgerPayment(at)],
      found: [],
    },
    // A second charge under a paid reference.
    {
      statement: [statementPayment(at), statementPayment(at, { transactionId: `x${at}` })],
      ledger: [ledgerPayment(at)],
      found: [`MISSING_HERE transaction/x${at}`],
    },
    // Only the second charge is of this day; the first one must not be reported as missing.
    {
      statement: [statementPayment(at, { transactionId: `y${at}` })],
      ledger: [ledgerPayment(at, { createdAt: new Date('2026-11-19T11:00:00Z') })],
      found: [`MISSING_HERE transaction/y${at}`],
    },
    { statement: [], ledger: [], statementRefunds: [statementRefund(at)], ledgerRefunds: [ledgerRefund(at)], found: [] },
    {
      statement: [],
      ledger: [],
      statementRefunds: [statementRefund(at)],
      ledgerRefunds: [ledgerRefund(at, { gatewayRefundId: null, state: 'REQUESTED' })],
      found: [`STATUS refund/${500 + at}`],
    },
    {
      statement: [],
      ledger: [],
      statementRefunds: [statementRefund(at, { note: null })],
      ledgerRefunds: [],
      found: [`MISSING_HERE refund/${500 + at}`],
    },
    { statement: [], ledger: [], statementRefunds: [statementRefund(at, { state: 'failed' })], ledgerRefunds: [], found: [] },
    {
      statement: [],
      ledger: [],
      statementRefunds: [],
      ledgerRefunds: [ledgerRefund(at)],
      found: [`MISSING_THERE refund-reference/rf-${at}`],
    },
    {
      statement: [],
      ledger: [],
      statementRefunds: [],
      ledgerRefunds: [ledgerRefund(at, { state: 'REQUESTED', gatewayRefundId: null })],
      found: [],
    },
    { statement: [], ledger: [], statementRefunds: [], ledgerRefunds: [ledgerRefund(at, { state: 'FAILED' })], found: [] },
    {
      statement: [],
      ledger: [],
      statementRefunds: [statementRefund(at, { state: 'processing' })],
      ledgerRefunds: [ledgerRefund(at, { state: 'NEEDS_ATTENTION' })],
      found: [],
    },
    {
      statement: [],
      ledger: [],
      statementRefunds: [statementRefund(at, { state: 'failed' })],
      ledgerRefunds: [ledgerRefund(at)],
      found: [`STATUS refund/${500 + at}`],
    },
    {
      statement: [],
      ledger: [],
      statementRefunds: [statementRefund(at, { amount: '399.99' })],
      ledgerRefunds: [ledgerRefund(at)],
      found: [`AMOUNT refund/${500 + at}`],
    },
    {
      statement: [],
      ledger: [],
      statementRefunds: [statementRefund(at, { currency: null })],
      ledgerRefunds: [ledgerRefund(at)],
      found: [],
    },
    {
      statement: [],
      ledger: [],
      statementRefunds: [statementRefund(at, { currency: 'USD' })],
      ledgerRefunds: [ledgerRefund(at)],
      found: [`CURRENCY refund/${500 + at}`],
    },
  ];
  const amounts = fc.tuple(amount, amount).map(
    ([there, here]): Plant => ({
      statement: [statementPayment(at, { amount: there })],
      ledger: [ledgerPayment(at, { amount: here })],
      found: there === here ? [] : [`AMOUNT ${own}`],
    }),
  );
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fixed) }, { weight: 1, arbitrary: amounts });
};

const plants = fc
  .integer({ min: 0, max: 30 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => plantOf(at))));

/** The same rows in another order, some of them repeated. */
function shuffled<T>(rows: readonly T[]): fc.Arbitrary<T[]> {
  if (rows.length === 0) return fc.constant([]);
  return fc
    .tuple(fc.shuffledSubarray([...rows], { minLength: rows.length }), fc.array(fc.constantFrom(...rows), { maxLength: 5 }))
    .chain(([all, again]) => fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }));
}

const gathered = plants.chain((all) => {
  const rows = all.flatMap((plant) => plant.statement);
  const refunds = all.flatMap((plant) => plant.statementRefunds ?? []);
  const our = ledgerOf(
    all.flatMap((plant) => plant.ledger),
    all.flatMap((plant) => plant.ledgerRefunds ?? []),
  );
  return fc
    .tuple(shuffled(rows), shuffled(refunds), fc.shuffledSubarray([...our.payments], { minLength: our.payments.length }))
    .map(([listed, listedRefunds, payments]) => ({
      statement: statementOf(listed, listedRefunds),
      ledger: { ...our, payments },
      found: all.flatMap((plant) => plant.found).sort(),
    }));
});

describe('reconciling a day', () => {
  it('finds every planted discrepancy, and nothing else, for any order and repetition of rows', () => {
    fc.assert(
      fc.property(gathered, (given) => {
        expect(kinds(reconcile(given.statement, given.ledger, day).discrepancies)).toEqual(given.found);
      }),
      { numRuns: 100 * TIMES },
    );
  });

  it('adds up: the gateway’s total less the ledger’s is what the discrepancies count, to the last digit', () => {
    fc.assert(
      fc.property(gathered, (given) => {
        const { totals, discrepancies } = reconcile(given.statement, given.ledger, day);
        for (const { currency, ...sum } of totals) {
          const counted = (about: string, side: 'ledger' | 'statement') =>
            discrepancies
              .filter((discrepancy) => discrepancy.about === about && discrepancy.counted[side]?.currency === currency)
              .reduce((total, discrepancy) => addDecimals(total, discrepancy.counted[side]?.amount ?? '0'), '0');
          expect(subtractDecimals(sum.statement.amount, sum.ledger.amount)).toBe(
            subtractDecimals(counted('payment', 'statement'), counted('payment', 'ledger')),
          );
          expect(subtractDecimals(sum.statementRefunded.amount, sum.ledgerRefunded.amount)).toBe(
            subtractDecimals(counted('refund', 'statement'), counted('refund', 'ledger')),
          );
        }
      }),
      { numRuns: 60 * TIMES },
    );
  });

  it('of equal sides finds nothing, and the same totals on both sides', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(200)), fc.array(amount, { minLength: 201, maxLength: 201 }), (ids, amounts) => {
        const at = (id: number) => ({ amount: amounts[id] ?? '1' });
        const { discrepancies, totals } = reconcile(
          statementOf(ids.map((id) => statementPayment(id, at(id)))),
          ledgerOf(ids.map((id) => ledgerPayment(id, at(id)))),
          day,
        );
        expect(discrepancies).toEqual([]);
        for (const { ledger: here, statement: there } of totals) expect(there).toEqual(here);
      }),
    );
  });

  it('verifies attempts that the ledger lacks money for, once each, and no others', () => {
    const unpaid = [
      statementPayment(1),
      statementPayment(2),
      statementPayment(3, { status: 'open' }),
      statementPayment(4),
      statementPayment(4, { transactionId: 'second' }),
    ];
    const here = [ledgerPayment(1, { paid: false }), ledgerPayment(2), ledgerPayment(3, { paid: false }), ledgerPayment(4)];
    expect(reconcile(statementOf([...unpaid, ...unpaid]), ledgerOf(here), day).attemptsToVerify).toEqual([
      { attemptId: 'attempt-1', transactionId: '1001' },
      { attemptId: 'attempt-4', transactionId: 'second' },
    ]);
  });

  it('identifies duplicate charges by the gateway’s id, and compares them too', () => {
    const second = { paymentId: 'payment-1', attemptId: 'attempt-1', reference: 'sw-1', transactionId: 'second' };
    const duplicates = [{ ...second, amount: '2500', currency: 'NGN', state: 'OPEN' }];
    const list = statementOf([statementPayment(1), statementPayment(1, { transactionId: 'second' })]);
    const same = reconcile(list, { ...ledgerOf([ledgerPayment(1)]), duplicates }, day);
    expect(same).toMatchObject({
      discrepancies: [],
      attemptsToVerify: [],
      totals: [{ ledger: { count: 2, amount: '5000' }, statement: { count: 2 } }],
    });
    const other = reconcile(
      list,
      { ...ledgerOf([ledgerPayment(1)]), duplicates: [{ ...second, amount: '2400', currency: 'NGN', state: 'OPEN' }] },
      day,
    );
    expect(kinds(other.discrepancies)).toEqual(['AMOUNT transaction/second']);
  });

  it('counts a second attempt once, as the duplicate charge', () => {
    const second = { paymentId: 'payment-2', attemptId: 'attempt-2', reference: 'sw-2', transactionId: '1002' };
    const duplicates = [{ ...second, amount: '2500', currency: 'NGN', state: 'OPEN' }];
    const own = { ...ledgerOf([ledgerPayment(2, { paidAt: null })]), duplicates };
    expect(reconcile(statementOf([statementPayment(2)]), own, day)).toMatchObject({
      discrepancies: [],
      totals: [{ ledger: { count: 1, amount: '2500' }, statement: { count: 1, amount: '2500' } }],
    });
    expect(kinds(reconcile(statementOf([]), { ...own, duplicates: [] }, day).discrepancies)).toEqual([
      'MISSING_THERE reference/sw-2',
    ]);
  });

  it('does not report as missing what is listed on a neighbouring day', () => {
    const elsewhere = new Set(['1001', '502', 'rf-3']);
    const list = { ...statementOf([]), elsewhere };
    const own = ledgerOf([ledgerPayment(1), ledgerPayment(2)], [ledgerRefund(2), ledgerRefund(3), ledgerRefund(4)]);
    expect(kinds(reconcile(list, own, day).discrepancies)).toEqual([
      'MISSING_THERE reference/sw-2',
      'MISSING_THERE refund-reference/rf-4',
    ]);
  });

  it('reports missing entries of its own day only', () => {
    const beside = [new Date(day.from.getTime() - 1), day.to];
    const within = [day.from, new Date(day.to.getTime() - 1)];
    const of = (times: readonly Date[]) => times.map((createdAt, at) => ledgerPayment(at, { createdAt }));
    expect(reconcile(statementOf([]), ledgerOf(of(beside)), day).discrepancies).toEqual([]);
    expect(reconcile(statementOf([]), ledgerOf(of(within)), day).discrepancies.length).toBe(2);
  });

  it('takes the try that paid for the attempt, whatever came before it, where the ledger does not know which did', () => {
    const tries = (['unpaid', 'reversed', 'open', 'paid'] as const).map((status, at) =>
      statementPayment(1, { status, transactionId: `try-${at}`, createdAt: new Date(day.from.getTime() + at) }),
    );
    const own = ledgerOf([ledgerPayment(1, { paid: false, status: 'PENDING', transactionId: null })]);
    const { discrepancies, attemptsToVerify } = reconcile(statementOf(tries), own, day);
    expect(kinds(discrepancies)).toEqual(['MISSING_HERE transaction/try-1', 'STATUS transaction/try-3']);
    expect(attemptsToVerify).toEqual([{ attemptId: 'attempt-1', transactionId: 'try-3' }]);
  });

  it('misses refunds that the gateway must list: those that it accepted or that succeeded, and no others', () => {
    const refunds = [
      ledgerRefund(1, { state: 'PROCESSING' }),
      ledgerRefund(2, { state: 'NEEDS_ATTENTION' }),
      ledgerRefund(3, { state: 'SUCCEEDED', gatewayRefundId: null }),
      ledgerRefund(4, { state: 'PROCESSING', gatewayRefundId: null }),
      ledgerRefund(5, { state: 'FAILED' }),
    ];
    const { discrepancies } = reconcile(statementOf([]), ledgerOf([], refunds), day);
    expect(kinds(discrepancies)).toEqual([1, 2, 3].map((at) => `MISSING_THERE refund-reference/rf-${at}`));
  });

  it('compares payments alone where the gateway lists no refunds', () => {
    const list = { ...statementOf([statementPayment(1)]), refunds: null };
    const own = ledgerOf([ledgerPayment(1, { refunded: '500' })], [ledgerRefund(4, { state: 'SUCCEEDED' })]);
    const { discrepancies, totals } = reconcile(list, own, day);
    expect(discrepancies).toEqual([]);
    expect(totals).toMatchObject([{ ledger: { count: 1 }, ledgerRefunded: { count: 0 }, statementRefunded: { count: 0 } }]);
  });

  it('has attempts verified that are reversed on one side alone', () => {
    const list = statementOf([
      statementPayment(1, { status: 'reversed' }),
      statementPayment(2, { status: 'reversed' }),
      statementPayment(3),
      statementPayment(4),
      statementPayment(5, { status: 'reversed' }),
    ]);
    const own = ledgerOf([
      ledgerPayment(1),
      ledgerPayment(2, { reversed: '2500' }),
      ledgerPayment(3, { reversed: '2500' }),
      ledgerPayment(4),
      ledgerPayment(5, { refunded: '2500' }),
    ]);
    expect(reconcile(list, own, day).attemptsToVerify).toEqual([
      { attemptId: 'attempt-1', transactionId: '1001' },
      { attemptId: 'attempt-3', transactionId: '1003' },
    ]);
  });

  it('returns the fee of payments that have none recorded, and of no others', () => {
    const list = statementOf([
      statementPayment(1),
      statementPayment(2),
      statementPayment(3, { fee: null }),
      statementPayment(4, { status: 'reversed' }),
    ]);
    const own = ledgerOf([
      ledgerPayment(1, { lacksFee: true }),
      ledgerPayment(2),
      ledgerPayment(3, { lacksFee: true }),
      ledgerPayment(4, { lacksFee: true }),
    ]);
    expect(reconcile(list, own, day).fees).toEqual([{ paymentId: 'payment-1', fee: '37.5' }]);
  });
});
