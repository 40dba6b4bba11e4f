import type { ListedPayment, ListedRefund } from '@switchyard/gateways';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDecimals, subtractDecimals } from './decimals.ts';
import type { LedgerPayment, LedgerRefund } from './ledger.ts';
import { reconcile } from './reconcile.ts';
import { books, day, kinds, listing, ourRefund, ours, theirRefund, theirs } from './testing/ledgers.ts';

/** One thing planted in otherwise equal books, and the one difference that must come of it. */
interface Plant {
  readonly theirs: readonly ListedPayment[];
  readonly ours: readonly LedgerPayment[];
  readonly theirRefunds?: readonly ListedRefund[];
  readonly ourRefunds?: readonly LedgerRefund[];
  readonly found: readonly string[];
}

const amount = fc
  .integer({ min: 1, max: 10_000_000 })
  .map((kobo) => addDecimals(`${Math.floor(kobo / 100)}.${String(kobo % 100).padStart(2, '0')}`));

const plantOf = (at: number): fc.Arbitrary<Plant> => {
  const own = `transaction/${1000 + at}`;
  const fixed: readonly Plant[] = [
    { theirs: [theirs(at)], ours: [ours(at)], found: [] },
    { theirs: [theirs(at)], ours: [], found: [`MISSING_HERE ${own}`] },
    { theirs: [theirs(at, { reference: null })], ours: [], found: [`MISSING_HERE ${own}`] },
    { theirs: [theirs(at, { status: 'reversed' })], ours: [], found: [`MISSING_HERE ${own}`] },
    { theirs: [theirs(at, { status: 'open' })], ours: [], found: [] },
    { theirs: [theirs(at, { status: 'unpaid' })], ours: [], found: [] },
    { theirs: [], ours: [ours(at)], found: [`MISSING_THERE reference/sw-${at}`] },
    { theirs: [], ours: [ours(at, { paid: false, status: 'FAILED' })], found: [] },
    { theirs: [theirs(at)], ours: [ours(at, { paid: false, status: 'PENDING' })], found: [`STATUS ${own}`] },
    { theirs: [theirs(at)], ours: [ours(at, { paid: false, status: 'FAILED' })], found: [`STATUS ${own}`] },
    { theirs: [theirs(at, { status: 'open' })], ours: [ours(at, { paid: false, status: 'PENDING' })], found: [] },
    { theirs: [theirs(at, { status: 'unpaid' })], ours: [ours(at, { paid: false, status: 'FAILED' })], found: [] },
    { theirs: [theirs(at, { status: 'unpaid' })], ours: [ours(at)], found: [`STATUS ${own}`] },
    { theirs: [theirs(at, { status: 'open' })], ours: [ours(at)], found: [`STATUS ${own}`] },
    { theirs: [theirs(at, { status: 'reversed' })], ours: [ours(at)], found: [`STATUS ${own}`] },
    { theirs: [theirs(at, { status: 'reversed' })], ours: [ours(at, { status: 'REFUNDED' })], found: [] },
    { theirs: [theirs(at, { status: 'reversed' })], ours: [ours(at, { refunded: '2500' })], found: [] },
    { theirs: [theirs(at, { currency: 'USD' })], ours: [ours(at)], found: [`CURRENCY ${own}`] },
    // Money that did not match the order, and was given back.
    { theirs: [theirs(at)], ours: [ours(at, { paid: false, status: 'PENDING', refunded: '2500' })], found: [] },
    {
      theirs: [theirs(at, { status: 'open' })],
      ours: [ours(at, { paid: false, status: 'PENDING', refunded: '5' })],
      found: [`STATUS ${own}`],
    },
    // A try that failed, before the one that paid.
    {
      theirs: [theirs(at, { transactionId: `${at}0`, status: 'unpaid' }), theirs(at)],
      ours: [ours(at)],
      found: [],
    },
    // A second charge under a reference that is paid.
    {
      theirs: [theirs(at), theirs(at, { transactionId: `x${at}` })],
      ours: [ours(at)],
      found: [`MISSING_HERE transaction/x${at}`],
    },
    // Only the second charge is of this day; the first is not, and so is not ours to miss.
    {
      theirs: [theirs(at, { transactionId: `y${at}` })],
      ours: [ours(at, { createdAt: new Date('2026-11-19T11:00:00Z') })],
      found: [`MISSING_HERE transaction/y${at}`],
    },
    { theirs: [], ours: [], theirRefunds: [theirRefund(at)], ourRefunds: [ourRefund(at)], found: [] },
    {
      theirs: [],
      ours: [],
      theirRefunds: [theirRefund(at)],
      ourRefunds: [ourRefund(at, { gatewayRefundId: null, state: 'REQUESTED' })],
      found: [`STATUS refund/${500 + at}`],
    },
    {
      theirs: [],
      ours: [],
      theirRefunds: [theirRefund(at, { note: null })],
      ourRefunds: [],
      found: [`MISSING_HERE refund/${500 + at}`],
    },
    { theirs: [], ours: [], theirRefunds: [theirRefund(at, { state: 'failed' })], ourRefunds: [], found: [] },
    { theirs: [], ours: [], theirRefunds: [], ourRefunds: [ourRefund(at)], found: [`MISSING_THERE refund-reference/rf-${at}`] },
    {
      theirs: [],
      ours: [],
      theirRefunds: [],
      ourRefunds: [ourRefund(at, { state: 'REQUESTED', gatewayRefundId: null })],
      found: [],
    },
    { theirs: [], ours: [], theirRefunds: [], ourRefunds: [ourRefund(at, { state: 'FAILED' })], found: [] },
    {
      theirs: [],
      ours: [],
      theirRefunds: [theirRefund(at, { state: 'processing' })],
      ourRefunds: [ourRefund(at, { state: 'NEEDS_ATTENTION' })],
      found: [],
    },
    {
      theirs: [],
      ours: [],
      theirRefunds: [theirRefund(at, { state: 'failed' })],
      ourRefunds: [ourRefund(at)],
      found: [`STATUS refund/${500 + at}`],
    },
    {
      theirs: [],
      ours: [],
      theirRefunds: [theirRefund(at, { amount: '399.99' })],
      ourRefunds: [ourRefund(at)],
      found: [`AMOUNT refund/${500 + at}`],
    },
    { theirs: [], ours: [], theirRefunds: [theirRefund(at, { currency: null })], ourRefunds: [ourRefund(at)], found: [] },
    {
      theirs: [],
      ours: [],
      theirRefunds: [theirRefund(at, { currency: 'USD' })],
      ourRefunds: [ourRefund(at)],
      found: [`CURRENCY refund/${500 + at}`],
    },
  ];
  const amounts = fc.tuple(amount, amount).map(
    ([there, here]): Plant => ({
      theirs: [theirs(at, { amount: there })],
      ours: [ours(at, { amount: here })],
      found: there === here ? [] : [`AMOUNT ${own}`],
    }),
  );
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fixed) }, { weight: 1, arbitrary: amounts });
};

const plants = fc
  .integer({ min: 0, max: 30 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => plantOf(at))));

/** The same rows in another order, some of them more than once. */
function shuffled<T>(rows: readonly T[]): fc.Arbitrary<T[]> {
  if (rows.length === 0) return fc.constant([]);
  return fc
    .tuple(fc.shuffledSubarray([...rows], { minLength: rows.length }), fc.array(fc.constantFrom(...rows), { maxLength: 5 }))
    .chain(([all, again]) => fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }));
}

const gathered = plants.chain((all) => {
  const rows = all.flatMap((plant) => plant.theirs);
  const refunds = all.flatMap((plant) => plant.theirRefunds ?? []);
  const our = books(
    all.flatMap((plant) => plant.ours),
    all.flatMap((plant) => plant.ourRefunds ?? []),
  );
  return fc
    .tuple(shuffled(rows), shuffled(refunds), fc.shuffledSubarray([...our.payments], { minLength: our.payments.length }))
    .map(([listed, listedRefunds, payments]) => ({
      listing: listing(listed, listedRefunds),
      books: { ...our, payments },
      found: all.flatMap((plant) => plant.found).sort(),
    }));
});

describe('comparing a day', () => {
  it('finds everything that was planted, and nothing else, in whatever order and however often rows come', () => {
    fc.assert(
      fc.property(gathered, (given) => {
        expect(kinds(reconcile(given.listing, given.books, day).differences)).toEqual(given.found);
      }),
      { numRuns: 500 },
    );
  });

  it('adds up: the gateway’s total less ours is what the differences count, to the last digit', () => {
    fc.assert(
      fc.property(gathered, (given) => {
        const { totals, differences } = reconcile(given.listing, given.books, day);
        for (const { currency, ...sum } of totals) {
          const counted = (about: string, side: 'ours' | 'theirs') =>
            differences
              .filter((difference) => difference.about === about && difference.counted[side]?.currency === currency)
              .reduce((total, difference) => addDecimals(total, difference.counted[side]?.amount ?? '0'), '0');
          expect(subtractDecimals(sum.theirs.amount, sum.ours.amount)).toBe(
            subtractDecimals(counted('payment', 'theirs'), counted('payment', 'ours')),
          );
          expect(subtractDecimals(sum.theirsRefunded.amount, sum.oursRefunded.amount)).toBe(
            subtractDecimals(counted('refund', 'theirs'), counted('refund', 'ours')),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('of equal books finds nothing, and the same totals on both sides', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(200)), fc.array(amount, { minLength: 201, maxLength: 201 }), (ids, amounts) => {
        const at = (id: number) => ({ amount: amounts[id] ?? '1' });
        const { differences, totals } = reconcile(
          listing(ids.map((id) => theirs(id, at(id)))),
          books(ids.map((id) => ours(id, at(id)))),
          day,
        );
        expect(differences).toEqual([]);
        for (const { ours: here, theirs: there } of totals) expect(there).toEqual(here);
      }),
    );
  });

  it('asks again about money we do not hold, once each, and about nothing else', () => {
    const unpaid = [theirs(1), theirs(2), theirs(3, { status: 'open' }), theirs(4), theirs(4, { transactionId: 'second' })];
    const here = [ours(1, { paid: false }), ours(2), ours(3, { paid: false }), ours(4)];
    expect(reconcile(listing([...unpaid, ...unpaid]), books(here), day).askAgain).toEqual([
      { attemptId: 'attempt-1', transactionId: '1001' },
      { attemptId: 'attempt-4', transactionId: 'second' },
    ]);
  });

  it('knows duplicate charges by the gateway’s id, and compares them too', () => {
    const second = { paymentId: 'payment-1', attemptId: 'attempt-1', reference: 'sw-1', transactionId: 'second' };
    const duplicates = [{ ...second, amount: '2500', currency: 'NGN', state: 'OPEN' }];
    const list = listing([theirs(1), theirs(1, { transactionId: 'second' })]);
    const same = reconcile(list, { ...books([ours(1)]), duplicates }, day);
    expect(same).toMatchObject({
      differences: [],
      askAgain: [],
      totals: [{ ours: { count: 2, amount: '5000' }, theirs: { count: 2 } }],
    });
    const other = reconcile(
      list,
      { ...books([ours(1)]), duplicates: [{ ...second, amount: '2400', currency: 'NGN', state: 'OPEN' }] },
      day,
    );
    expect(kinds(other.differences)).toEqual(['AMOUNT transaction/second']);
  });

  it('counts an attempt that came second once, as the duplicate charge that its money is', () => {
    const second = { paymentId: 'payment-2', attemptId: 'attempt-2', reference: 'sw-2', transactionId: '1002' };
    const duplicates = [{ ...second, amount: '2500', currency: 'NGN', state: 'OPEN' }];
    const own = { ...books([ours(2, { paidAt: null })]), duplicates };
    expect(reconcile(listing([theirs(2)]), own, day)).toMatchObject({
      differences: [],
      totals: [{ ours: { count: 1, amount: '2500' }, theirs: { count: 1, amount: '2500' } }],
    });
    expect(kinds(reconcile(listing([]), { ...own, duplicates: [] }, day).differences)).toEqual(['MISSING_THERE reference/sw-2']);
  });

  it('misses nothing there that is listed on a day beside it', () => {
    const elsewhere = new Set(['1001', '502', 'rf-3']);
    const list = { ...listing([]), elsewhere };
    const own = books([ours(1), ours(2)], [ourRefund(2), ourRefund(3), ourRefund(4)]);
    expect(kinds(reconcile(list, own, day).differences)).toEqual([
      'MISSING_THERE reference/sw-2',
      'MISSING_THERE refund-reference/rf-4',
    ]);
  });

  it('misses of its own day only', () => {
    const beside = [new Date(day.from.getTime() - 1), day.to];
    const within = [day.from, new Date(day.to.getTime() - 1)];
    const of = (times: readonly Date[]) => times.map((createdAt, at) => ours(at, { createdAt }));
    expect(reconcile(listing([]), books(of(beside)), day).differences).toEqual([]);
    expect(reconcile(listing([]), books(of(within)), day).differences.length).toBe(2);
  });

  it('gives the fee of payments that have none on record, and of no others', () => {
    const list = listing([theirs(1), theirs(2), theirs(3, { fee: null }), theirs(4, { status: 'reversed' })]);
    const own = books([ours(1, { lacksFee: true }), ours(2), ours(3, { lacksFee: true }), ours(4, { lacksFee: true })]);
    expect(reconcile(list, own, day).fees).toEqual([{ paymentId: 'payment-1', fee: '37.5' }]);
  });
});
