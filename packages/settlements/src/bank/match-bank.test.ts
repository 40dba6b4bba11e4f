import { addDecimals } from '@switchyard/db/decimals';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BankLink, type Credit, matchBank, type Payout } from './match-bank.ts';

const TOLERANCE = { amount: '100', days: 3 };
const day = (at: number) => `2026-11-${String(at).padStart(2, '0')}`;
const payout = (at: number, net = `${at}000`, changes: Partial<Payout> = {}): Payout => ({
  settlementId: `s-${at}`,
  accountId: 'a-1',
  gateway: 'paystack',
  reference: `30900${at}`,
  net,
  currency: 'NGN',
  settledOn: day(at),
  ...changes,
});
const credit = (at: number, amount: string, text: string, changes: Partial<Credit> = {}): Credit => ({
  bankLineId: `b-${at}`,
  amount,
  currency: 'NGN',
  bookedOn: day(at),
  text,
  ...changes,
});
const pairs = (links: readonly BankLink[]) =>
  links.map(({ bankLineId, settlementId, by }) => `${bankLineId} ${settlementId} ${by}`).sort();
const match = (payouts: Payout[], credits: Credit[], tolerance = TOLERANCE) => pairs(matchBank(payouts, credits, tolerance));

describe('a payout is matched with a credit', () => {
  test('by its reference in the text, whatever the amount and the day', () => {
    expect(match([payout(11)], [credit(20, '10950', 'NIP/PAYSTACK/3090011 payout')])).toEqual(['b-20 s-11 reference']);
    expect(match([payout(11)], [credit(11, '5', '13090011')])).toEqual([]);
    expect(match([payout(11, '5', { reference: '11' })], [credit(11, '6', 'PAYSTACK 11')], { amount: '0', days: 3 })).toEqual([]);
    expect(match([payout(11, '5', { reference: 'KPY-aB/7' })], [credit(12, '6', 'from kpy ab 7 ltd')])).toEqual([
      'b-12 s-11 reference',
    ]);
  });

  test('by its exact amount within the days, the earliest first', () => {
    const same = [payout(11, '900'), payout(12, '900')];
    expect(match(same, [credit(13, '900', 'PAYSTACK'), credit(14, '900', 'PAYSTACK')])).toEqual([
      'b-13 s-11 amount_and_date',
      'b-14 s-12 amount_and_date',
    ]);
    expect(match([payout(11, '900')], [credit(10, '900', 'PAYSTACK'), credit(15, '900', 'PAYSTACK')])).toEqual([]);
    expect(match([payout(11, '900')], [credit(11, '900', 'PAYSTACK', { currency: 'USD' })])).toEqual([]);
  });

  test('of another gateway by no reference and no amount', () => {
    const two = [payout(11, '900'), payout(11, '700', { settlementId: 's-f', gateway: 'flutterwave', reference: '77701' })];
    expect(match(two, [credit(11, '900', 'FLUTTERWAVE LTD')])).toEqual([]);
    expect(match(two, [credit(11, '5', 'FLUTTERWAVE 3090011')])).toEqual([]);
    expect(match(two, [credit(11, '900', 'NIP TRANSFER')])).toEqual(['b-11 s-11 amount_and_date']);
  });

  test('that is short by a charge, where the bank names the gateway', () => {
    expect(match([payout(11, '9000')], [credit(12, '8950', 'PAYSTACK')])).toEqual(['b-12 s-11 amount_and_date']);
    expect(match([payout(11, '9000')], [credit(12, '8950', 'RENT')])).toEqual([]);
    expect(match([payout(11, '9000')], [credit(12, '8800', 'PAYSTACK')])).toEqual([]);
  });

  test('that pays several, and several that pay one', () => {
    expect(match([payout(11, '10'), payout(12, '20'), payout(13, '40')], [credit(13, '60', 'PAYSTACK')])).toEqual([
      'b-13 s-12 amount_and_date',
      'b-13 s-13 amount_and_date',
    ]);
    expect(
      match([payout(11, '10')], [credit(12, '4', 'PAYSTACK'), credit(13, '6', 'PAYSTACK')], { amount: '0', days: 3 }),
    ).toEqual(['b-12 s-11 amount_and_date', 'b-13 s-11 amount_and_date']);
    const named = [credit(12, '4', '3090011 part 1'), credit(13, '5', '3090011 part 2')];
    expect(match([payout(11, '10')], named)).toEqual(['b-12 s-11 reference', 'b-13 s-11 reference']);
    expect(match([payout(11), payout(12)], [credit(12, '1', '3090011 3090012')])).toEqual([
      'b-12 s-11 reference',
      'b-12 s-12 reference',
    ]);
  });

  test('and money that is of no payout with nothing', () => {
    expect(match([payout(11)], [credit(11, '123', 'RENT OF SHOP'), credit(12, '77', 'PAYSTACK')])).toEqual([]);
  });
});

describe('matching any bank lines', () => {
  const text = fc.constantFrom('PAYSTACK', 'NIP', '3090011', 'PAYSTACK 3090012', 'FLUTTERWAVE');
  const payouts = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 10, max: 20 }), fc.integer({ min: 1, max: 6 }), fc.boolean()), {
      selector: ([at]) => at,
      maxLength: 8,
    })
    .map((all) =>
      all.map(([at, net, other]) => payout(at, String(net * 50), other ? { gateway: 'flutterwave', accountId: 'a-2' } : {})),
    );
  const credits = fc
    .array(fc.tuple(fc.integer({ min: 10, max: 24 }), fc.integer({ min: 1, max: 12 }), text), { maxLength: 8 })
    .map((all) => all.map(([at, amount, said], n) => credit(at, String(amount * 50), said, { bankLineId: `b-${n}` })));

  test('links each credit and payout in one way, and by amount only what adds up within the tolerance', () => {
    fc.assert(
      fc.property(payouts, credits, fc.constantFrom('0', '50'), (some, lines, amount) => {
        const links = matchBank(some, lines, { amount, days: 3 });
        const netOf = new Map(some.map((each) => [each.settlementId, each.net]));
        const amountOf = new Map(lines.map((each) => [each.bankLineId, each.amount]));
        expect(new Set(links.map(({ bankLineId, settlementId }) => `${bankLineId} ${settlementId}`)).size).toBe(links.length);
        const ofCredit = Map.groupBy(links, ({ bankLineId }) => bankLineId);
        const ofPayout = Map.groupBy(links, ({ settlementId }) => settlementId);
        for (const { bankLineId, settlementId, by } of links) {
          const own = ofCredit.get(bankLineId) ?? [];
          const parts = ofPayout.get(settlementId) ?? [];
          // One to one, many to one or one to many, never many to many.
          expect(Math.min(own.length, parts.length)).toBe(1);
          if (by === 'reference') continue;
          const paid = addDecimals(...parts.map((part) => amountOf.get(part.bankLineId) ?? '0'));
          const expected = addDecimals(...own.map((part) => netOf.get(part.settlementId) ?? '0'));
          expect(Math.abs(Number(paid) - Number(expected))).toBeLessThanOrEqual(
            own.length + parts.length === 2 ? Number(amount) : 0,
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  test('gives the same for the same lines in any order', () => {
    fc.assert(
      fc.property(payouts, credits, (some, lines) => {
        expect(match(some.toReversed(), lines.toReversed())).toEqual(match(some, lines));
      }),
    );
  });
});
