import { isPaid } from './check-money.ts';
import type { Observations, PlantedEvent, StatementEntry } from './observations.ts';
import { type PaymentObservations, statementKey } from './payment-observations.ts';
import { type Finding, type Violation, violation } from './violation.ts';

/**
 * Checks, where gateways paid out and days of grace are over, that a payment which its payout left out is missing and the rest of that payout
 * unexplained, and that nothing is open of payments which a payout has. Payments that are more than paid once (refunded, disputed, taken back,
 * another amount, planted differences) depend on later payouts, of which there are none.
 */
export function* checkPayouts(observations: Observations, files: readonly PaymentObservations[]): Generator<Violation> {
  const { planted, differences, settlementDiscrepancies } = observations;
  const payouts = planted.filter(({ kind }) => kind === 'left_out_of_payout');
  if (payouts.length === 0) return;
  const open = settlementDiscrepancies.filter(({ state }) => state === 'OPEN');
  const openOf = Map.groupBy(open, ({ paymentId }) => paymentId ?? '');
  const unexplained = new Set(open.filter(({ kind }) => kind === 'UNMATCHED').map(({ accountId }) => accountId));
  const differing = new Set(differences.map(({ reference }) => reference));
  for (const file of files) {
    const entry = onlyMoneyOf(file);
    const payout = payouts.find(({ gateway }) => gateway === entry?.gateway);
    if (entry === null || payout === undefined || differing.has(entry.reference) || !isBefore(entry, payout)) continue;
    const isLeftOut = entry.reference === payout.reference;
    const found = (openOf.get(file.payment.paymentId) ?? []).map(({ kind }) => kind);
    if (found.join() !== (isLeftOut ? 'MISSING' : '')) {
      const there = isLeftOut ? 'was left out of' : 'is in';
      const here = found.join(', ') || 'nothing';
      yield violation(
        'payout_differs',
        `${entry.reference} ${there} the payout of ${entry.gateway}, and is open as ${here}`,
        file,
      );
    }
    if (isLeftOut && !unexplained.has(entry.accountId)) {
      yield violation(
        'payout_differs',
        `the payout of ${entry.gateway} has ${entry.reference} in its sum alone, unnoticed`,
        file,
      );
    }
  }
}

/** The money of a payment that is paid once, with nothing gone back; null for any other. */
function onlyMoneyOf(file: PaymentObservations): StatementEntry | null {
  const { payment, statements, refunds, disputes, duplicateCharges } = file;
  const [entry, ...more] = statements.filter(({ paid }) => paid !== null);
  if (!isPaid(file) || entry === undefined || more.length > 0) return null;
  if (entry.paid !== payment.amount || entry.currency !== payment.currency) return null;
  const isGoing = payment.reversedAmount > 0 || entry.reversed > 0 || entry.refunds.length > 0 || entry.disputes.length > 0;
  return isGoing || refunds.length > 0 || disputes.length > 0 || duplicateCharges.length > 0 ? null : entry;
}

function isBefore({ paidAt }: StatementEntry, { at }: PlantedEvent): boolean {
  return paidAt !== null && paidAt < at;
}

/** A day is compared for a week after its end. */
const WEEK_MS = 8 * 24 * 3_600_000;
/** Processes' clocks are wrong by up to ten minutes. */
const CLOCK_TOLERANCE_MS = 11 * 60_000;

/**
 * Checks that comparisons with gateways' lists have found the differences that were planted, each as what it is, and nothing where both sides
 * agree. Where none was planted nothing is checked: lists are then compared at any time, and not after everything else.
 */
export function* checkReconciliation(
  { discrepancies, comparisons, differences, calls }: Observations,
  files: readonly PaymentObservations[],
): Generator<Finding> {
  if (differences.length === 0) return;
  const open = Map.groupBy(
    discrepancies.filter(({ state }) => state === 'OPEN'),
    ({ accountId, reference }) => statementKey({ accountId, reference: reference ?? '' }),
  );
  for (const difference of differences) {
    const { finds, gateway, accountId, reference, at } = difference;
    const wasCompared = comparisons.some((each) => each.accountId === accountId && each.comparedAt > at);
    if (!wasCompared) {
      yield [
        'reconciliation_differs',
        `account ${accountId} at ${gateway} was not compared after ${reference} was changed there`,
      ];
    }
    const found = (open.get(statementKey(difference)) ?? []).map(({ kind }) => kind);
    if (found.length === 1 && found[0] === finds) continue;
    yield [
      'reconciliation_differs',
      `${reference} at ${gateway} was found as ${found.join(', ') || 'nothing'} and not as ${finds}`,
    ];
  }
  const planted = new Set(differences.map(statementKey));
  const endedAt = calls.reduce((latest, { at }) => Math.max(latest, at), 0);
  const fileOf = new Map(files.map((file) => [file.payment.paymentId, file]));
  for (const [key, found] of open) {
    if (planted.has(key)) continue;
    for (const { kind, paymentId, reference, day } of found) {
      const file = paymentId === null ? undefined : fileOf.get(paymentId);
      if (file !== undefined && (hasOtherMoney(file) || (endedAt > weekAfter(day) && hasChangedSince(day, file)))) continue;
      yield ['reconciliation_differs', `${kind} of ${reference ?? 'no reference'} is open, and both sides agree`];
    }
  }
}

/** The end of the time in which a day with open discrepancies is compared again, daily. */
function weekAfter(day: string): number {
  return Date.parse(day) + WEEK_MS;
}

/** True if a payment has changed since its day was compared for the last time. */
function hasChangedSince(day: string, { moves, comparisons }: PaymentObservations): boolean {
  const comparedAt = Math.max(0, ...comparisons.flatMap((each) => (each.day === day ? [each.comparedAt] : [])));
  return moves.some(({ at }) => at + CLOCK_TOLERANCE_MS > comparedAt);
}

/** True if a gateway received another amount or currency than was asked for, or a refund of it has no certain end. */
function hasOtherMoney({ payment, statements, refunds }: PaymentObservations): boolean {
  return (
    refunds.some(({ state }) => state === 'NEEDS_ATTENTION') ||
    statements.some(({ paid, currency }) => paid !== null && (paid !== payment.amount || currency !== payment.currency))
  );
}
