import type { SettlementDiscrepancyKind, SettlementLineKind } from '@switchyard/db/client';
import { magnitude, subtractDecimals } from '@switchyard/db/decimals';
import type { StoredLine, UnmatchedLine } from '../ledger/line-queries.ts';
import { expectedDay } from '../matching/entries.ts';
import type { EntryResult, EntryState } from '../matching/match-settlement-lines.ts';

/** A difference that matching found. Amounts are exact decimals of the main unit, after fees. */
export interface FoundDiscrepancy {
  /** Identity at its account. */
  readonly subject: string;
  readonly kind: SettlementDiscrepancyKind;
  readonly currency: string;
  readonly expected: string | null;
  readonly settled: string | null;
  readonly expectedOn: string | null;
  readonly settlementId: string | null;
  readonly lineId: string | null;
  readonly lineKind: SettlementLineKind | null;
  readonly paymentId: string | null;
  readonly refundId: string | null;
  readonly disputeId: string | null;
}

/** The difference where something was settled, else the whole amount; without a sign. */
export function amountInQuestion({ expected, settled }: Pick<FoundDiscrepancy, 'expected' | 'settled'>): string {
  return magnitude(subtractDecimals(settled ?? '0', expected ?? '0'));
}

const KINDS: Readonly<Record<EntryState, SettlementDiscrepancyKind | null>> = {
  undecided: null,
  expected: null,
  settled: null,
  late: 'LATE',
  missing: 'MISSING',
  over: 'OVER',
  under: 'UNDER',
};

/** The discrepancy of an entry; null where nothing is open. */
export function entryDiscrepancy(
  { entry, state, expected, settled }: EntryResult,
  lines: readonly StoredLine[],
): FoundDiscrepancy | null {
  const kind = KINDS[state];
  if (kind === null) return null;
  const { subject, currency, paymentId, refundId, disputeId } = entry;
  const expectedOn = expectedDay(entry, settled !== null);
  const settlementId =
    lines.toSorted((a, b) => ((a.settledOn ?? '') < (b.settledOn ?? '') ? -1 : 1)).at(-1)?.settlementId ?? null;
  const about = { paymentId, refundId, disputeId };
  return { subject, kind, currency, expected, settled, expectedOn, settlementId, lineId: null, lineKind: null, ...about };
}

/** The discrepancy of a line that nothing explains. */
export function lineDiscrepancy({ lineId, settlementId, kind, amount, currency }: UnmatchedLine): FoundDiscrepancy {
  return {
    subject: `line/${lineId}`,
    kind: 'UNMATCHED',
    currency,
    expected: null,
    settled: amount,
    expectedOn: null,
    settlementId,
    lineId,
    lineKind: kind,
    paymentId: null,
    refundId: null,
    disputeId: null,
  };
}
