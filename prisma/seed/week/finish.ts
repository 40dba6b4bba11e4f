import { type AttemptFact, feeOf } from './attempts.ts';
import { HOUR_MS, MINUTE_MS } from './calendar.ts';
import type { WeekHealth } from './health.ts';
import { type PaymentEvent, type PaymentHistory, recordEvent } from './payment-history.ts';
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
export function drawEnding(random: Random, { method, attempts }: PaymentHistory): Ending {
  const gateway = attempts.at(-1)?.account.routable.gateway === 'flutterwave' ? 'flutterwave' : 'paystack';
  if (random.chance(PAID[gateway])) return 'paid';
  return random.chance(method === 'TRANSFER' ? 0.15 : 0.55) ? 'declined' : 'abandoned';
}

interface Finish {
  readonly ending: Ending;
  readonly endsAt: number;
  readonly health: WeekHealth;
}

/** Records the rest of a payment whose checkout opened, up to `endsAt`. */
export function finish(random: Random, history: PaymentHistory, { ending, endsAt, health }: Finish): void {
  const attempt = history.attempts.find(({ current }) => current);
  if (attempt === undefined) return;
  const closedAt = history.createdAt + history.merchant.sessionMinutes * MINUTE_MS + random.int(20_000, 95_000);
  const backAt = attempt.updatedAt + timeAtCheckout(random, history);
  const at = ending === 'abandoned' ? closedAt : backAt;
  if (at >= endsAt) return;
  attempt.lastAskedAt = at;
  attempt.updatedAt = at;
  switch (ending) {
    case 'paid':
      pay(random, history, attempt, { at, cause: causeOf(random) });
      observe('paid', at);
      return;
    case 'declined':
      attempt.state = 'UNPAID';
      recordEvent(random, history, {
        at,
        type: 'payment.failed',
        to: 'FAILED',
        cause: causeOf(random),
        detail: { attemptId: attempt.attemptId, message: declined(random, attempt) },
      });
      observe('unpaid', at);
      return;
    case 'abandoned':
      expire(random, history, at);
      observe('unpaid', at);
      payLate(random, history, attempt, { at, endsAt });
      return;
    case 'underpaid':
      underpay(random, history, attempt, at);
      return;
    default:
      ending satisfies never;
  }

  function observe(end: 'paid' | 'unpaid', moment: number): void {
    const method = history.merchant.accounts
      .flatMap(({ routable }) => routable.methods)
      .find((known) => known === history.method);
    if (attempt !== undefined) health.observeEnd(attempt.account.routable.accountId, method ?? null, moment, end);
  }
}

function timeAtCheckout(random: Random, { method }: PaymentHistory): number {
  const usual = method === 'TRANSFER' || method === 'BANK' ? 210_000 : 75_000;
  return Math.round(Math.min(50 * MINUTE_MS, usual * Math.exp(0.6 * random.normal())));
}

function causeOf(random: Random): PaymentEvent['cause'] {
  return random.chance(0.68) ? 'gateway_webhook' : 'checkout_return';
}

function declined(random: Random, { account }: AttemptFact): string {
  const gateway = account.routable.gateway === 'paystack' ? 'Paystack' : 'Flutterwave';
  return `${gateway} reports that the payment failed: ${random.pick(REASONS)}`;
}

function pay(
  random: Random,
  history: PaymentHistory,
  attempt: AttemptFact,
  { at, cause }: Pick<PaymentEvent, 'at' | 'cause'>,
): void {
  const { amount, state } = history;
  const transactionId = random.text(10, DIGITS).replace(/^0/, '4');
  const late = state.status === 'FAILED';
  Object.assign(attempt, { state: 'PAID', transactionId, received: amount });
  state.receipt = { at, amount, transactionId, fee: feeOf(attempt.account, amount) };
  state.late = late;
  const gateway = attempt.account.routable.gateway;
  const money = { amount: String(amount), currency: 'NGN', transactionId, gateway };
  const detail = { attemptId: attempt.attemptId, ...money, late };
  recordEvent(random, history, { at, type: 'payment.succeeded', to: 'SUCCESS', cause, detail });
}

function expire(random: Random, history: PaymentHistory, at: number): void {
  const detail = { reason: 'session_expired', message: 'The session ended, and the gateway says that nothing was paid.' };
  recordEvent(random, history, { at, type: 'payment.failed', to: 'FAILED', cause: 'schedule', detail });
}

/** A few transfers arrive after the session has ended. */
function payLate(
  random: Random,
  history: PaymentHistory,
  attempt: AttemptFact,
  { at, endsAt }: { at: number; endsAt: number },
): void {
  const arrivesAt = at + random.int(20 * MINUTE_MS, 9 * HOUR_MS);
  if (history.method !== 'TRANSFER' || !random.chance(LATE) || arrivesAt >= endsAt) return;
  attempt.lastAskedAt = arrivesAt;
  attempt.updatedAt = arrivesAt;
  pay(random, history, attempt, { at: arrivesAt, cause: 'gateway_webhook' });
}

function underpay(random: Random, history: PaymentHistory, attempt: AttemptFact, at: number): void {
  const received = history.amount - Math.max(100, Math.round(history.amount / 3_700) * 100);
  const transactionId = random.text(10, DIGITS).replace(/^0/, '4');
  const reason = `Expected NGN ${history.amount.toLocaleString('en')}, received NGN ${received.toLocaleString('en')}.`;
  Object.assign(attempt, { transactionId, received });
  history.state.review = { state: 'OPEN', reason };
  history.state.receipt = { at, amount: received, transactionId, fee: feeOf(attempt.account, received) };
  const detail = { attemptId: attempt.attemptId, reason, amount: String(received), currency: 'NGN', transactionId };
  recordEvent(random, history, { at, type: 'payment.requires_review', to: null, cause: 'gateway_webhook', detail });
}
