import type { Observations, StatementEntry } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { type Finding, money } from './violation.ts';

type Paid = StatementEntry & { readonly paid: number };

/** Checks a payment against the gateways' statements. */
export function* checkMoney(file: PaymentObservations): Generator<Finding> {
  const { payment } = file;
  const { status, underReview, gatewayReference } = payment;
  // Once the run has settled, only payments under review are open.
  const isOpen = status === 'INITIATED' || (status === 'PENDING' && !underReview);
  if (isOpen) yield ['never_settled', `is ${status} after the run has settled`];
  const received = moneyReceived(file);
  const right = received.filter(({ paid, currency }) => paid === payment.amount && currency === payment.currency);
  if (!isPaid(file)) {
    // Another amount is for review; the exact amount is not.
    const [first] = right.length > 0 || underReview ? right : received;
    if (first) {
      const what = `${first.gateway} received ${money(first.paid)} under ${first.reference}, and the payment is ${status}`;
      yield ['paid_but_not_succeeded', what];
    }
  }
  const own = isPaid(file) ? right.find(({ reference }) => reference === gatewayReference) : undefined;
  if (isPaid(file) && own === undefined) {
    yield ['succeeded_but_not_paid', `no gateway's statement has this amount under ${gatewayReference ?? 'no reference'}`];
  }
  yield* checkCharges(file, isPaid(file) ? received.filter((entry) => entry !== own) : []);
}

/** All money beyond the one successful charge is recorded as duplicate charges, once each, and nothing else is. */
function* checkCharges({ duplicateCharges }: PaymentObservations, second: readonly Paid[]): Generator<Finding> {
  const left = [...duplicateCharges];
  for (const { gateway, reference, paid, currency } of second) {
    const at = left.findIndex(
      (charge) => charge.reference === reference && charge.amount === paid && charge.currency === currency,
    );
    if (at >= 0) left.splice(at, 1);
    else yield ['charge_not_recorded', `${money(paid)} at ${gateway} under ${reference} was charged a second time, unrecorded`];
  }
  for (const { amount, reference } of left) {
    yield ['charge_made_up', `a second charge of ${money(amount)} under ${reference} did not happen`];
  }
}

/** Checks that refunds stay within what was paid, and that ledger and statement agree on them. */
export function* checkRefunds(file: PaymentObservations): Generator<Finding> {
  const { payment, refunds, statements } = file;
  for (const { refundId, state } of refunds) {
    const isOpen = state === 'REQUESTED' || state === 'PROCESSING';
    if (isOpen) yield ['never_settled', `refund ${refundId} is ${state} after the run has settled`];
  }
  const done = refunds.filter(({ state, duplicate }) => state === 'SUCCEEDED' && !duplicate);
  const sum = sumOf(done.map(({ amount }) => amount));
  if (sum > payment.amount) yield ['refunded_too_much', `${money(sum)} was refunded of ${money(payment.amount)}`];
  for (const { gateway, reference, refunded, paid } of statements) {
    if (refunded <= (paid ?? 0)) continue;
    yield ['refunded_too_much', `${gateway} returned ${money(refunded)} of ${money(paid ?? 0)} under ${reference}`];
  }
  if (sum !== payment.refundedAmount) {
    yield ['refund_differs', `refunds sum to ${money(sum)}, the payment has ${money(payment.refundedAmount)}`];
  }
  const isWhole = sum === payment.amount && isPaid(file);
  if (isWhole !== (payment.status === 'REFUNDED')) {
    yield ['refund_differs', `${money(sum)} was refunded, and the payment is ${payment.status}`];
  }
  const atGateways = sumOf(statements.map(({ refunded }) => refunded));
  const inLedger = sumOf(refunds.filter(({ state }) => state !== 'FAILED').map(({ amount }) => amount));
  if (atGateways !== inLedger && !isMadeUpOf(inLedger - atGateways, unconfirmed(file))) {
    yield ['refund_differs', `the statements have refunds of ${money(atGateways)}, the ledger of ${money(inLedger)}`];
  }
}

/** Gateways that answer no questions about refunds: one whose answer was lost may be there or not, and needs a person. */
const SILENT_ABOUT_REFUNDS: readonly string[] = ['squad'];

/** Amounts of the refunds of which nobody but a person can say whether the gateway has them. */
function unconfirmed({ refunds, statements }: PaymentObservations): number[] {
  const isSilent = statements.some(({ gateway, paid }) => paid !== null && SILENT_ABOUT_REFUNDS.includes(gateway));
  return isSilent ? refunds.filter(({ state }) => state === 'NEEDS_ATTENTION').map(({ amount }) => amount) : [];
}

/** True if some of the amounts sum to another. */
function isMadeUpOf(sum: number, amounts: readonly number[]): boolean {
  const [first, ...others] = amounts;
  if (first === undefined) return sum === 0;
  return isMadeUpOf(sum, others) || isMadeUpOf(sum - first, others);
}

/** Per merchant: our payments sum to what the gateways received, less duplicate charges and payments under review. */
export function* checkSums(observations: Observations, files: readonly PaymentObservations[]): Generator<Finding> {
  const charges = Map.groupBy(observations.duplicateCharges, ({ merchantId }) => merchantId);
  const paidAtGateways = (of: readonly PaymentObservations[]): number =>
    sumOf(of.flatMap(({ statements }) => statements.map(({ paid }) => paid ?? 0)));
  for (const [merchantId, own] of Map.groupBy(files, ({ payment }) => payment.merchantId)) {
    const inLedger = sumOf(own.filter(isPaid).map(({ payment }) => payment.amount));
    const received = paidAtGateways(own);
    const twice = sumOf((charges.get(merchantId) ?? []).map(({ amount }) => amount));
    const inReview = paidAtGateways(own.filter((file) => !isPaid(file) && file.payment.underReview));
    if (inLedger === received - twice - inReview) continue;
    const statements = `${money(received)} less ${money(twice)} charged twice less ${money(inReview)} under review`;
    yield ['sums_differ', `merchant ${merchantId}: our payments sum to ${money(inLedger)}, the statements to ${statements}`];
  }
}

/** The checkouts that were paid, with the amount received. */
function moneyReceived({ statements }: PaymentObservations): Paid[] {
  return statements.flatMap((entry) => (entry.paid === null ? [] : [{ ...entry, paid: entry.paid }]));
}

function isPaid({ payment: { status } }: PaymentObservations): boolean {
  return status === 'SUCCESS' || status === 'REFUNDED';
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
