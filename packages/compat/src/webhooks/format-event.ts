import type { Database } from '@switchyard/db';
import type { FormattedEvent } from '@switchyard/webhooks/deliveries';
import {
  writeChargeEvent,
  writeRefundEvent as writeFlutterwaveRefund,
  writeTest as writeFlutterwaveTest,
} from '../flutterwave/write.ts';
import {
  writeChargeSuccess,
  writeRefundEvent as writePaystackRefund,
  writeTest as writePaystackTest,
} from '../paystack/write.ts';
import { type NumberedRefund, numberRefund, readTransaction, type Transaction } from '../transactions/transaction.ts';

/** Content of an event, as of its time. */
export type EventFacts =
  | { readonly kind: 'payment'; readonly transaction: Transaction }
  | { readonly kind: 'refund'; readonly transaction: Transaction; readonly refund: NumberedRefund }
  | { readonly kind: 'test'; readonly eventId: string };

/**
 * Writes an event of a merchant as a gateway would send it. The payment is described as the event left it, also where it has changed
 * since. Throws for an event that the format has no word for; endpoints of the format are not subscribed to it.
 */
export async function formatEvent(database: Database, event: FormattedEvent, now: Date): Promise<string> {
  const facts = await readFacts(database, event, now);
  switch (event.format) {
    case 'paystack':
      return JSON.stringify(writeForPaystack(facts));
    case 'flutterwave':
      return JSON.stringify(writeForFlutterwave(facts));
    default:
      return event.format satisfies never;
  }
}

function writeForPaystack(facts: EventFacts): object {
  switch (facts.kind) {
    case 'payment':
      return writeChargeSuccess(facts.transaction);
    case 'refund':
      return writePaystackRefund(facts.refund, facts.transaction);
    case 'test':
      return writePaystackTest(facts.eventId);
    default:
      return facts satisfies never;
  }
}

function writeForFlutterwave(facts: EventFacts): object {
  switch (facts.kind) {
    case 'payment':
      return writeChargeEvent(facts.transaction);
    case 'refund':
      return writeFlutterwaveRefund(facts.refund, facts.transaction);
    case 'test':
      return writeFlutterwaveTest(facts.eventId);
    default:
      return facts satisfies never;
  }
}

async function readFacts(database: Database, event: FormattedEvent, now: Date): Promise<EventFacts> {
  const { merchantId, eventId, paymentId, type } = event;
  if (paymentId === null) return { kind: 'test', eventId };
  const transaction = await readTransaction(database, { merchantId, paymentId }, now);
  if (transaction === null) throw new Error(`payment ${paymentId} is gone`);
  switch (type) {
    case 'payment.succeeded':
      return { kind: 'payment', transaction: { ...transaction, status: 'SUCCESS' } };
    case 'payment.failed':
      return { kind: 'payment', transaction: { ...transaction, status: 'FAILED' } };
    case 'refund.succeeded':
      return { kind: 'refund', transaction, refund: { ...(await readRefund(database, event, now)), state: 'SUCCEEDED' } };
    case 'refund.failed':
      return { kind: 'refund', transaction, refund: { ...(await readRefund(database, event, now)), state: 'FAILED' } };
    default:
      throw new Error(`${event.format} has no event for ${type}`);
  }
}

/** The refund that a timeline event is about. */
async function readRefund(
  database: Database,
  { merchantId, paymentId, eventId }: FormattedEvent,
  now: Date,
): Promise<NumberedRefund> {
  const { rows } = await database.pool.query<{ refundId: string | null }>({
    name: 'find-refund-of-event',
    text: `SELECT detail ->> 'refundId' AS "refundId" FROM timeline_event WHERE merchant_id = $1 AND payment_id = $2 AND id = $3`,
    values: [merchantId, paymentId, eventId],
  });
  const id = rows[0]?.refundId ?? null;
  if (id === null) throw new Error(`event ${eventId} names no refund`);
  const refund = await database.prisma.refund.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id } } });
  return numberRefund(database, refund, now);
}
