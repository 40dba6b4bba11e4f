import { isPaid } from './check-money.ts';
import type { Observations } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { money, type Violation, violation } from './violation.ts';

/** Checks that refunds stay within what was paid, and that ledger and statement agree on them. */
export function checkRefunds(file: PaymentObservations): Violation[] {
  const { payment } = file;
  const found = file.refunds
    .filter(({ state }) => state === 'REQUESTED' || state === 'PROCESSING')
    .map(({ refundId, state }) => violation('never_settled', `refund ${refundId} is ${state} after the run has settled`, file));
  const done = file.refunds.filter(({ state, duplicate }) => state === 'SUCCEEDED' && !duplicate);
  const sum = done.reduce((total, { amount }) => total + amount, 0);
  if (sum > payment.amount)
    found.push(violation('refunded_too_much', `${money(sum)} was refunded of ${money(payment.amount)}`, file));
  for (const entry of file.statements) {
    if (entry.refunded > (entry.paid ?? 0)) {
      const what = `${entry.gateway} returned ${money(entry.refunded)} of ${money(entry.paid ?? 0)} under ${entry.reference}`;
      found.push(violation('refunded_too_much', what, file));
    }
  }
  if (sum !== payment.refunded) {
    found.push(violation('refund_differs', `refunds sum to ${money(sum)}, the payment has ${money(payment.refunded)}`, file));
  }
  const whole = sum === payment.amount && isPaid(file);
  if (whole !== (payment.status === 'REFUNDED')) {
    found.push(violation('refund_differs', `${money(sum)} was refunded, and the payment is ${payment.status}`, file));
  }
  const atGateways = file.statements.reduce((total, { refunded }) => total + refunded, 0);
  const inLedger = file.refunds.filter(({ state }) => state !== 'FAILED').reduce((total, { amount }) => total + amount, 0);
  if (atGateways !== inLedger) {
    found.push(
      violation('refund_differs', `the statements have refunds of ${money(atGateways)}, the ledger of ${money(inLedger)}`, file),
    );
  }
  return found;
}

/** Per merchant: our payments sum to what the gateways received, less duplicate charges and payments under review. */
export function checkSums(observations: Observations, files: readonly PaymentObservations[]): Violation[] {
  const found: Violation[] = [];
  const charges = Map.groupBy(observations.duplicateCharges, ({ merchantId }) => merchantId);
  for (const [merchantId, own] of Map.groupBy(files, ({ payment }) => payment.merchantId)) {
    const inLedger = sumOf(own.filter(isPaid).map(({ payment }) => payment.amount));
    const received = sumOf(own.flatMap(({ statements }) => statements.map(({ paid }) => paid ?? 0)));
    const twice = sumOf((charges.get(merchantId) ?? []).map(({ amount }) => amount));
    const open = own.filter((file) => !isPaid(file) && file.payment.underReview);
    const inReview = sumOf(open.flatMap(({ statements }) => statements.map(({ paid }) => paid ?? 0)));
    if (inLedger !== received - twice - inReview) {
      const what = `merchant ${merchantId}: our payments sum to ${money(inLedger)}, the gateways' statements to ${money(received)} less ${money(twice)} charged twice less ${money(inReview)} under review`;
      found.push(violation('sums_differ', what));
    }
  }
  return found;
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
