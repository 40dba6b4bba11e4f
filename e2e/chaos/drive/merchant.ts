import { setTimeout as pause } from 'node:timers/promises';
import type { AnsweredPayment } from '../checker/observations.ts';
import type { PaymentPlan } from '../plan/payments.ts';
import type { ChaosMerchant, MerchantClient, MerchantReply, MerchantRequest } from './merchant-client.ts';

/** One payment as its merchant sees it. */
export interface Order {
  readonly plan: PaymentPlan;
  readonly merchant: ChaosMerchant;
}

const FIRST_WAIT_MS = 150;
const LONGEST_WAIT_MS = 2_000;

/**
 * Initiates a payment as a careful merchant does: retries with the same key after a lost connection, a 5xx, a 429 or a 409 of a
 * request in progress, until there is an answer or the deadline. Null when there was none in time.
 */
export async function initiate(client: MerchantClient, order: Order, deadline: number): Promise<AnsweredPayment | null> {
  const { plan } = order;
  const first = plan.number;
  const second = plan.number + 1;
  switch (plan.start) {
    case 'plainly':
    case 'without_key':
      return retryUntilAnswered(client, order, deadline);
    case 'twice_at_once': {
      const both = [retryUntilAnswered(client, order, deadline, first), retryUntilAnswered(client, order, deadline, second)];
      const [one, other] = await Promise.all(both);
      return one ?? other ?? null;
    }
    case 'again_later': {
      const payment = await retryUntilAnswered(client, order, deadline);
      if (payment !== null) await client.send(requestOf(order));
      return payment;
    }
    default:
      return plan.start satisfies never;
  }
}

async function retryUntilAnswered(
  client: MerchantClient,
  order: Order,
  deadline: number,
  replica?: number,
): Promise<AnsweredPayment | null> {
  const request = requestOf(order);
  let to = replica;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const answered = await client.send({ ...request, ...(to !== undefined && { replica: to }) });
    if (answered.payment !== null) return answered.payment;
    if (answered.takenBy !== null) return readTaken(client, order, answered.takenBy, deadline);
    if (!isRetryable(answered)) return null;
    if (Date.now() + wait > deadline) return null;
    await pause(wait);
    // A retry goes to the next replica.
    to = undefined;
  }
}

function isRetryable({ reply }: MerchantReply): boolean {
  return reply === null || reply.status >= 500 || reply.status === 429 || reply.status === 409;
}

/** Without a key, the 409 of a repeated order id names the payment of the lost answer. */
async function readTaken(
  client: MerchantClient,
  order: Order,
  paymentId: string,
  deadline: number,
): Promise<AnsweredPayment | null> {
  for (;;) {
    const payment = await read(client, order, paymentId);
    if (payment !== null && payment.status !== 'INITIATED') return payment;
    if (Date.now() + LONGEST_WAIT_MS > deadline) return payment;
    await pause(LONGEST_WAIT_MS / 2);
  }
}

export async function read(client: MerchantClient, order: Order, paymentId: string): Promise<AnsweredPayment | null> {
  const request = { to: 'get', path: `/v1/payments/${paymentId}` } as const;
  return (await client.send({ ...whose(order), ...request })).payment;
}

/** Verifies a payment. */
export async function verify(client: MerchantClient, order: Order, paymentId: string): Promise<AnsweredPayment | null> {
  const request = { to: 'verify', path: `/v1/payments/${paymentId}/verify` } as const;
  return (await client.send({ ...whose(order), ...request })).payment;
}

/**
 * Requests the planned refunds, each under a key of its own and until there is an answer. A refusal is an answer: the payment may
 * not have been paid, or the amount may be too large.
 */
export async function refund(client: MerchantClient, order: Order, paymentId: string, deadline: number): Promise<void> {
  for (const [at, amount] of refundsOf(order.plan).entries()) {
    const request: MerchantRequest = {
      ...whose(order),
      to: 'refund',
      path: `/v1/payments/${paymentId}/refunds`,
      idempotencyKey: `refund-${at}-${order.plan.merchantOrderId}`,
      body: amount === null ? {} : { amount },
    };
    for (let wait = FIRST_WAIT_MS; Date.now() < deadline; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const { reply } = await client.send(request);
      const again = reply === null || reply.status >= 500 || reply.status === 429 || reply.headers.has('retry-after');
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

function requestOf(order: Order): MerchantRequest {
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
