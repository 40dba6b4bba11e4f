import type { Observations } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import type { Finding } from './violation.ts';

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
  const foreign = new Set(foreignMoney.map(({ reference }) => reference));
  // A day is compared again for some days only: what a gateway took back may be found by the last of them.
  const takenBack = new Set(planted.map(({ reference }) => reference));
  const differing = new Set(files.filter(hasOtherMoney).map(({ payment }) => payment.paymentId));
  for (const { kind, paymentId, reference } of open) {
    if (reference !== null && (foreign.has(reference) || takenBack.has(reference))) continue;
    if (paymentId !== null && differing.has(paymentId)) continue;
    yield ['reconciliation_differs', `${kind} of ${reference ?? 'no reference'} is open, and both sides agree`];
  }
}

/** True if a gateway received another amount or currency than was asked for, or a refund of it has no certain end. */
function hasOtherMoney({ payment, statements, refunds }: PaymentObservations): boolean {
  return (
    refunds.some(({ state }) => state === 'NEEDS_ATTENTION') ||
    statements.some(({ paid, currency }) => paid !== null && (paid !== payment.amount || currency !== payment.currency))
  );
}
