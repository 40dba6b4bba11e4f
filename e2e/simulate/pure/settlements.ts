import type { LedgerEntry, MatchLine } from '@switchyard/settlements/matching';
import type { Product } from './open-pure.ts';
import type { Report } from './oracle/violation.ts';
import { BEGIN, DAY, Draws, HOUR, MINUTE } from './world/draws.ts';

/* One payout of a gateway beside our ledger, with what was planted in it. */

const AS_OF = '2026-12-04';
const FEE = 1.5;
const TOLERANCE_MINUTES = 30;
/** Apart enough that no two payments are in reach of a line that names neither. */
const APART_MS = 3 * HOUR;

/** The fate of one payment in the payout. */
type Plant = 'settled' | 'missing' | 'short' | 'within_tolerance' | 'overcharged' | 'undercharged' | 'other_currency';
/** By which of its fields a line is known. */
type Name = 'reference' | 'transaction' | 'time' | 'edge_of_time' | 'beyond_time';

/** Draws a payout with its ledger, matches them, and checks what was found. */
export function runSettlement(product: Product, seed: number, report: Report): void {
  const draws = new Draws(seed, 1_000_007);
  const holidays = draws.chance(0.6) ? [draws.pick(['2026-11-30', '2026-12-01', '2026-12-02', '2026-12-03'])] : [];
  const graceDays = draws.between(1, 3);
  const tolerance = draws.pick(['0', '0.05', '2']);
  const ledger: LedgerEntry[] = [];
  const lines: MatchLine[] = [];
  const expected = new Map<string, string>();
  const unmatched = new Set<string>();
  const addLine = (line: Pick<MatchLine, 'kind' | 'amount'> & Partial<MatchLine>): string => {
    const lineId = `l${String(lines.length).padStart(4, '0')}`;
    const base = { currency: 'NGN', reference: null, transactionId: null, occurredAt: null, settledOn: AS_OF, subjects: [] };
    lines.push({ ...base, ...line, lineId });
    return lineId;
  };

  const count = draws.between(5, 25);
  for (let index = 0; index < count; index += 1) {
    const paidAt = BEGIN + index * APART_MS;
    const amount = 1_000 + 10 * index;
    const expectedOn = draws.pick([
      '2026-11-27',
      '2026-11-30',
      '2026-12-01',
      '2026-12-02',
      '2026-12-03',
      '2026-12-04',
      '2026-12-07',
    ]);
    const subject = `payment/${index}`;
    ledger.push(entryOf(subject, 'payment', index, paidAt, String(amount), String(FEE), expectedOn));
    const plant = draws.weighted<Plant>(
      [
        ['missing', 12],
        ['short', 8],
        ['within_tolerance', 6],
        ['overcharged', 6],
        ['undercharged', 4],
        ['other_currency', 4],
      ],
      'settled',
    );
    const due = dueState(expectedOn, graceDays, holidays);
    if (plant === 'missing') {
      expected.set(subject, due);
      continue;
    }
    const name = draws.weighted<Name>(
      [
        ['transaction', 20],
        ['time', 10],
        ['edge_of_time', 5],
        ['beyond_time', 3],
      ],
      'reference',
    );
    // A line without a name is found by its exact amount alone.
    const isNamed = name === 'reference' || name === 'transaction';
    const by = isNamed || plant === 'settled' ? name : 'reference';
    const names = {
      reference: by === 'reference' ? `sy-${index}` : null,
      transactionId: by === 'transaction' ? `t-${index}` : null,
      occurredAt: new Date(paidAt + (index % 2 === 0 ? 1 : -1) * shiftOf(by)),
    };
    const taken = plant === 'short' ? 100 : plant === 'within_tolerance' ? Number(tolerance) : 0;
    const currency = plant === 'other_currency' ? 'USD' : 'NGN';
    const lineId = addLine({ ...names, kind: 'PAYMENT', amount: String(amount - taken), currency });
    if (by === 'beyond_time' || plant === 'other_currency') {
      unmatched.add(lineId);
      expected.set(subject, due);
      continue;
    }
    const fee = plant === 'overcharged' ? FEE + 5 : plant === 'undercharged' ? FEE - 1 : FEE;
    const isWithin = Math.abs(fee - FEE) <= Number(tolerance);
    addLine({ kind: 'FEE', amount: String(-fee), reference: `sy-${index}`, occurredAt: new Date(paidAt) });
    if (plant === 'short') expected.set(subject, due === 'missing' ? 'under' : due);
    else expected.set(subject, isWithin ? 'settled' : fee > FEE ? 'under' : 'over');
  }

  for (let stranger = draws.between(0, 2); stranger > 0; stranger -= 1) {
    unmatched.add(addLine({ kind: 'PAYMENT', amount: String(7_000 + stranger), reference: `stranger-${stranger}` }));
  }
  plantRefunds();

  const result = product.matchSettlementLines(lines, ledger, {
    holidays,
    graceDays,
    tolerance,
    toleranceMinutes: TOLERANCE_MINUTES,
    asOf: AS_OF,
  });
  for (const { entry, state } of result.entries) {
    const wanted = expected.get(entry.subject);
    if (state !== wanted) report('settlement_differs', `${entry.subject} is ${state}, and ${wanted} by what was planted`);
  }
  const found = result.unmatched.map(({ lineId }) => lineId);
  if (found.sort().join() !== [...unmatched].sort().join()) {
    report(
      'settlement_differs',
      `${found.join(' ') || 'none'} is of no payment, and ${[...unmatched].join(' ') || 'none'} by what was planted`,
    );
  }

  /** Refunds: some named, some deducted together, and now and then an amount that was deducted before its refund was made. */
  function plantRefunds(): void {
    const together: string[] = [];
    let sum = 0;
    for (let index = 0; index < draws.between(0, 3); index += 1) {
      const subject = `refund/${index}`;
      const amount = 300 + 7 ** index;
      const isNamed = draws.chance(0.4);
      ledger.push(entryOf(subject, 'refund', index, BEGIN + index * HOUR, String(-amount), '0', AS_OF));
      expected.set(subject, 'settled');
      if (isNamed) addLine({ kind: 'REFUND', amount: String(-amount), reference: `rf-${index}` });
      else together.push(subject);
      if (!isNamed) sum += amount;
    }
    if (together.length > 0) addLine({ kind: 'REFUND', amount: String(-sum) });
    if (draws.chance(0.3)) {
      const subject = 'refund/later';
      ledger.push(entryOf(subject, 'refund', 99, Date.UTC(2026, 11, 3, 12), '-55', '0', '2026-12-07'));
      expected.set(subject, 'expected');
      unmatched.add(addLine({ kind: 'REFUND', amount: '-55', settledOn: '2026-12-01' }));
    }
  }
}

function shiftOf(name: Name): number {
  switch (name) {
    case 'edge_of_time':
      return TOLERANCE_MINUTES * MINUTE;
    case 'beyond_time':
      return (TOLERANCE_MINUTES + 1) * MINUTE;
    default:
      return 0;
  }
}

function entryOf(
  subject: string,
  kind: 'payment' | 'refund',
  index: number,
  at: number,
  amount: string,
  fee: string,
  expectedOn: string,
): LedgerEntry {
  return {
    subject,
    kind,
    paymentId: String(index),
    refundId: kind === 'refund' ? String(index) : null,
    disputeId: null,
    references: kind === 'refund' ? [`rf-${index}`] : [`sy-${index}`],
    transactionIds: kind === 'refund' ? [] : [`t-${index}`],
    currency: 'NGN',
    amount,
    fee,
    stance: 'due',
    occurredAt: new Date(at),
    expectedOn,
  };
}

/** How money stands of which nothing was settled. */
function dueState(expectedOn: string, graceDays: number, holidays: readonly string[]): 'expected' | 'late' | 'missing' {
  if (AS_OF <= expectedOn) return 'expected';
  let working = 0;
  for (let at = Date.parse(expectedOn) + DAY; at <= Date.parse(AS_OF); at += DAY) {
    const day = new Date(at);
    const isWorking = day.getUTCDay() % 6 !== 0 && !holidays.includes(day.toISOString().slice(0, 10));
    if (isWorking) working += 1;
  }
  return working <= graceDays ? 'late' : 'missing';
}
