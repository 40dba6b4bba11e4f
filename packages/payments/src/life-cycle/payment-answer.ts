import { type Database, gathered, isUuid } from '@switchyard/db';
import type { Mode, PaymentStatus } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import { type Caller, type Timings, timed } from './order.ts';

/** What a payment is answered with when it is read, its JSON as the text that is stored. */
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

const READ = `
SELECT place::int AS place, payment.id AS "paymentId", mode::text AS mode, merchant_order_id AS "merchantOrderId", status::text AS status,
  currency::text AS currency, amount, recommended_gateway AS "recommendedGateway", session::text AS "sessionJson",
  fallback_gateways::text AS "fallbackGatewaysJson", routing::text AS "routingJson", created_at AS "createdAt", updated_at AS "updatedAt"
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS key (merchant_id, id, place)
JOIN payment ON payment.merchant_id = key.merchant_id AND payment.id = key.id`;

const readAnswer = gathered<PaymentKey, PaymentAnswer | undefined>({
  async run({ batches }: Database, keys) {
    const { rows } = await batches.query<PaymentAnswer & { readonly place: number }>({
      name: 'read-payment-answers',
      text: READ,
      values: [keys.map(({ merchantId }) => merchantId), keys.map(({ paymentId }) => paymentId)],
    });
    const answers: (PaymentAnswer | undefined)[] = keys.map(() => undefined);
    for (const row of rows) answers[row.place - 1] = row;
    return answers;
  },
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
