import { SILENT_ABOUT_REFUNDS } from '../plan/quirks.ts';
import { isPaid, sumOf } from './check-money.ts';
import type { BookedRefund, StatementEntry } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { type Finding, money } from './violation.ts';

type RefundRow = PaymentObservations['refunds'][number];

/** Checks that refunds stay within what was paid, and that each is at its gateway once, as it is on record. */
export function* checkRefunds(file: PaymentObservations): Generator<Finding> {
  const { payment, refunds, statements } = file;
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
