import type { PaymentStatus } from '@switchyard/db/client';
import { Prisma } from '@switchyard/db/client';
import { compares, selectTimePage, type TimeKey } from '@switchyard/db/lists';
import type { PaymentsContext } from '../record/context.ts';
import { type Caller, type Timings, timed } from '../record/order.ts';
import { ANSWER_COLUMNS, type AnswerRow, type PaymentAnswer, toPaymentAnswer } from '../record/payment-answer.ts';
import { paymentList } from './payment-filter.ts';

/** Filter and page of a merchant's payments. Empty lists and null match any. */
export interface PaymentAnswersQuery {
  readonly statuses: readonly PaymentStatus[];
  /** The whole of it, in its own case. */
  readonly merchantOrderId: string | null;
  /** The customer's e-mail address, in any case, or the merchant's id of the customer. */
  readonly customer: string | null;
  /** Inclusive. */
  readonly createdFrom: Date | null;
  /** Exclusive. */
  readonly createdTo: Date | null;
  /** The last payment of the page before. */
  readonly after: TimeKey | null;
  /** At least 1. */
  readonly limit: number;
}

/** A page of the caller's payments of the caller's mode, newest first, and where the next one begins; null on the last. */
export async function listPaymentAnswers(
  { resources }: PaymentsContext,
  { configuration, mode }: Caller,
  query: PaymentAnswersQuery,
  timings: Timings,
): Promise<{ readonly items: readonly PaymentAnswer[]; readonly next: TimeKey | null }> {
  const { statuses, merchantOrderId, customer, createdFrom, createdTo, after, limit } = query;
  const filter = { merchantIds: [configuration.merchant.id], mode, statuses, customer, createdFrom, createdTo };
  const list = await paymentList(resources.database, filter);
  const conditions = [...list.conditions, ...compares('p.merchant_order_id =', merchantOrderId, 'text')];
  // One more than requested shows whether another page exists.
  const page = selectTimePage({ ...list, conditions }, { after, before: null, newestFirst: true, limit: limit + 1 });
  const rows = await timed(
    timings,
    'db',
    () => resources.database.prisma.$queryRaw<AnswerRow[]>`
      WITH page AS MATERIALIZED (${page})
      SELECT ${Prisma.raw(ANSWER_COLUMNS)}
      FROM page JOIN payment ON payment.merchant_id = page.merchant_id AND payment.id = page.id
      ORDER BY payment.created_at DESC, payment.id DESC`,
  );
  const items = rows.slice(0, limit).map(toPaymentAnswer);
  const last = items.at(-1);
  const next = rows.length > limit && last !== undefined ? { createdAt: last.createdAt, id: last.paymentId } : null;
  return { items, next };
}
