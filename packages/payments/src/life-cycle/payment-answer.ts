import { batched, type Database, isUuid } from '@switchyard/db';
import type { Mode, PaymentStatus } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import { type Caller, type Timings, timed } from './order.ts';

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
  readonly sessionJson: string | null;
  readonly fallbackGatewaysJson: string;
  readonly routingJson: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface PaymentKey {
  readonly merchantId: string;
  readonly paymentId: string;
}

/** The columns of a {@link PaymentAnswer}, over `payment`. */
export const ANSWER_COLUMNS = `payment.id AS "paymentId", payment.mode::text AS mode, payment.merchant_order_id AS "merchantOrderId",
  payment.status::text AS status, payment.currency::text AS currency, payment.amount::text AS amount,
  payment.recommended_gateway AS "recommendedGateway", payment.session::text AS "sessionJson",
  payment.fallback_gateways::text AS "fallbackGatewaysJson", payment.routing::text AS "routingJson",
  payment.created_at AS "createdAt", payment.updated_at AS "updatedAt"`;

const READ = `
SELECT place::int AS place, ${ANSWER_COLUMNS}
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS key (merchant_id, id, place)
JOIN payment ON payment.merchant_id = key.merchant_id AND payment.id = key.id AND ($3::uuid IS NULL OR payment.merchant_id = $3)`;

const readAnswer = batched<PaymentKey, PaymentAnswer | undefined>({
  async run({ batches }: Database, keys, merchant) {
    const { rows } = await batches.query<PaymentAnswer & { readonly place: number }>({
      name: 'read-payment-answers',
      text: READ,
      values: [keys.map(({ merchantId }) => merchantId), keys.map(({ paymentId }) => paymentId), merchant],
    });
    const answers: (PaymentAnswer | undefined)[] = keys.map(() => undefined);
    for (const row of rows) answers[row.place - 1] = row;
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
