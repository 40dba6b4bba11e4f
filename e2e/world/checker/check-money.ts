import type { Observations, StatementEntry } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { type Finding, money } from './violation.ts';

/** Gateways that name the fee in their lists alone, which are read the day after. */
export const FEES_IN_LISTS: readonly string[] = ['squad'];
/** Longest from a checkout to its payment: lists go by the day of either. */
const CHECKOUT_MS = 10 * 3_600_000;
/** Processes' clocks are wrong by up to ten minutes. */
const CLOCK_TOLERANCE_MS = 11 * 60_000;
/** Longest until a payment is on record: a list that is compared before then names the fee of none. */
const RECORDED_WITHIN_MS = 12 * 3_600_000;
const LAGOS_AHEAD_MS = 3_600_000;

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
  const isAwaited =
    own !== undefined &&
    payment.feeAmount === null &&
    FEES_IN_LISTS.includes(own.gateway) &&
    !wasListed(file, own, (own.paidAt ?? 0) + RECORDED_WITHIN_MS);
  if (own !== undefined && !isAwaited && payment.feeAmount !== own.fee) {
    yield [
      'fee_differs',
      `${own.gateway} took a fee of ${moneyOr(own.fee, 'no amount')}, and ${moneyOr(payment.feeAmount, 'none')} is on record`,
    ];
  }
  yield* checkReceived(file, received);
}

/** True if the list of the day on which a transaction was opened and paid has been compared since. */
export function wasListed({ comparisons }: PaymentObservations, { accountId, paidAt }: StatementEntry, since: number): boolean {
  if (paidAt === null) return false;
  const day = lagosDay(paidAt);
  const isOfDay = lagosDay(paidAt - CHECKOUT_MS) === day;
  return (
    isOfDay &&
    comparisons.some((each) => each.accountId === accountId && each.day === day && each.comparedAt > since + CLOCK_TOLERANCE_MS)
  );
}

function lagosDay(ms: number): string {
  return new Date(ms + LAGOS_AHEAD_MS).toISOString().slice(0, 10);
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

/** Money that attempts have received, and by which transaction, is on the statement of their gateway. */
function* checkReceived({ attempts }: PaymentObservations, received: readonly Paid[]): Generator<Finding> {
  for (const { accountId, reference, transactionId, receivedAmount, receivedCurrency } of attempts) {
    if (receivedAmount === null) continue;
    const booked = received.filter((entry) => entry.accountId === accountId && entry.reference === reference);
    const isBooked = booked.some(
      (entry) => entry.paid === receivedAmount && entry.currency === receivedCurrency && entry.transactionId === transactionId,
    );
    if (isBooked) continue;
    const what = `${money(receivedAmount)} ${receivedCurrency} by transaction ${transactionId}`;
    yield ['received_differs', `attempt ${reference} has received ${what}, which is not on its gateway's statement`];
  }
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

export function isPaid({ payment: { status } }: PaymentObservations): boolean {
  return status === 'SUCCESS' || status === 'REFUNDED';
}

export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function moneyOr(hundredths: number | null, nothing: string): string {
  return hundredths === null ? nothing : money(hundredths);
}
