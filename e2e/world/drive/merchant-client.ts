import { createHash } from 'node:crypto';
import { readFailure, readPayment, readRecord } from '../../harness/contract.ts';
import type { Answer, AnsweredPayment } from '../checker/observations.ts';
import type { PaymentPlan } from '../plan/payments.ts';
import type { DrivenMerchant } from '../servers/create-merchants.ts';
import type { HttpReply, Send } from '../servers/send.ts';

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

export interface MerchantRequest {
  readonly to: Answer['to'];
  readonly path: string;
  readonly idempotencyKey?: string | null;
  readonly body?: object;
}

export interface MerchantReply {
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
