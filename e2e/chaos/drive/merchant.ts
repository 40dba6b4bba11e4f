import { setTimeout as pause } from 'node:timers/promises';
import type { AnsweredPayment } from '../checker/witnesses.ts';
import type { PaymentPlan } from '../plan/payments.ts';
import type { Answered, ChaosMerchant, Diary, Question } from './diary.ts';

/** One payment as its merchant sees it. */
export interface Order {
  readonly plan: PaymentPlan;
  readonly merchant: ChaosMerchant;
}

const FIRST_WAIT_MS = 150;
const LONGEST_WAIT_MS = 2_000;

/**
 * Starts a payment as a careful merchant does: again with the same key after a lost connection, a 5xx, a 429 or a 409 that says
 * that the first is still under way, until there is an answer or the time is over. Null when there was none in time.
 */
export async function initiate(diary: Diary, order: Order, deadline: number): Promise<AnsweredPayment | null> {
  const { plan } = order;
  const [first, second] = [plan.number, plan.number + 1];
  switch (plan.start) {
    case 'plainly':
    case 'without_key':
      return keepAsking(diary, order, deadline);
    case 'twice_at_once': {
      const both = [keepAsking(diary, order, deadline, first), keepAsking(diary, order, deadline, second)];
      const [one, other] = await Promise.all(both);
      return one ?? other ?? null;
    }
    case 'again_later': {
      const payment = await keepAsking(diary, order, deadline);
      if (payment !== null) await diary.ask(questionOf(order));
      return payment;
    }
    default:
      return plan.start satisfies never;
  }
}

async function keepAsking(diary: Diary, order: Order, deadline: number, replica?: number): Promise<AnsweredPayment | null> {
  const question = questionOf(order);
  let to = replica;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const answered = await diary.ask({ ...question, ...(to !== undefined && { replica: to }) });
    if (answered.payment !== null) return answered.payment;
    if (answered.takenBy !== null) return readTaken(diary, order, answered.takenBy, deadline);
    if (!isWorthAnother(answered)) return null;
    if (Date.now() + wait > deadline) return null;
    await pause(wait);
    // Whoever asks again comes to whichever is next.
    to = undefined;
  }
}

function isWorthAnother({ heard }: Answered): boolean {
  return heard === null || heard.status >= 500 || heard.status === 429 || heard.status === 409;
}

/** Without a key, the 409 of a repeated order id tells which payment the lost answer was about. */
async function readTaken(diary: Diary, order: Order, paymentId: string, deadline: number): Promise<AnsweredPayment | null> {
  for (;;) {
    const payment = await read(diary, order, paymentId);
    if (payment !== null && payment.status !== 'INITIATED') return payment;
    if (Date.now() + LONGEST_WAIT_MS > deadline) return payment;
    await pause(LONGEST_WAIT_MS / 2);
  }
}

export async function read(diary: Diary, order: Order, paymentId: string): Promise<AnsweredPayment | null> {
  const asked = { to: 'get', path: `/v1/payments/${paymentId}` } as const;
  return (await diary.ask({ ...whose(order), ...asked })).payment;
}

/** Asks what became of a payment. */
export async function verify(diary: Diary, order: Order, paymentId: string): Promise<AnsweredPayment | null> {
  const asked = { to: 'verify', path: `/v1/payments/${paymentId}/verify` } as const;
  return (await diary.ask({ ...whose(order), ...asked })).payment;
}

/**
 * Asks for money to be given back, as planned, each time under a key of its own and again until there is an answer. Whether it is
 * granted is ours to say: a payment may not have been paid, and too much may be asked.
 */
export async function refund(diary: Diary, order: Order, paymentId: string, deadline: number): Promise<void> {
  for (const [at, amount] of refundsOf(order.plan).entries()) {
    const question: Question = {
      ...whose(order),
      to: 'refund',
      path: `/v1/payments/${paymentId}/refunds`,
      idempotencyKey: `refund-${at}-${order.plan.merchantOrderId}`,
      body: amount === null ? {} : { amount },
    };
    for (let wait = FIRST_WAIT_MS; Date.now() < deadline; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const { heard } = await diary.ask(question);
      const again = heard === null || heard.status >= 500 || heard.status === 429 || heard.headers['retry-after'] !== undefined;
      if (!again) break;
      await pause(wait);
    }
  }
}

/** Whole naira, or null for all that is left. */
function refundsOf({ refund: plan, amount }: PaymentPlan): (number | null)[] {
  switch (plan) {
    case 'none':
      return [];
    case 'whole':
      return [null];
    case 'part':
      return [Math.ceil(amount / 3)];
    case 'in_parts':
      return [Math.ceil(amount / 2), Math.ceil(amount / 4), null];
    case 'too_much':
      return [Math.ceil(amount * 0.7), Math.ceil(amount * 0.7)];
    default:
      return plan satisfies never;
  }
}

function questionOf(order: Order): Question {
  const { plan } = order;
  return {
    ...whose(order),
    to: 'initiate',
    path: '/v1/payments/initiate',
    ...(plan.start !== 'without_key' && { idempotencyKey: `key-${plan.merchantOrderId}` }),
    body: {
      merchantOrderId: plan.merchantOrderId,
      amount: plan.amount,
      currency: 'NGN',
      customer: { email: `customer-${plan.number}@example.com` },
      redirectUrl: 'http://localhost:9/thanks',
      ...(plan.method !== null && { paymentMethod: plan.method }),
    },
  };
}

function whose({ merchant, plan }: Order) {
  return { merchant, merchantOrderId: plan.merchantOrderId };
}
