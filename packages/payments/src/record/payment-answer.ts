import { batched, type Database, isUuid } from '@switchyard/db';
import type { Mode, PaymentStatus } from '@switchyard/db/client';
import { unpackDecision } from '@switchyard/rule-sets/store-inputs';
import type { PaymentsContext } from './context.ts';
import { type Caller, type Timings, timed } from './order.ts';
import { type DocumentColumns, unpackSession } from './payment-documents.ts';

/** Answer to a read of a payment, its JSON as the text that is stored. */
export interface PaymentAnswer {
  readonly paymentId: string;
  readonly mode: Mode;
  readonly merchantOrderId: string;
  readonly status: PaymentStatus;
  readonly currency: string;
  /** Whole main units, in digits. */
  readonly amount: string;
  readonly recommendedGateway: string;
  /** `null` while no gateway has opened one. */
  readonly sessionJson: string;
  readonly fallbackGatewaysJson: string;
  readonly routingJson: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface PaymentKey {
  readonly merchantId: string;
  readonly paymentId: string;
}

/** A row of {@link ANSWER_COLUMNS}. */
export interface AnswerRow
  extends Omit<PaymentAnswer, 'routingJson' | 'sessionJson' | 'fallbackGatewaysJson'>,
    Pick<DocumentColumns, 'merchantId' | 'packedDecision' | 'packedSession'> {}

/** The answer of a row, its texts as they were written. */
export function toPaymentAnswer({ merchantId, packedDecision, packedSession, ...row }: AnswerRow): PaymentAnswer {
  const { session, fallbackGateways } = unpackSession({ ...row, merchantId }, packedSession);
  const routingJson = unpackDecision(packedDecision).routing;
  return { ...row, routingJson, sessionJson: session, fallbackGatewaysJson: fallbackGateways };
}

/** The columns of an {@link AnswerRow}, over `payment`. */
export const ANSWER_COLUMNS = `payment.merchant_id AS "merchantId", payment.id AS "paymentId", payment.mode::text AS mode, payment.merchant_order_id AS "merchantOrderId",
  payment.status::text AS status, payment.currency::text AS currency, payment.amount::text AS amount,
  payment.recommended_gateway AS "recommendedGateway", payment.packed_decision AS "packedDecision", payment.packed_session AS "packedSession",
  payment.created_at AS "createdAt", payment.updated_at AS "updatedAt"`;

const READ = `
SELECT place::int AS place, ${ANSWER_COLUMNS}
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS key (merchant_id, id, place)
JOIN payment ON payment.merchant_id = key.merchant_id AND payment.id = key.id AND ($3::uuid IS NULL OR payment.merchant_id = $3)`;

const readAnswer = batched<PaymentKey, PaymentAnswer | undefined>({
  async run({ batches }: Database, keys, merchant) {
    const { rows } = await batches.query<AnswerRow & { readonly place: number }>({
      name: 'read-payment-answers',
      text: READ,
      values: [keys.map(({ merchantId }) => merchantId), keys.map(({ paymentId }) => paymentId), merchant],
    });
    const answers: (PaymentAnswer | undefined)[] = keys.map(() => undefined);
    for (const { place, ...row } of rows) answers[place - 1] = toPaymentAnswer(row);
    return answers;
  },
  merchant: ({ merchantId }) => merchantId,
});

/**
 * The caller's payment in the caller's mode, for an answer; undefined for an unknown or malformed id, another merchant's or the
 * other mode's.
 */
export async function findPaymentAnswer(
  context: PaymentsContext,
  { configuration, mode }: Caller,
  paymentId: string,
  timings: Timings,
): Promise<PaymentAnswer | undefined> {
  if (!isUuid(paymentId)) return undefined;
  const key = { merchantId: configuration.merchant.id, paymentId };
  const payment = await timed(timings, 'db', () => readAnswer(context.resources.database, key));
  return payment?.mode === mode ? payment : undefined;
}
