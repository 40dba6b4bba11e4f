import { isPaid } from './check-money.ts';
import type { Observations, PlantedEvent, StatementEntry } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { type Violation, violation } from './violation.ts';

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
