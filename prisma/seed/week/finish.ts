import { gatewayTitle } from '@switchyard/gateways';
import { formatMoney } from '@switchyard/routing';
import { type Attempt, feeOf } from './attempts.ts';
import { HOUR_MS, MINUTE_MS } from './calendar.ts';
import { type PaymentEvent, type PaymentHistory, recordEvent, type Simulation } from './history.ts';
import type { Random } from './random.ts';

/** The outcome of a customer's visit to the checkout. */
export type Ending = 'paid' | 'declined' | 'abandoned' | 'underpaid';

const DIGITS = '0123456789';
const REASONS = [
  'Declined by the issuer',
  'Insufficient funds',
  'Incorrect PIN',
  'Customer gave up',
  'Transaction timed out',
] as const;
/** Shares of payments whose checkout opened. Cards are declined most, transfers are given up most. */
const PAID = { paystack: 0.832, flutterwave: 0.806 } as const;
const LATE = 0.02;

/** Draws an outcome by its probability. */
export function drawEnding(random: Random, { payment, attempts }: PaymentHistory): Ending {
  const gateway = attempts.at(-1)?.row.gateway === 'flutterwave' ? 'flutterwave' : 'paystack';
  if (random.chance(PAID[gateway])) return 'paid';
  return random.chance(payment.paymentMethod === 'TRANSFER' ? 0.15 : 0.55) ? 'declined' : 'abandoned';
}

/** Records the rest of a payment whose checkout opened, up to the end of the week. */
export function finish({ random, plan: { endsAt }, health }: Simulation, history: PaymentHistory, ending: Ending): void {
  const { merchant, payment } = history;
  const attempt = history.attempts.find(({ outcome }) => outcome.outcome === 'yes');
  if (attempt === undefined) return;
  const closedAt = payment.createdAt + merchant.sessionMinutes * MINUTE_MS + random.int(20_000, 95_000);
  const backAt = attempt.row.updatedAt + timeAtCheckout(random, payment.paymentMethod);
  const at = ending === 'abandoned' ? closedAt : backAt;
  if (at >= endsAt) return;
  Object.assign(attempt.row, { lastAskedAt: at, updatedAt: at });
  const where = { merchantId: merchant.merchantId, accountId: attempt.row.accountId, method: payment.paymentMethod };
  switch (ending) {
    case 'paid':
      pay(random, history, attempt, at, causeOf(random));
      health.observeEnd(where, at, 'paid');
      return;
    case 'declined':
      decline(random, history, attempt, at);
      health.observeEnd(where, at, 'unpaid');
      return;
    case 'abandoned':
      expire(random, history, at);
      health.observeEnd(where, at, 'unpaid');
      payLate(random, history, attempt, endsAt);
      return;
    case 'underpaid':
      underpay(random, history, attempt, at);
      return;
    default:
      ending satisfies never;
  }
}

function timeAtCheckout(random: Random, method: PaymentHistory['payment']['paymentMethod']): number {
  const usual = method === 'TRANSFER' || method === 'BANK' ? 210_000 : 75_000;
  return Math.round(Math.min(50 * MINUTE_MS, usual * Math.exp(0.6 * random.normal())));
}

function causeOf(random: Random): PaymentEvent['cause'] {
  return random.chance(0.68) ? 'gateway_webhook' : 'checkout_return';
}

/** Records that money arrived at an attempt's checkout. */
function receive(random: Random, { payment }: PaymentHistory, { account, row }: Attempt, at: number, amount: number): string {
  const transactionId = random.text(10, DIGITS).replace(/^0/, '4');
  const received = { receivedAmount: amount, receivedCurrency: 'NGN' };
  Object.assign(row, received, { transactionId });
  Object.assign(payment, received, {
    feeAmount: feeOf(account, amount, at),
    paidMethod: payment.paymentMethod ?? 'CARD',
    paidAt: at,
  });
  return transactionId;
}

function pay(random: Random, history: PaymentHistory, attempt: Attempt, at: number, cause: PaymentEvent['cause']): void {
  const { payment } = history;
  const { id: attemptId, gateway } = attempt.row;
  const transactionId = receive(random, history, attempt, at, payment.amount);
  attempt.row.state = 'PAID';
  Object.assign(payment, { paidAttemptId: attemptId, late: payment.status === 'FAILED' });
  const money = { amount: String(payment.amount), currency: 'NGN', transactionId, gateway };
  const detail = { attemptId, ...money, late: payment.late };
  recordEvent(random, history, { at, type: 'payment.succeeded', to: 'SUCCESS', cause, detail });
}

function decline(random: Random, history: PaymentHistory, { row }: Attempt, at: number): void {
  row.state = 'UNPAID';
  const message = `${gatewayTitle(row.gateway)} reports that the payment failed: ${random.pick(REASONS)}`;
  const detail = { attemptId: row.id, message };
  recordEvent(random, history, { at, type: 'payment.failed', to: 'FAILED', cause: causeOf(random), detail });
}

function expire(random: Random, history: PaymentHistory, at: number): void {
  const detail = { reason: 'session_expired', message: 'The session ended, and the gateway says that nothing was paid.' };
  recordEvent(random, history, { at, type: 'payment.failed', to: 'FAILED', cause: 'schedule', detail });
}

/** A few transfers arrive after the session has ended. */
function payLate(random: Random, history: PaymentHistory, attempt: Attempt, endsAt: number): void {
  const at = attempt.row.updatedAt + random.int(20 * MINUTE_MS, 9 * HOUR_MS);
  if (history.payment.paymentMethod !== 'TRANSFER' || !random.chance(LATE) || at >= endsAt) return;
  Object.assign(attempt.row, { lastAskedAt: at, updatedAt: at });
  pay(random, history, attempt, at, 'gateway_webhook');
}

function underpay(random: Random, history: PaymentHistory, attempt: Attempt, at: number): void {
  const { amount } = history.payment;
  const received = amount - Math.max(100, Math.round(amount / 3_700) * 100);
  const transactionId = receive(random, history, attempt, at, received);
  const reason = `Expected ${formatMoney('NGN', amount)}, received ${formatMoney('NGN', received)}.`;
  Object.assign(history.payment, { review: 'OPEN', reviewReason: reason });
  const detail = { attemptId: attempt.row.id, reason, amount: String(received), currency: 'NGN', transactionId };
  recordEvent(random, history, { at, type: 'payment.requires_review', cause: 'gateway_webhook', detail });
}
