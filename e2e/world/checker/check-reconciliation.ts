import type { Observations } from './observations.ts';
import { type PaymentObservations, statementKey } from './payment-observations.ts';
import type { Finding } from './violation.ts';

/** Processes' clocks are wrong by up to ten minutes. */
const CLOCK_TOLERANCE_MS = 11 * 60_000;

/**
 * Checks that comparisons with gateways' lists have found the money that we know nothing of, and nothing where both sides agree. Without such
 * money nothing is checked: lists are then compared at any time, and not after everything else.
 */
export function* checkReconciliation(
  { discrepancies, comparisons, foreignMoney, planted }: Observations,
  files: readonly PaymentObservations[],
): Generator<Finding> {
  if (foreignMoney.length === 0) return;
  const open = discrepancies.filter(({ state }) => state === 'OPEN');
  for (const { gateway, accountId, reference, at } of foreignMoney) {
    const wasCompared = comparisons.some((each) => each.accountId === accountId && each.comparedAt > at);
    if (!wasCompared)
      yield ['reconciliation_differs', `account ${accountId} at ${gateway} was not compared after ${reference} was paid`];
    const found = open.filter((each) => each.accountId === accountId && each.reference === reference);
    if (found.length !== 1 || found[0]?.kind !== 'MISSING_HERE') {
      const kinds = found.map(({ kind }) => kind).join(', ') || 'nothing';
      yield ['reconciliation_differs', `${reference}, paid at ${gateway} for another system, was found as ${kinds}`];
    }
  }
  const foreign = new Set(foreignMoney.map(statementKey));
  const fileOf = new Map(files.map((file) => [file.payment.paymentId, file]));
  for (const discrepancy of open) {
    const { kind, accountId, paymentId, reference } = discrepancy;
    if (reference !== null && foreign.has(statementKey({ accountId, reference }))) continue;
    const file = paymentId === null ? undefined : fileOf.get(paymentId);
    if (file !== undefined && (hasOtherMoney(file) || wasTakenBackBefore(discrepancy, file, planted))) continue;
    if (file !== undefined && hasRefundEndedSince(discrepancy, file)) continue;
    yield ['reconciliation_differs', `${kind} of ${reference ?? 'no reference'} is open, and both sides agree`];
  }
}

/**
 * True if the discrepancy is the last comparison's of a day, after the gateway took the money back, which is on record since: no later comparison
 * closes it.
 */
function wasTakenBackBefore(
  { kind, accountId, reference, updatedAt }: Observations['discrepancies'][number],
  { attempts, timeline }: PaymentObservations,
  planted: Observations['planted'],
): boolean {
  const isOwn = attempts.some((attempt) => attempt.accountId === accountId && attempt.reference === reference);
  if (kind !== 'STATUS' || !isOwn || !timeline.some(({ type }) => type === 'payment.reversed')) return false;
  const own = planted.filter((each) => each.reference === reference);
  const isWon = own.some((each) => each.kind === 'dispute_won');
  // A dispute that is not answered is lost by itself.
  const takesBack = ({ kind: what }: (typeof own)[number]): boolean =>
    what === 'reversed' || what === 'dispute_lost' || (what === 'dispute_opened' && !isWon);
  return own.some((each) => takesBack(each) && each.at - CLOCK_TOLERANCE_MS <= updatedAt);
}

/** True if the comparison found a refund that was under way, and the day was not compared again since the refund ended here. */
function hasRefundEndedSince(
  { kind, accountId, reference, updatedAt }: Observations['discrepancies'][number],
  { refunds }: PaymentObservations,
): boolean {
  return (
    kind === 'STATUS' &&
    refunds.some(
      (refund) =>
        refund.accountId === accountId && refund.reference === reference && refund.updatedAt + CLOCK_TOLERANCE_MS >= updatedAt,
    )
  );
}

/** True if a gateway received another amount or currency than was asked for, or a refund of it has no certain end. */
function hasOtherMoney({ payment, statements, refunds }: PaymentObservations): boolean {
  return (
    refunds.some(({ state }) => state === 'NEEDS_ATTENTION') ||
    statements.some(({ paid, currency }) => paid !== null && (paid !== payment.amount || currency !== payment.currency))
  );
}
