import { findGateway } from '@switchyard/gateways';
import { SILENT_ABOUT_REFUNDS } from '../plan/quirks.ts';
import type { BookedRefund, Observations, PlantedEvent, StatementEntry } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { type Finding, money, type Violation, violation } from './violation.ts';

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
    hasFeesInLists(own.gateway) &&
    !wasListed(file, own, (own.paidAt ?? 0) + RECORDED_WITHIN_MS);
  if (own !== undefined && !isAwaited && payment.feeAmount !== own.fee) {
    yield [
      'fee_differs',
      `${own.gateway} took a fee of ${moneyOr(own.fee, 'no amount')}, and ${moneyOr(payment.feeAmount, 'none')} is on record`,
    ];
  }
  yield* checkReceived(file, received);
}

/** True if a gateway names fees in its lists alone, which are read the day after. */
export function hasFeesInLists(gateway: string): boolean {
  return findGateway(gateway)?.capabilities.onlyInLists?.includes('fee') === true;
}

/** True if the list of the day on which a transaction was opened and paid has been compared since. */
function wasListed({ comparisons }: PaymentObservations, { accountId, paidAt }: StatementEntry, since: number): boolean {
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

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function moneyOr(hundredths: number | null, nothing: string): string {
  return hundredths === null ? nothing : money(hundredths);
}

type RefundRow = PaymentObservations['refunds'][number];

/** Checks that refunds stay within what was paid, and that each is at its gateway once, as it is on record. */
export function* checkRefunds(file: PaymentObservations): Generator<Finding> {
  const { payment, refunds } = file;
  const statements = file.statements.map((entry) => nameRefunds(entry, refunds));
  const done = refunds.filter(({ state, duplicate, mismatched }) => state === 'SUCCEEDED' && !duplicate && !mismatched);
  const sum = sumOf(done.map(({ amount }) => amount));
  if (sum > payment.amount) yield ['refunded_too_much', `${money(sum)} was refunded of ${money(payment.amount)}`];
  if (sum !== payment.refundedAmount) {
    yield ['refund_differs', `refunds sum to ${money(sum)}, the payment has ${money(payment.refundedAmount)}`];
  }
  const isWhole = sum === payment.amount && isPaid(file);
  if (isWhole !== (payment.status === 'REFUNDED')) {
    yield ['refund_differs', `${money(sum)} was refunded, and the payment is ${payment.status}`];
  }
  for (const { gateway, reference, refunds: booked, paid } of statements) {
    const returned = sumOf(booked.flatMap(({ amount, status }) => (status === 'failed' ? [] : [amount])));
    if (returned <= (paid ?? 0)) continue;
    yield ['refunded_too_much', `${gateway} returned ${money(returned)} of ${money(paid ?? 0)} under ${reference}`];
  }
  for (const refund of refunds) yield* checkRefund(refund, statements);
  const references = new Set(refunds.map(({ accountId, reference }) => `${accountId} ${reference}`));
  for (const { gateway, accountId, reference, refunds: booked } of statements) {
    for (const { id, words, amount } of booked) {
      if (words.some((word) => references.has(`${accountId} ${word}`))) continue;
      const what = `${gateway} refunded ${money(amount)} of ${reference} as ${id}, which is no refund of ours`;
      yield ['refund_differs', what];
    }
  }
}

/**
 * An entry whose refunds have our references. Where the gateway was given none, each refund on record of the same amount names one there, so
 * that a refund which was made twice leaves one without a name.
 */
function nameRefunds(entry: StatementEntry, refunds: readonly RefundRow[]): StatementEntry {
  if (findGateway(entry.gateway)?.capabilities.refundsCarryNoReference !== true) return entry;
  const unused = refunds.filter(({ accountId }) => accountId === entry.accountId);
  const named = entry.refunds.map((booked) => {
    const index = unused.findIndex(({ amount }) => amount === booked.amount);
    const [refund] = index === -1 ? [] : unused.splice(index, 1);
    return refund === undefined ? booked : { ...booked, words: [refund.reference] };
  });
  return { ...entry, refunds: named };
}

/** A refund is found by its reference: it was accepted once at most, and stands at its gateway as here. */
function* checkRefund(
  { refundId, state, reference, accountId, amount, currency }: RefundRow,
  statements: readonly StatementEntry[],
): Generator<Finding> {
  const own = statements.filter((entry) => entry.accountId === accountId);
  const found = own.flatMap((entry) =>
    entry.refunds.filter(({ words }) => words.includes(reference)).map((booked) => ({ entry, booked })),
  );
  if (found.length > 1) {
    const ids = found.map(({ booked }) => describeBooked(booked)).join(' and ');
    yield ['refund_sent_twice', `refund ${refundId} was accepted ${found.length} times: ${ids}`];
  }
  for (const { entry, booked } of found) {
    if (booked.amount === amount && entry.currency === currency) continue;
    const there = `${money(booked.amount)} ${entry.currency}`;
    yield [
      'refund_differs',
      `refund ${refundId} is of ${money(amount)} ${currency}, and ${entry.gateway} was asked for ${there}`,
    ];
  }
  const at = found.map(({ booked }) => describeBooked(booked)).join(', ') || 'unknown';
  const has = (status: BookedRefund['status']): boolean => found.some(({ booked }) => booked.status === status);
  switch (state) {
    case 'REQUESTED':
    case 'PROCESSING':
      yield ['never_settled', `refund ${refundId} is ${state} after the run has settled`];
      return;
    case 'SUCCEEDED':
      if (!has('paid_out')) yield ['refund_differs', `refund ${refundId} succeeded, and is ${at} at its gateway`];
      return;
    case 'FAILED':
      if (has('paid_out') || has('pending')) yield ['refund_differs', `refund ${refundId} failed, and is ${at} at its gateway`];
      return;
    default: {
      // Its end is not known, and staff look at the gateway's dashboard: only where it answers no questions.
      const isSilent = own.some(({ gateway }) => SILENT_ABOUT_REFUNDS.some((silent) => silent === gateway));
      if (!isSilent)
        yield ['refund_differs', `refund ${refundId} needs a person, and is ${at} at its gateway, which answers look-ups`];
    }
  }
}

function describeBooked({ id, status }: BookedRefund): string {
  return `${status} (${id})`;
}

const LOST: readonly string[] = ['LOST', 'ACCEPTED', 'EXPIRED'];

/**
 * Checks that disputes and money taken back on record are those of which gateways know, decided as there. Where `differences` were planted,
 * time passed until lists were read again: disputes are on record, and a reversal that was there when its day was compared.
 */
export function* checkTakenBack(
  { planted, differences }: Observations,
  files: readonly PaymentObservations[],
): Generator<Violation> {
  const eventsOf = Map.groupBy(planted, ({ reference }) => reference);
  for (const file of files) {
    const events = file.attempts.flatMap(({ reference }) => eventsOf.get(reference) ?? []);
    const found = differences.length === 0 ? [] : findMissed(file, events);
    for (const [kind, what] of [...findMadeUp(file, events), ...found]) yield violation(kind, what, file);
  }
}

function* findMadeUp(file: PaymentObservations, events: readonly PlantedEvent[]): Generator<Finding> {
  const has = (kind: PlantedEvent['kind']): boolean => events.some((event) => event.kind === kind);
  for (const { gatewayDisputeId, state } of file.disputes) {
    const isRight =
      has('dispute_opened') && !(state === 'WON' && !has('dispute_won')) && !(LOST.includes(state) && has('dispute_won'));
    if (isRight) continue;
    const there = events.map(({ kind }) => kind).join(', ') || 'none';
    yield ['dispute_differs', `dispute ${gatewayDisputeId} is ${state}, and its gateway has ${there}`];
  }
  const { reversedAmount, refundedAmount } = file.payment;
  const mayBeGone = has('reversed') || has('dispute_lost') || (has('dispute_opened') && !has('dispute_won'));
  if (reversedAmount !== 0 && !mayBeGone) {
    yield ['dispute_differs', `${money(reversedAmount)} is taken back, and its gateway took nothing back`];
  }
  const received = Math.max(0, ...file.statements.map(({ paid }) => paid ?? 0));
  if (isPaid(file) && reversedAmount + refundedAmount > received) {
    const both = `${money(reversedAmount)} taken back and ${money(refundedAmount)} refunded`;
    yield ['dispute_differs', `${both} are more than the ${money(received)} received`];
  }
}

/** Disputes, their decisions, and money taken back of which a gateway knows, and our records do not. */
function* findMissed(file: PaymentObservations, events: readonly PlantedEvent[]): Generator<Finding> {
  const { payment, attempts, disputes, statements, refunds } = file;
  const known = statements.flatMap((entry) => entry.disputes);
  if (disputes.length < known.length) {
    yield [
      'dispute_differs',
      `${known.length} disputes are open or decided at its gateways, and ${disputes.length} are on record`,
    ];
  }
  for (const kind of ['won', 'lost'] as const) {
    const there = known.filter((state) => state === kind).length;
    const here = disputes.filter(({ state }) => (kind === 'won' ? state === 'WON' : LOST.includes(state))).length;
    if (here < there) yield ['dispute_differs', `${there} of its disputes are ${kind} at its gateways, and ${here} on record`];
  }
  // A duplicate charge under the same reference is another transaction, which takes nothing back of the payment.
  const paidBy = attempts.find(({ reference }) => reference === payment.gatewayReference)?.transactionId;
  const own = statements.find((entry) => entry.reference === payment.gatewayReference && entry.transactionId === paidBy);
  if (!isPaid(file) || own === undefined || own.reversed === 0) return;
  const reversal = events.find(({ kind }) => kind === 'reversed');
  // Statuses of gateways tell of a whole payment alone, and not of what is left of it after a refund.
  const isTold = reversal !== undefined && own.reversed === own.paid && wasListed(file, own, reversal.at);
  if (!own.disputes.includes('lost') && !isTold) return;
  // A refund that failed afterwards counted as returned when the gateway took back the rest.
  const returned = sumOf(refunds.filter(({ duplicate, mismatched }) => !duplicate && !mismatched).map(({ amount }) => amount));
  if (payment.reversedAmount + returned >= payment.amount) return;
  const here = `${money(payment.reversedAmount)} is on record as taken back`;
  yield ['dispute_differs', `${own.gateway} took back ${money(own.reversed)} of ${own.reference}, and ${here}`];
}
