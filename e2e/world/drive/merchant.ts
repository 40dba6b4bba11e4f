import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readFailure, readPayment, readRecord } from '../../harness/contract.ts';
import type { Answer, AnsweredPayment } from '../checker/observations.ts';
import type { PaymentPlan } from '../plan/payments.ts';
import type { DrivenMerchant } from '../servers/create-merchants.ts';
import type { HttpReply, Send } from '../servers/open-world.ts';

const FIRST_WAIT_MS = 150;
const LONGEST_WAIT_MS = 2_000;

/**
 * Initiates a payment as a careful merchant does: retries with the same key after a lost connection, a 5xx, a 429 or a 409 of a
 * request in progress, until there is an answer or the deadline. Null when there was none in time.
 */
export async function initiate(client: MerchantClient, order: Order, deadline: number): Promise<AnsweredPayment | null> {
  const requests = order.plan.start === 'twice_at_once' ? [1, 2] : [1];
  const answers = await Promise.all(requests.map(() => initiateOnce(client, order, deadline)));
  const payment = answers.find((answer) => answer !== null) ?? null;
  if (payment !== null && order.plan.start === 'again_later') await client.send(order, initiateRequest(order.plan));
  return payment;
}

async function initiateOnce(client: MerchantClient, order: Order, deadline: number): Promise<AnsweredPayment | null> {
  const { payment, takenBy } = await sendUntilAnswered(client, order, initiateRequest(order.plan), deadline);
  if (takenBy === null) return payment;
  // Without a key, the 409 of a repeated order id names the payment of the lost answer.
  for (;;) {
    const taken = (await client.send(order, { to: 'get', path: `/v1/payments/${takenBy}` })).payment;
    if (taken !== null && taken.status !== 'INITIATED') return taken;
    if (Date.now() + LONGEST_WAIT_MS > deadline) return taken;
    await pause(LONGEST_WAIT_MS / 2);
  }
}

/** Verifies a payment. */
export async function verify(client: MerchantClient, order: Order, paymentId: string): Promise<AnsweredPayment | null> {
  return (await client.send(order, { to: 'verify', path: `/v1/payments/${paymentId}/verify` })).payment;
}

/**
 * Requests the planned refunds, each under a key of its own and until there is an answer. A refusal is an answer: the payment may
 * not have been paid, or the amount may be too large.
 */
export async function refund(client: MerchantClient, order: Order, paymentId: string, deadline: number): Promise<void> {
  for (const [at, amount] of refundsOf(order.plan).entries()) {
    const path = `/v1/payments/${paymentId}/refunds`;
    const idempotencyKey = `refund-${at}-${order.plan.merchantOrderId}`;
    const body = amount === 'full' ? { full: true } : { amount };
    await sendUntilAnswered(client, order, { to: 'refund', path, idempotencyKey, body }, deadline);
  }
}

/** The last reply, which is an answer unless the deadline came first. */
async function sendUntilAnswered(
  client: MerchantClient,
  order: Order,
  request: MerchantRequest,
  deadline: number,
): Promise<MerchantReply> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const answered = await client.send(order, request);
    if (!isRetryable(answered, request) || Date.now() + wait > deadline) return answered;
    await pause(wait);
  }
}

/** A 409 to initiate is of a request in progress unless it names a payment; that to a refund says when to retry. */
function isRetryable({ reply, takenBy }: MerchantReply, { to }: MerchantRequest): boolean {
  if (reply === null || reply.status >= 500 || reply.status === 429) return true;
  return to === 'refund' ? reply.headers.has('retry-after') : reply.status === 409 && takenBy === null;
}

/** Whole naira, or all that is left. */
function refundsOf({ refund: plan, amount }: PaymentPlan): (number | 'full')[] {
  switch (plan) {
    case 'none':
      return [];
    case 'whole':
      return ['full'];
    case 'part':
      return [Math.ceil(amount / 3)];
    case 'in_parts':
      return [Math.ceil(amount / 2), Math.ceil(amount / 4), 'full'];
    case 'too_much':
      return [Math.ceil(amount * 0.7), Math.ceil(amount * 0.7)];
    default:
      return plan satisfies never;
  }
}

function initiateRequest({ merchantOrderId, number, start, amount, method }: PaymentPlan): MerchantRequest {
  return {
    to: 'initiate',
    path: '/v1/payments/initiate',
    idempotencyKey: start === 'without_key' ? null : `key-${merchantOrderId}`,
    body: {
      merchantOrderId,
      amount,
      currency: 'NGN',
      customer: { email: `customer-${number}@example.com` },
      redirectUrl: 'http://localhost:9/thanks',
      paymentMethod: method ?? undefined,
    },
  };
}

/** One payment from its merchant's side: what was sent, and the answers received. */
export interface Order {
  readonly plan: PaymentPlan;
  readonly merchant: DrivenMerchant;
}

/** Sends the requests of merchants' servers, and records the answers. */
export interface MerchantClient {
  readonly answers: readonly Answer[];
  send(order: Order, request: MerchantRequest): Promise<MerchantReply>;
}

interface MerchantRequest {
  readonly to: Answer['to'];
  readonly path: string;
  readonly idempotencyKey?: string | null;
  readonly body?: object;
}

interface MerchantReply {
  readonly reply: HttpReply | null;
  readonly payment: AnsweredPayment | null;
  /** The payment that already has the order id, from a 409. */
  readonly takenBy: string | null;
}

const REFUSAL_LENGTH = 300;

export function openMerchantClient(send: Send): MerchantClient {
  const answers: Answer[] = [];
  return {
    answers,
    async send({ merchant, plan }, { to, path, idempotencyKey, body }) {
      const headers = new Headers({ authorization: `Bearer ${merchant.key}` });
      if (body !== undefined) headers.set('content-type', 'application/json');
      if (idempotencyKey) headers.set('idempotency-key', idempotencyKey);
      const begun = Date.now();
      const reply = await send(path, {
        method: to === 'get' ? 'GET' : 'POST',
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      });
      const answer = reply === null ? null : { ...reply, json: JSON.parse(reply.text) };
      const payment = answer?.status === 200 ? answeredPayment(to, answer) : null;
      answers.push({
        to,
        merchantId: merchant.merchantId,
        merchantOrderId: plan.merchantOrderId,
        idempotencyKey: idempotencyKey ?? null,
        begun,
        ended: Date.now(),
        httpStatus: reply?.status ?? null,
        payment,
        refusal: reply === null || reply.status === 200 ? null : reply.text.slice(0, REFUSAL_LENGTH),
        digest: createHash('sha256')
          .update(reply?.text ?? '')
          .digest('base64url'),
      });
      return { reply, payment, takenBy: (answer?.status === 409 && readFailure(answer).data?.paymentId) || null };
    },
  };
}

function answeredPayment(to: Answer['to'], answer: Parameters<typeof readPayment>[0]): AnsweredPayment | null {
  switch (to) {
    case 'refund':
      return null;
    case 'verify': {
      const { id, data } = readRecord(answer);
      const { paymentId, merchantOrderId, status, currency } = data;
      return { paymentId, merchantOrderId, status, currency, amount: data.amount * 100, session: null, recordId: id };
    }
    case 'initiate':
    case 'get': {
      const payment = readPayment(answer);
      const { paymentId, merchantOrderId, status, currency } = payment;
      const given = payment.recommendedGateway.session;
      const session = given && { reference: given.reference, redirectUrl: given.redirectUrl };
      return { paymentId, merchantOrderId, status, currency, amount: payment.amount * 100, session, recordId: null };
    }
    default:
      return to satisfies never;
  }
}
