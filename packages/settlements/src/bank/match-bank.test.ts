import { addDecimals } from '@switchyard/db/decimals';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BankDecision, type BankLine, type BankLink, matchBank, type Payout } from './match-bank.ts';

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
const credit = (at: number, amount: string, text: string, changes: Partial<BankLine> = {}): BankLine => ({
  bankLineId: `b-${at}`,
  dedupeKey: changes.bankLineId ?? `b-${at}`,
  bankAccount: 'GTB',
  amount,
  currency: 'NGN',
  bookedOn: day(at),
  text,
  ...changes,
});
const pairs = (links: readonly BankLink[]) =>
  links.map(({ bankLineId, settlementId, by }) => `${bankLineId} ${settlementId} ${by}`).sort();
const match = (payouts: Payout[], lines: BankLine[], tolerance = TOLERANCE, decisions: BankDecision[] = []) =>
  pairs(matchBank({ payouts, lines, decisions }, tolerance));

describe('a payout is matched with a credit', () => {
  test('by its reference in the text, whatever the amount and the day', () => {
    expect(match([payout(11)], [credit(20, '10950', 'NIP/PAYSTACK/3090011 payout')])).toEqual(['b-20 s-11 reference']);
    expect(match([payout(11)], [credit(11, '5', '13090011')])).toEqual([]);
    expect(match([payout(11, '5', { reference: '11' })], [credit(11, '6', 'PAYSTACK 11')], { amount: '0', days: 3 })).toEqual([]);
    expect(match([payout(11, '5', { reference: 'KPY-aB/7' })], [credit(12, '6', 'from kpy ab 7 ltd')])).toEqual([
      'b-12 s-11 reference',
    ]);
  });

  test('by no text that has its day, or a number of few digits', () => {
    const named = payout(11, '5', { reference: '2026-11-11' });
    expect(match([named], [credit(12, '6', 'TRF 2026-11-11 RENT')])).toEqual([]);
  });

  test('of several under one reference the one of the amount, else of the nearest day', () => {
    const two = [payout(11, '900', { accountId: 'a-2' }), payout(13, '700', { reference: '3090011' })];
    expect(match(two, [credit(12, '700', '3090011')])).toEqual(['b-12 s-13 reference']);
    expect(match(two, [credit(16, '5', '3090011')])).toEqual(['b-16 s-13 reference']);
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

  test('of equal ones the pairing with the fewest days over all, not the first that fits', () => {
    const same = [payout(11, '900'), payout(13, '900')];
    expect(match(same, [credit(13, '900', 'PAYSTACK')])).toEqual(['b-13 s-13 amount_and_date']);
    expect(match(same, [credit(14, '900', 'PAYSTACK')])).toEqual(['b-14 s-13 amount_and_date']);
    // As many as can be: the earlier payout has the line that is in its days alone.
    expect(match(same, [credit(13, '900', 'PAYSTACK'), credit(16, '900', 'PAYSTACK')])).toEqual([
      'b-13 s-11 amount_and_date',
      'b-16 s-13 amount_and_date',
    ]);
    // A line that names the gateway before one that does not, however near.
    const [near, named] = [credit(11, '900', 'NIP'), credit(14, '900', 'PAYSTACK')];
    expect(match([payout(11, '900')], [near, named])).toEqual(['b-14 s-11 amount_and_date']);
  });

  test('that is negative with a debit, and one of nothing with nothing', () => {
    expect(match([payout(11, '-900')], [credit(12, '-900', 'NIP'), credit(11, '900', 'NIP')])).toEqual([
      'b-12 s-11 amount_and_date',
    ]);
    expect(match([payout(11, '-900')], [credit(12, '-950', 'PAYSTACK')])).toEqual(['b-12 s-11 amount_and_date']);
    expect(match([payout(11, '50')], [credit(12, '-50', 'PAYSTACK')])).toEqual([]);
    expect(match([payout(11, '0')], [credit(11, '0.5', 'PAYSTACK 3090011')])).toEqual([]);
    const taken = [credit(12, '1000', 'PAYSTACK 3090011'), credit(13, '-1000', 'REVERSAL PAYSTACK 3090011')];
    expect(match([payout(11, '1000')], taken)).toEqual(['b-12 s-11 reference', 'b-13 s-11 reference']);
  });

  test('as a person decided, whatever else it looks like', () => {
    const [one, other] = [payout(11, '900'), payout(12, '900')];
    const line = credit(12, '900', 'PAYSTACK');
    const decide = (settlementId: string, isLinked: boolean) => ({ bankLineId: 'b-12', settlementId, isLinked });
    expect(match([one, other], [line])).toEqual(['b-12 s-12 amount_and_date']);
    expect(match([one, other], [line], TOLERANCE, [decide('s-12', false)])).toEqual(['b-12 s-11 amount_and_date']);
    expect(match([one, other], [line], TOLERANCE, [decide('s-11', true)])).toEqual(['b-12 s-11 staff']);
    const foreign = credit(12, '1', 'FLUTTERWAVE');
    expect(match([one], [foreign], TOLERANCE, [decide('s-11', true)])).toEqual(['b-12 s-11 staff']);
    const named = credit(12, '5', '3090011');
    expect(match([one], [named], TOLERANCE, [decide('s-11', false)])).toEqual([]);
    // A part that a person linked leaves the other part, which the text names.
    const parts = [credit(12, '400', 'NIP'), credit(13, '500', 'PAYSTACK 3090011')];
    expect(match([one], parts, TOLERANCE, [decide('s-11', true)])).toEqual(['b-12 s-11 staff', 'b-13 s-11 reference']);
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

  test('together with one that the gateway collects, which it takes off the next', () => {
    expect(match([payout(11, '-40'), payout(12, '100')], [credit(13, '60', 'PAYSTACK')])).toEqual([
      'b-13 s-11 amount_and_date',
      'b-13 s-12 amount_and_date',
    ]);
  });

  test('and money that is of no payout with nothing', () => {
    expect(match([payout(11)], [credit(11, '123', 'RENT OF SHOP'), credit(12, '77', 'PAYSTACK')])).toEqual([]);
  });
});

describe('matching any bank lines', () => {
  const text = fc.constantFrom('PAYSTACK', 'NIP', '3090011', 'PAYSTACK 3090012', 'FLUTTERWAVE', '3090011 3090012');
  const sign = fc.constantFrom('', '', '', '-');
  const payouts = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 10, max: 20 }), fc.integer({ min: 0, max: 6 }), fc.boolean(), sign), {
      selector: ([at]) => at,
      maxLength: 8,
    })
    .map((all) =>
      all.map(([at, net, other, minus]) => {
        const changes = other ? { gateway: 'flutterwave', accountId: 'a-2' } : {};
        return payout(at, net === 0 ? '0' : `${minus}${net * 50}`, changes);
      }),
    );
  const lines = fc
    .array(fc.tuple(fc.integer({ min: 10, max: 24 }), fc.integer({ min: 1, max: 12 }), text, sign), { maxLength: 8 })
    .map((all) =>
      all.map(([at, amount, said, minus], n) => credit(at, `${minus}${amount * 50}`, said, { bankLineId: `b-${n}` })),
    );
  const decisions = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 10, max: 20 }), fc.boolean()), {
      selector: ([line, at]) => `${line} ${at}`,
      maxLength: 3,
    })
    .map((all) => all.map(([line, at, isLinked]) => ({ bankLineId: `b-${line}`, settlementId: `s-${at}`, isLinked })));

  test('links by amount each line and payout in one way, and only what adds up within the tolerance', () => {
    fc.assert(
      fc.property(payouts, lines, decisions, fc.constantFrom('0', '50'), (some, all, decided, amount) => {
        const links = matchBank({ payouts: some, lines: all, decisions: decided }, { amount, days: 3 });
        const netOf = new Map(some.map((each) => [each.settlementId, each.net]));
        const amountOf = new Map(all.map((each) => [each.bankLineId, each.amount]));
        expect(new Set(links.map(({ bankLineId, settlementId }) => `${bankLineId} ${settlementId}`)).size).toBe(links.length);
        const ofLine = Map.groupBy(links, ({ bankLineId }) => bankLineId);
        const ofPayout = Map.groupBy(links, ({ settlementId }) => settlementId);
        for (const { bankLineId, settlementId, by } of links) {
          expect(netOf.get(settlementId)).not.toBe('0');
          const decision = decided.find((each) => each.bankLineId === bankLineId && each.settlementId === settlementId);
          expect(by === 'staff').toBe(decision?.isLinked === true);
          expect(decision?.isLinked).not.toBe(false);
          if (by !== 'amount_and_date') continue;
          const own = ofLine.get(bankLineId) ?? [];
          const parts = ofPayout.get(settlementId) ?? [];
          // One to one, many to one or one to many, never many to many.
          expect(Math.min(own.length, parts.length)).toBe(1);
          const paid = addDecimals(...parts.map((part) => amountOf.get(part.bankLineId) ?? '0'));
          const expected = addDecimals(...own.map((part) => netOf.get(part.settlementId) ?? '0'));
          const isPair = own.length + parts.length === 2;
          expect(Math.abs(Number(paid) - Number(expected))).toBeLessThanOrEqual(isPair ? Number(amount) : 0);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('gives the same for the same facts in any order and under any ids', () => {
    fc.assert(
      fc.property(payouts, lines, decisions, fc.infiniteStream(fc.nat()), (some, all, decided, order) => {
        const shuffle = <T>(list: readonly T[]) =>
          list
            .map((each) => [order.next().value ?? 0, each] as const)
            .sort((a, b) => a[0] - b[0])
            .map(([, each]) => each);
        const renamed = new Map(
          [...some.map(({ settlementId }) => settlementId), ...all.map(({ bankLineId }) => bankLineId)].map((id) => [
            id,
            `${order.next().value ?? 0} ${id}`,
          ]),
        );
        const named = (id: string) => renamed.get(id) ?? id;
        const again = matchBank(
          {
            payouts: shuffle(some).map((each) => ({ ...each, settlementId: named(each.settlementId) })),
            lines: shuffle(all).map((each) => ({ ...each, bankLineId: named(each.bankLineId) })),
            decisions: shuffle(decided).map((each) => {
              return { ...each, bankLineId: named(each.bankLineId), settlementId: named(each.settlementId) };
            }),
          },
          TOLERANCE,
        );
        const once = matchBank({ payouts: some, lines: all, decisions: decided }, TOLERANCE).map((each) => {
          return { ...each, bankLineId: named(each.bankLineId), settlementId: named(each.settlementId) };
        });
        expect(pairs(again)).toEqual(pairs(once));
      }),
      { numRuns: 500 },
    );
  });
});
