import { type AttemptFact, feeOf } from './attempts.ts';
import { HOUR_MS, MINUTE_MS } from './calendar.ts';
import type { WeekHealth } from './health.ts';
import type { Random } from './random.ts';
import { type Happening, happen, type Story } from './story.ts';

/** How a customer's visit to the checkout ends. */
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

/** How it is likely to end. */
export function drawEnding(random: Random, { method, attempts }: Story): Ending {
  const gateway = attempts.at(-1)?.account.routable.gateway === 'flutterwave' ? 'flutterwave' : 'paystack';
  if (random.chance(PAID[gateway])) return 'paid';
  return random.chance(method === 'TRANSFER' ? 0.15 : 0.55) ? 'declined' : 'abandoned';
}

interface Finish {
  readonly ending: Ending;
  readonly endsAt: number;
  readonly health: WeekHealth;
}

/** Tells the rest of a payment whose checkout opened; what would come after `endsAt` has not happened yet. */
export function finish(random: Random, story: Story, { ending, endsAt, health }: Finish): void {
  const attempt = story.attempts.find(({ current }) => current);
  if (attempt === undefined) return;
  const closedAt = story.createdAt + story.merchant.sessionMinutes * MINUTE_MS + random.int(20_000, 95_000);
  const backAt = attempt.updatedAt + timeAtCheckout(random, story);
  const at = ending === 'abandoned' ? closedAt : backAt;
  if (at >= endsAt) return;
  attempt.lastAskedAt = at;
  attempt.updatedAt = at;
  switch (ending) {
    case 'paid':
      pay(random, story, attempt, { at, cause: causeOf(random) });
      observe('paid', at);
      return;
    case 'declined':
      attempt.state = 'UNPAID';
      happen(random, story, {
        at,
        type: 'payment.failed',
        to: 'FAILED',
        cause: causeOf(random),
        detail: { attemptId: attempt.attemptId, message: declined(random, attempt) },
      });
      observe('unpaid', at);
      return;
    case 'abandoned':
      expire(random, story, at);
      observe('unpaid', at);
      payLate(random, story, attempt, { at, endsAt });
      return;
    case 'underpaid':
      underpay(random, story, attempt, at);
      return;
    default:
      ending satisfies never;
  }

  function observe(end: 'paid' | 'unpaid', moment: number): void {
    const method = story.merchant.accounts.flatMap(({ routable }) => routable.methods).find((known) => known === story.method);
    if (attempt !== undefined) health.observeEnd(attempt.account.routable.accountId, method ?? null, moment, end);
  }
}

function timeAtCheckout(random: Random, { method }: Story): number {
  const usual = method === 'TRANSFER' || method === 'BANK' ? 210_000 : 75_000;
  return Math.round(Math.min(50 * MINUTE_MS, usual * Math.exp(0.6 * random.normal())));
}

function causeOf(random: Random): Happening['cause'] {
  return random.chance(0.68) ? 'gateway_webhook' : 'checkout_return';
}

function declined(random: Random, { account }: AttemptFact): string {
  const gateway = account.routable.gateway === 'paystack' ? 'Paystack' : 'Flutterwave';
  return `${gateway} reports that the payment failed: ${random.pick(REASONS)}`;
}

function pay(random: Random, story: Story, attempt: AttemptFact, { at, cause }: Pick<Happening, 'at' | 'cause'>): void {
  const { amount, state } = story;
  const transactionId = random.text(10, DIGITS).replace(/^0/, '4');
  const late = state.status === 'FAILED';
  Object.assign(attempt, { state: 'PAID', transactionId, received: amount });
  state.receipt = { at, amount, transactionId, fee: feeOf(attempt.account, amount) };
  state.late = late;
  const gateway = attempt.account.routable.gateway;
  const money = { amount: String(amount), currency: 'NGN', transactionId, gateway };
  const detail = { attemptId: attempt.attemptId, ...money, late };
  happen(random, story, { at, type: 'payment.succeeded', to: 'SUCCESS', cause, detail });
}

function expire(random: Random, story: Story, at: number): void {
  const detail = { reason: 'session_expired', message: 'The session ended, and the gateway says that nothing was paid.' };
  happen(random, story, { at, type: 'payment.failed', to: 'FAILED', cause: 'schedule', detail });
}

/** A few transfers arrive after the session has ended. */
function payLate(random: Random, story: Story, attempt: AttemptFact, { at, endsAt }: { at: number; endsAt: number }): void {
  const arrivesAt = at + random.int(20 * MINUTE_MS, 9 * HOUR_MS);
  if (story.method !== 'TRANSFER' || !random.chance(LATE) || arrivesAt >= endsAt) return;
  attempt.lastAskedAt = arrivesAt;
  attempt.updatedAt = arrivesAt;
  pay(random, story, attempt, { at: arrivesAt, cause: 'gateway_webhook' });
}

function underpay(random: Random, story: Story, attempt: AttemptFact, at: number): void {
  const received = story.amount - Math.max(100, Math.round(story.amount / 3_700) * 100);
  const transactionId = random.text(10, DIGITS).replace(/^0/, '4');
  const reason = `Expected NGN ${story.amount.toLocaleString('en')}, received NGN ${received.toLocaleString('en')}.`;
  Object.assign(attempt, { transactionId, received });
  story.state.review = { state: 'OPEN', reason };
  story.state.receipt = { at, amount: received, transactionId, fee: feeOf(attempt.account, received) };
  const detail = { attemptId: attempt.attemptId, reason, amount: String(received), currency: 'NGN', transactionId };
  happen(random, story, { at, type: 'payment.requires_review', to: null, cause: 'gateway_webhook', detail });
}
