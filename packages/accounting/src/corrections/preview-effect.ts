import type { Mode, Prisma } from '@switchyard/db/client';
import { sameDecimal, subtractDecimals } from '@switchyard/db/decimals';
import { addDays, addMonths, firstDay } from '@switchyard/runtime/calendar-days';
import type { SettlementContext } from '@switchyard/settlements/context';
import {
  type DiscrepancyEffect,
  type Look,
  rehearseStatementWithdrawal,
  rehearseWithdrawal,
  type Withdrawn,
  type WithdrawnStatement,
} from '@switchyard/settlements/corrections';
import { rehearseFile, type SettlementFileOf } from '@switchyard/settlements/files';
import { readBooks } from '../context.ts';
import { type EntryKind, ledgerEntries } from '../ledger/entries.ts';

/** A correction of what was taken in, before it is confirmed. */
export type Correction =
  /** A file whose payouts are new, replaced or extended. */
  | { readonly kind: 'file'; readonly file: SettlementFileOf }
  | { readonly kind: 'withdrawal'; readonly withdrawn: Withdrawn }
  | { readonly kind: 'statement_withdrawal'; readonly withdrawn: WithdrawnStatement };

/** A change in the books: entries of one month, kind and currency together. Amounts are exact decimals of the main unit. */
export interface BooksEffect {
  /** `YYYY-MM`. */
  readonly month: string;
  /** State of the month: a closed one stays as it was frozen, and the change is an adjustment of it. */
  readonly state: 'open' | 'closed' | 'signed';
  readonly kind: EntryKind;
  readonly currency: string;
  readonly before: { readonly count: number; readonly amount: string };
  readonly after: { readonly count: number; readonly amount: string };
  readonly difference: string;
}

export interface CorrectionEffect {
  readonly kind: 'effect';
  readonly opened: readonly DiscrepancyEffect[];
  readonly closed: readonly DiscrepancyEffect[];
  /** By month, the oldest first. */
  readonly books: readonly BooksEffect[];
}

/** Why there is no effect to show. */
export type EffectRefusal =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'too_large'; readonly bytesMax: number }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Says what a correction would do to discrepancies, to the books and to closed months. It is carried out, matched and judged in a transaction that is
 * undone, so that what is shown is what happens; nothing is changed.
 */
export async function previewEffect(
  context: SettlementContext,
  correction: Correction,
): Promise<CorrectionEffect | EffectRefusal> {
  const rehearsal = await rehearse(context, correction);
  if ('kind' in rehearsal) return rehearsal;
  const { opened, closed, before, after } = rehearsal;
  return { kind: 'effect', opened, closed, books: differences(before, after) };
}

function rehearse(context: SettlementContext, correction: Correction) {
  switch (correction.kind) {
    case 'file':
      return rehearseFile(context, correction.file, look);
    case 'withdrawal':
      return rehearseWithdrawal(context, correction.withdrawn, look);
    case 'statement_withdrawal':
      return rehearseStatementWithdrawal(context, correction.withdrawn, look);
    default:
      return correction satisfies never;
  }
}

/** Entries of one month, kind and currency together, and how far the month is. */
interface MonthSums {
  readonly month: string;
  readonly kind: EntryKind;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
  readonly state: BooksEffect['state'];
}

/** The books of all months that a change touches, by the days of the merchant's zone: a day may be of the month beside it there. */
const look: Look<readonly MonthSums[]> = async (transaction, { merchantId, mode, span }) => {
  if (span === null) return [];
  const { timeZone: zone } = await readBooks({ prisma: transaction }, { merchantId, mode });
  const from = firstDay(addDays(span.from, -1).slice(0, 7));
  const until = firstDay(addMonths(addDays(span.to, 1).slice(0, 7), 1));
  const sums = await transaction.$queryRaw<Omit<MonthSums, 'state'>[]>`
    SELECT to_char(entry.day, 'YYYY-MM') AS month, entry.kind, entry.currency, count(*)::int AS count,
      trim_scale(sum(entry.amount))::text AS amount
    FROM (${ledgerEntries({ merchantId, mode }, { zone, from, until })}) AS entry WHERE entry.kind <> 'bank_difference'
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
  const states = await readStates(transaction, { merchantId, mode });
  return sums.map((sum) => ({ ...sum, state: states.get(sum.month) ?? 'open' }));
};

const MONTHS_MAX = 2_000;

async function readStates(
  transaction: Prisma.TransactionClient,
  where: { readonly merchantId: string; readonly mode: Mode },
): Promise<ReadonlyMap<string, BooksEffect['state']>> {
  const rows = await transaction.monthClose.findMany({ where, select: { month: true, signedAt: true }, take: MONTHS_MAX });
  return new Map(rows.map(({ month, signedAt }) => [month, signedAt === null ? 'closed' : 'signed']));
}

const NOTHING = { count: 0, amount: '0' } as const;

/** Differences between the books before and after. Pure. */
function differences(before: readonly MonthSums[], after: readonly MonthSums[]): BooksEffect[] {
  const keyOf = ({ month, kind, currency }: MonthSums) => `${month} ${kind} ${currency}`;
  const was = new Map(before.map((sum) => [keyOf(sum), sum]));
  const willBe = new Map(after.map((sum) => [keyOf(sum), sum]));
  const keys = [...new Set([...was.keys(), ...willBe.keys()])].toSorted();
  return keys.flatMap((key): BooksEffect[] => {
    const [old, next] = [was.get(key), willBe.get(key)];
    const any = old ?? next;
    if (any === undefined) return [];
    const { month, kind, currency, state } = any;
    const [from, to] = [old ?? NOTHING, next ?? NOTHING];
    if (from.count === to.count && sameDecimal(from.amount, to.amount)) return [];
    return [
      {
        month,
        state: next?.state ?? state,
        kind,
        currency,
        before: { count: from.count, amount: from.amount },
        after: { count: to.count, amount: to.amount },
        difference: subtractDecimals(to.amount, from.amount),
      },
    ];
  });
}
