import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type EventRecord, type Payment, readPayment, readRecord } from '../../harness/contract.ts';
import type { Reply } from '../../harness/web-process.ts';

/** A merchant's server, which holds the secret key. Answers are held against the documented shapes before they are given back. */
export interface Merchant {
  /** Asks for a payment; whatever is left out is a card payment of 2,500 under an order id of its own. */
  initiate(order?: Readonly<Record<string, unknown>>): Promise<Initiated>;
  read(paymentId: string): Promise<Payment>;
  verify(paymentId: string): Promise<EventRecord>;
}

export interface Initiated {
  readonly payment: Payment;
  readonly message: string;
}

/** A payment whose checkout is open: where the customer pays, where they come back, and what the gateway calls it. */
export interface OpenCheckout {
  readonly paymentId: string;
  readonly payAt: string;
  readonly returnTo: string;
  readonly reference: string;
}

const TIMEOUT_MS = 30_000;
const envelope = z.looseObject({ message: z.string() });

export function merchantAt(webUrl: string, secretKey: string): Merchant {
  async function send(method: string, path: string, body?: object): Promise<Reply> {
    const answer = await fetch(webUrl + path, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json: unknown = JSON.parse(text);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text, json };
  }

  return {
    async initiate(order) {
      const reply = await send('POST', '/v1/payments/initiate', {
        merchantOrderId: `journey-${randomUUID()}`,
        amount: 2_500,
        currency: 'NGN',
        customer: { email: 'ada@example.com' },
        paymentMethod: 'card',
        ...order,
      });
      return { payment: readPayment(reply), message: envelope.parse(reply.json).message };
    },
    read: async (paymentId) => readPayment(await send('GET', `/v1/payments/${paymentId}`)),
    verify: async (paymentId) => readRecord(await send('POST', `/v1/payments/${paymentId}/verify`)),
  };
}

/** The open checkout of a payment; throws when none could be opened. */
export function checkoutOf({ paymentId, recommendedGateway: { session } }: Payment): OpenCheckout {
  if (session === null) throw new Error(`payment ${paymentId} has no checkout`);
  return { paymentId, payAt: session.redirectUrl, returnTo: session.metadata.callbackUrl, reference: session.reference };
}
