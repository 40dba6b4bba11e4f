import fc from 'fast-check';
import { expect, test } from 'vitest';
import { line, payment, refund } from '../testing/lines.ts';
import type { LedgerEntry, MatchLine } from './entries.ts';
import { type EntryState, matchSettlementLines } from './match-settlement-lines.ts';

/** `PROPERTY_TIMES=100 npm test -- unit planted-payout` looks a hundred times as long. */
const RUNS = 500 * Number(process.env.PROPERTY_TIMES ?? 1);
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const BEGIN = Date.parse('2026-11-20T14:00:00Z');
const AS_OF = '2026-12-04';
const FEE = 1.5;
const TOLERANCE_MINUTES = 30;
/** Apart enough that no two payments are in reach of a line that names neither. */
const APART_MS = 180 * MINUTE;

/** The difference between a payment and its line of the payout. */
const plants = fc.oneof(
  { weight: 3, arbitrary: fc.constant('settled' as const) },
  fc.constantFrom('missing', 'short', 'within_tolerance', 'overcharged', 'undercharged', 'other_currency'),
);
/** By what its line names it: a line without a name is found by its exact amount and its time alone. */
const names = fc.constantFrom('reference', 'transaction', 'time', 'edge_of_time', 'beyond_time');
const days = fc.constantFrom('2026-11-27', '2026-11-30', '2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04', '2026-12-07');

const payouts = fc.record({
  payments: fc.array(fc.record({ plant: plants, name: names, expectedOn: days, isEarlier: fc.boolean() }), { maxLength: 12 }),
  /** Refunds, each named by its line or deducted with others in one amount. */
  refunds: fc.array(fc.boolean(), { maxLength: 4 }),
  /** True if a deduction of an earlier payout has the amount of a refund that was made after it. */
  hasLaterRefund: fc.boolean(),
  strangers: fc.nat(2),
  holidays: fc.uniqueArray(fc.constantFrom<string[]>('2026-11-30', '2026-12-01', '2026-12-02', '2026-12-03'), { maxLength: 2 }),
  graceDays: fc.integer({ min: 1, max: 3 }),
  tolerance: fc.constantFrom('0', '0.05', '2'),
});
type Payout = typeof payouts extends fc.Arbitrary<infer Of> ? Of : never;

/** A payout beside its ledger, with what was planted in it. */
class Planted {
  readonly lines: MatchLine[] = [];
  readonly ledger: LedgerEntry[] = [];
  /** States by subject. */
  readonly states = new Map<string, EntryState>();
  readonly unmatched: string[] = [];
  private readonly payout: Payout;

  constructor(payout: Payout) {
    this.payout = payout;
    for (const [at, planted] of payout.payments.entries()) this.plantPayment(at, planted);
    this.plantRefunds();
    for (let at = 0; at < payout.strangers; at += 1) {
      this.unmatched.push(this.add({ kind: 'PAYMENT', amount: String(7_000 + at), reference: `stranger-${at}` }));
    }
  }

  private add(changes: Partial<MatchLine>): string {
    const lineId = `l${String(this.lines.length).padStart(3, '0')}`;
    this.lines.push(line(lineId, { settledOn: AS_OF, occurredAt: null, ...changes }));
    return lineId;
  }

  private plantPayment(at: number, { plant, name, expectedOn, isEarlier }: Payout['payments'][number]): void {
    const amount = 1_000 + 10 * at;
    const paidAt = BEGIN + at * APART_MS;
    const entry = payment(at, { amount: String(amount), fee: String(FEE), expectedOn, occurredAt: new Date(paidAt) });
    this.ledger.push(entry);
    const { subject } = entry;
    const due = this.dueState(expectedOn);
    this.states.set(subject, due);
    if (plant === 'missing') return;
    const tolerance = Number(this.payout.tolerance);
    const by = plant === 'settled' || name === 'transaction' ? name : 'reference';
    const shift = { reference: 0, transaction: 0, time: 1, edge_of_time: TOLERANCE_MINUTES, beyond_time: TOLERANCE_MINUTES + 1 }[
      by
    ];
    const lineId = this.add({
      kind: 'PAYMENT',
      amount: String(amount - (plant === 'short' ? 100 : plant === 'within_tolerance' ? tolerance : 0)),
      currency: plant === 'other_currency' ? 'USD' : 'NGN',
      reference: by === 'reference' ? (entry.references[0] ?? null) : null,
      transactionId: by === 'transaction' ? (entry.transactionIds[0] ?? null) : null,
      occurredAt: new Date(paidAt + (isEarlier ? -1 : 1) * shift * MINUTE),
    });
    if (by === 'beyond_time' || plant === 'other_currency') {
      this.unmatched.push(lineId);
      return;
    }
    const fee = plant === 'overcharged' ? FEE + 5 : plant === 'undercharged' ? FEE - 1 : FEE;
    this.add({ kind: 'FEE', amount: String(-fee), reference: entry.references[0] ?? null });
    if (plant === 'short') this.states.set(subject, due === 'missing' ? 'under' : due);
    else if (Math.abs(fee - FEE) <= tolerance) this.states.set(subject, 'settled');
    else this.states.set(subject, fee > FEE ? 'under' : 'over');
  }

  private plantRefunds(): void {
    let together = 0;
    for (const [at, isNamed] of this.payout.refunds.entries()) {
      const amount = 300 + 7 ** at;
      const occurredAt = new Date(BEGIN + at * 60 * MINUTE);
      const entry = refund(at, { amount: String(-amount), references: [`rf-${at}`], occurredAt, expectedOn: AS_OF });
      this.ledger.push(entry);
      this.states.set(entry.subject, 'settled');
      if (isNamed) this.add({ kind: 'REFUND', amount: String(-amount), reference: `rf-${at}` });
      else together += amount;
    }
    if (together > 0) this.add({ kind: 'REFUND', amount: String(-together) });
    if (!this.payout.hasLaterRefund) return;
    const later = refund(99, {
      amount: '-55',
      references: [],
      occurredAt: new Date('2026-12-03T12:00:00Z'),
      expectedOn: '2026-12-07',
    });
    this.ledger.push(later);
    this.states.set(later.subject, 'expected');
    this.unmatched.push(this.add({ kind: 'REFUND', amount: '-55', settledOn: '2026-12-01' }));
  }

  /** The state of money of which nothing was settled. */
  private dueState(expectedOn: string): EntryState {
    if (AS_OF <= expectedOn) return 'expected';
    let working = 0;
    for (let at = Date.parse(expectedOn) + DAY; at <= Date.parse(AS_OF); at += DAY) {
      const day = new Date(at);
      if (day.getUTCDay() % 6 !== 0 && !this.payout.holidays.includes(day.toISOString().slice(0, 10))) working += 1;
    }
    return working <= this.payout.graceDays ? 'late' : 'missing';
  }
}

test('matching finds what is missing, short, charged too much or of no payment of ours, whatever parts the payout comes in', () => {
  const cuts = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(payouts, cuts, fc.boolean(), (payout, cut, isReversed) => {
      const { lines, ledger, states, unmatched } = new Planted(payout);
      const { holidays, graceDays, tolerance } = payout;
      const options = { holidays, graceDays, tolerance, toleranceMinutes: TOLERANCE_MINUTES, asOf: AS_OF };
      const inOrder = isReversed ? lines.toReversed() : lines;
      // A part that is read first is linked before the rest is there.
      const first = inOrder.slice(0, Math.floor(cut * inOrder.length));
      const { links } = matchSettlementLines(first, ledger, options);
      const known = inOrder.map((each) => ({ ...each, subjects: links.get(each.lineId)?.subjects ?? [] }));
      const result = matchSettlementLines(known, ledger, options);
      expect(new Map(result.entries.map(({ entry, state }) => [entry.subject, state]))).toEqual(states);
      expect(result.unmatched.map(({ lineId }) => lineId).sort()).toEqual(unmatched.sort());
    }),
    { numRuns: RUNS },
  );
});
