import { type ConversionEstimate, estimateConversion, type FeeDifference, type OutcomeCounts } from '@switchyard/routing/replay';
import type { ShadowGroup } from './queries.ts';

/** Payments that the draft would have sent to another account first. */
export interface ShadowMove {
  readonly from: string | null;
  readonly to: string | null;
  readonly payments: number;
  readonly outcomes: OutcomeCounts;
}

/** Changes that a draft in shadow would have made so far. */
export interface ShadowSummary {
  readonly payments: number;
  readonly same: number;
  /** First account unchanged, fallbacks not. */
  readonly reordered: number;
  readonly moved: number;
  /** Payments whose decision could not be read; no other figure includes them. */
  readonly unreadable: number;
  /** Most payments first. */
  readonly moves: readonly ShadowMove[];
  /** Fees of paid payments, draft against what was decided. */
  readonly fees: readonly FeeDifference[];
  readonly conversion: ConversionEstimate;
}

/** Adds up a run's decisions. Conversion is estimated from how the accounts converted in the run itself. */
export function summariseShadow(groups: readonly ShadowGroup[]): ShadowSummary {
  const readable = groups.filter(({ result }) => result !== 'UNREADABLE');
  const countOf = (wanted: ShadowGroup['result']) => countPayments(groups.filter(({ result }) => result === wanted));
  const moving = readable.filter(({ result }) => result === 'MOVED');
  const payments = countPayments(readable);
  return {
    payments,
    same: countOf('SAME'),
    reordered: countOf('REORDERED'),
    moved: countOf('MOVED'),
    unreadable: countOf('UNREADABLE'),
    moves: Array.from(Map.groupBy(moving, ({ liveAccountId, accountId }) => `${liveAccountId}>${accountId}`).values())
      .flatMap(toMove)
      .sort((left, right) => right.payments - left.payments),
    fees: Array.from(
      Map.groupBy(
        readable.filter(({ outcome }) => outcome === 'paid'),
        ({ currency }) => currency,
      ),
      toFees,
    ),
    conversion: estimateConversion(
      payments,
      observedIn(readable),
      moving.map(({ method, liveAccountId, accountId, payments: number }) => ({
        method: method ?? 'ANY',
        from: liveAccountId,
        to: accountId,
        payments: number,
      })),
    ),
  };
}

function toMove(groups: readonly ShadowGroup[]): ShadowMove[] {
  const [first] = groups;
  if (first === undefined) return [];
  const having = (wanted: ShadowGroup['outcome']) => countPayments(groups.filter(({ outcome }) => outcome === wanted));
  const outcomes = { paid: having('paid'), unpaid: having('unpaid'), open: having('open') };
  return [{ from: first.liveAccountId, to: first.accountId, payments: countPayments(groups), outcomes }];
}

function toFees([currency, groups]: [string, ShadowGroup[]]): FeeDifference {
  const live = groups.reduce((sum, { liveFees }) => sum + liveFees, 0n);
  const draft = groups.reduce((sum, { fees }) => sum + fees, 0n);
  const compared = groups.reduce((sum, { priced }) => sum + priced, 0);
  return { currency, live, draft, difference: draft - live, compared, unpriced: countPayments(groups) - compared };
}

/** How each account converted the payments of each method that it served and that have ended. */
function observedIn(groups: readonly ShadowGroup[]): Map<string, { readonly paid: number; readonly all: number }> {
  const observed = new Map<string, { readonly paid: number; readonly all: number }>();
  for (const { method, servedBy, outcome, payments } of groups) {
    if (servedBy === null || outcome === 'open') continue;
    const key = `${method ?? 'ANY'}|${servedBy}`;
    const seen = observed.get(key) ?? { paid: 0, all: 0 };
    observed.set(key, { paid: seen.paid + (outcome === 'paid' ? payments : 0), all: seen.all + payments });
  }
  return observed;
}

function countPayments(groups: readonly ShadowGroup[]): number {
  return groups.reduce((sum, { payments }) => sum + payments, 0);
}
