import type { EntryKind } from '../ledger/entries.ts';
import { minorDigits, type Posting, toMinorUnits } from './mapping.ts';

/** Money of one kind of a day and gateway account, added up. */
export interface LedgerDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly accountId: string;
  readonly currency: string;
  readonly kind: EntryKind;
  /** Exact decimal of the main unit; positive where the account then holds more, or more is at the bank. */
  readonly amount: string;
  readonly count: number;
}

/** True if a kind of money is posted: what reached the bank is in its payout already. */
export function isPosted(kind: EntryKind): boolean {
  return RULES[kind] !== null;
}

/** The account that a line is posted to: one of the mapping's, or the clearing account of a gateway account. */
export type PostedTo = { readonly posting: Posting } | { readonly posting: 'clearing'; readonly accountId: string };

/** A line of a journal entry: a debit or a credit, the other is 0. In minor units. */
export interface JournalLine {
  readonly to: PostedTo;
  readonly debit: bigint;
  readonly credit: bigint;
  readonly text: string;
}

/** An entry: what happened at one gateway account on one day. Its debits equal its credits. */
export interface JournalEntry {
  readonly day: string;
  readonly accountId: string;
  readonly currency: string;
  readonly lines: readonly JournalLine[];
}

/**
 * The accounts of each kind: `own` is credited with what the gateway account receives and debited with what it gives; `beside` is debited
 * with it in turn. What reached the bank is in its payout already.
 */
const RULES: Readonly<
  Record<EntryKind, { readonly own: Posting; readonly beside: 'clearing' | 'bank'; readonly text: string } | null>
> = {
  payment: { own: 'sales', beside: 'clearing', text: 'Payments' },
  duplicate: { own: 'sales', beside: 'clearing', text: 'Duplicate charges' },
  refund: { own: 'refunds', beside: 'clearing', text: 'Refunds' },
  fee: { own: 'fees', beside: 'clearing', text: 'Fees' },
  stamp_duty: { own: 'stamp_duty', beside: 'clearing', text: 'Stamp duty' },
  dispute: { own: 'chargebacks', beside: 'clearing', text: 'Chargebacks' },
  reversal: { own: 'chargebacks', beside: 'clearing', text: 'Reversals by the gateway' },
  adjustment: { own: 'adjustments', beside: 'clearing', text: 'Adjustments in payouts' },
  payout: { own: 'bank', beside: 'clearing', text: 'Payouts' },
  bank_difference: { own: 'adjustments', beside: 'bank', text: 'Difference at the bank' },
  bank: null,
};

/**
 * Balanced double-entry journal entries of what is in the ledger: one for each day, gateway account and currency, by day. Each amount is rounded to
 * the currency's minor unit once, for its kind and day, so that debits equal credits to the unit, in each entry and altogether. The clearing
 * account has the day's movement in one line and its payouts in another. Each line begins with what it is `about`. Pure; the order of the
 * facts does not matter.
 */
export function makeJournal(facts: readonly LedgerDay[], about = ''): readonly JournalEntry[] {
  const groups = Map.groupBy(facts, ({ day, accountId, currency }) => JSON.stringify([day, accountId, currency]));
  return [...groups.keys()].sort().flatMap((key): JournalEntry[] => {
    const own = groups.get(key) ?? [];
    const [first] = own;
    if (first === undefined) return [];
    const { day, accountId, currency } = first;
    const lines = linesOf(own, accountId, minorDigits(currency)).map((line) => ({ ...line, text: `${about}${line.text}` }));
    return lines.length === 0 ? [] : [{ day, accountId, currency, lines }];
  });
}

function linesOf(facts: readonly LedgerDay[], accountId: string, digits: number): JournalLine[] {
  const clearing: PostedTo = { posting: 'clearing', accountId };
  const lines: JournalLine[] = [];
  let moved = 0n;
  for (const kind of KINDS) {
    const rule = RULES[kind];
    const units = facts.filter((fact) => fact.kind === kind).reduce((sum, { amount }) => sum + toMinorUnits(amount, digits), 0n);
    if (rule === null || units === 0n) continue;
    const count = facts.filter((fact) => fact.kind === kind).reduce((sum, fact) => sum + fact.count, 0);
    const text = `${rule.text} (${count})`;
    lines.push(lineOf({ posting: rule.own }, -units, text));
    if (rule.beside === 'bank') lines.push(lineOf({ posting: 'bank' }, units, text));
    else if (kind === 'payout') lines.push(lineOf(clearing, units, text));
    else moved += units;
  }
  if (moved !== 0n) lines.unshift(lineOf(clearing, moved, 'Received and charged'));
  return lines;
}

const KINDS: readonly EntryKind[] = [
  'payment',
  'duplicate',
  'refund',
  'fee',
  'stamp_duty',
  'dispute',
  'reversal',
  'adjustment',
  'payout',
  'bank_difference',
];

function lineOf(to: PostedTo, units: bigint, text: string): JournalLine {
  return units > 0n ? { to, debit: units, credit: 0n, text } : { to, debit: 0n, credit: -units, text };
}
