import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Answer, type AnsweredPayment, statusSchema } from '../checker/observations.ts';
import type { HttpReply, ReplicaRequest, Replicas } from '../environment/replicas.ts';

/** A merchant of the run, with its API key. */
export interface ChaosMerchant {
  readonly merchantId: string;
  readonly key: string;
}

/** Sends the requests of merchants' servers, and records the answers. */
export interface MerchantClient {
  readonly answers: readonly Answer[];
  send(request: MerchantRequest): Promise<MerchantReply>;
}

export interface MerchantRequest {
  readonly to: Answer['to'];
  readonly merchant: ChaosMerchant;
  readonly merchantOrderId: string;
  readonly idempotencyKey?: string;
  readonly path: string;
  readonly body?: object;
  /** Which replica; the next in turn when left out. */
  readonly replica?: number;
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
  amount: z.number(),
  currency: z.string(),
});
const initiatedSchema = z.object({
  data: paymentSchema.extend({ recommendedGateway: z.object({ session: sessionSchema.nullable() }) }),
});
const recordSchema = z.object({ data: z.object({ id: z.string(), data: paymentSchema }) });
const takenSchema = z.object({ data: z.object({ paymentId: z.string() }) });

export function openMerchantClient(replicas: Replicas): MerchantClient {
  const answers: Answer[] = [];
  return {
    answers,
    async send({ to, merchant, merchantOrderId, idempotencyKey, path, body, replica }) {
      const sent: ReplicaRequest = {
        method: to === 'get' ? 'GET' : 'POST',
        path,
        headers: {
          authorization: `Bearer ${merchant.key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(replica !== undefined && { to: replica }),
      };
      const begun = Date.now();
      const reply = await replicas.send(sent);
      const json = reply === null ? null : parse(reply.text);
      const payment = reply?.status === 200 ? readPayment(to, json) : null;
      answers.push({
        to,
        merchantId: merchant.merchantId,
        merchantOrderId,
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
      const taken = reply?.status === 409 ? takenSchema.safeParse(json) : null;
      return { reply, payment, takenBy: taken?.success ? taken.data.data.paymentId : null };
    },
  };
}

function readPayment(to: Answer['to'], json: unknown): AnsweredPayment | null {
  if (to === 'refund') return null;
  if (to === 'verify') {
    const { id, data } = recordSchema.parse(json).data;
    return { ...data, amount: data.amount * 100, session: null, recordId: id };
  }
  const { recommendedGateway, ...payment } = initiatedSchema.parse(json).data;
  return { ...payment, amount: payment.amount * 100, session: recommendedGateway.session, recordId: null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
