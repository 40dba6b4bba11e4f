import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Answer, type AnsweredPayment, statusSchema } from '../checker/observations.ts';
import type { ChaosMerchant } from '../environment/environment.ts';
import type { HttpReply, Send } from '../environment/replicas.ts';
import type { PaymentPlan } from '../plan/payments.ts';

/** One payment as its merchant knows it. */
export interface Order {
  readonly plan: PaymentPlan;
  readonly merchant: ChaosMerchant;
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

const sessionSchema = z.object({ reference: z.string(), redirectUrl: z.string() });
const paymentSchema = z.object({
  paymentId: z.string(),
  merchantOrderId: z.string(),
  status: statusSchema,
  amount: z.number().transform((amount) => amount * 100),
  currency: z.string(),
});
const initiatedSchema = z.object({
  data: paymentSchema.extend({ recommendedGateway: z.object({ session: sessionSchema.nullable() }) }),
});
const recordSchema = z.object({ data: z.object({ id: z.string(), data: paymentSchema }) });
const takenSchema = z.object({ data: z.object({ paymentId: z.string() }) });

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
      const payment = reply?.status === 200 ? readPayment(to, JSON.parse(reply.text)) : null;
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
      const taken = reply?.status === 409 ? takenSchema.safeParse(JSON.parse(reply.text)) : null;
      return { reply, payment, takenBy: taken?.data?.data.paymentId ?? null };
    },
  };
}

function readPayment(to: Answer['to'], json: unknown): AnsweredPayment | null {
  if (to === 'refund') return null;
  if (to === 'verify') {
    const { id, data } = recordSchema.parse(json).data;
    return { ...data, session: null, recordId: id };
  }
  const { recommendedGateway, ...payment } = initiatedSchema.parse(json).data;
  return { ...payment, session: recommendedGateway.session, recordId: null };
}
