import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Answer, AnsweredPayment } from '../checker/witnesses.ts';
import type { Heard, Replicas, Sent } from '../environment/replicas.ts';

/** A merchant of the run, as it knows itself. */
export interface ChaosMerchant {
  readonly merchantId: string;
  readonly key: string;
}

/** Sends what merchants' servers send, and writes down what they are answered. */
export interface Diary {
  readonly answers: readonly Answer[];
  ask(question: Question): Promise<Answered>;
}

export interface Question {
  readonly to: Answer['to'];
  readonly merchant: ChaosMerchant;
  readonly merchantOrderId: string;
  readonly idempotencyKey?: string;
  readonly path: string;
  readonly body?: object;
  /** Which replica; the next in turn when left out. */
  readonly replica?: number;
}

export interface Answered {
  readonly heard: Heard | null;
  readonly payment: AnsweredPayment | null;
  /** The payment a 409 names as the one that has the order id. */
  readonly takenBy: string | null;
}

const REFUSAL_LENGTH = 300;

const statusSchema = z.enum(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED']);
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

export function openDiary(replicas: Replicas): Diary {
  const answers: Answer[] = [];
  return {
    answers,
    async ask({ to, merchant, merchantOrderId, idempotencyKey, path, body, replica }) {
      const sent: Sent = {
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
      const heard = await replicas.send(sent);
      const json = heard === null ? null : parse(heard.text);
      const payment = heard?.status === 200 ? readPayment(to, json) : null;
      answers.push({
        ...{ to, merchantId: merchant.merchantId, merchantOrderId, idempotencyKey: idempotencyKey ?? null },
        ...{ begun, ended: Date.now(), httpStatus: heard?.status ?? null, payment },
        refusal: heard === null || heard.status === 200 ? null : heard.text.slice(0, REFUSAL_LENGTH),
        digest: createHash('sha256')
          .update(heard?.text ?? '')
          .digest('base64url'),
      });
      const taken = heard?.status === 409 ? takenSchema.safeParse(json) : null;
      return { heard, payment, takenBy: taken?.success ? taken.data.data.paymentId : null };
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
