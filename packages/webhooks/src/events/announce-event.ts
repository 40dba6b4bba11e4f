import { type Hint, hintAfterCommit, newId, transactWithHints } from '@switchyard/db';
import type { Mode, Prisma } from '@switchyard/db/client';
import { z } from 'zod';
import type { WebhooksContext } from '../context.ts';
import { packEventBody, readEventBody } from './packed-event.ts';

/** Event types that merchants receive. Every refund that ends has one; a fully refunded payment has an additional one. */
export const MERCHANT_EVENT_TYPES = [
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'refund.succeeded',
  'refund.failed',
  'payment.requires_review',
  'payment.duplicate_charge',
  'payment.repeated',
  'payment.reversed',
  'payment.reinstated',
  'dispute.opened',
  'dispute.closed',
] as const;

/** Type of an event that merchants' endpoints can subscribe to. */
export type MerchantEventType = (typeof MERCHANT_EVENT_TYPES)[number];

/** Type of the event that tests an endpoint. */
export const TEST_EVENT_TYPE = 'webhook.test';

/** An event about a payment, for its merchant. */
export interface NewMerchantEvent {
  readonly merchantId: string;
  /** The id of the timeline event of the same change, and the permanent id of the event record. */
  readonly eventId: string;
  readonly mode: Mode;
  /** Null for an event that shows what one of its type looks like. */
  readonly paymentId: string | null;
  /** The payment's version after the change; orders the events of one payment. */
  readonly position: number;
  readonly type: MerchantEventType;
  /** The event record, byte for byte as it is sent. */
  readonly body: string;
}

/** A merchant's event as the database's function `announce_events` takes it. */
export function announcedRow(event: NewMerchantEvent, now: Date) {
  const { merchantId, eventId, mode, paymentId, position, type, body } = event;
  const about = { merchant_id: merchantId, payment_id: paymentId, at: now, delivery_id: newId() };
  const packed = packEventBody({ id: eventId, paymentId }, body);
  return { ...about, id: eventId, mode, position, type, packed_body: packed.toString('base64') };
}

/** Hints to send the deliveries of a merchant's endpoints at once. Without them a worker finds the deliveries a second later. */
export function deliveryHints(merchantId: string, rows: readonly { readonly endpointId: string | null }[]): readonly Hint[] {
  return rows.flatMap(({ endpointId }) =>
    endpointId === null ? [] : [{ name: 'deliver-events' as const, payload: { merchantId, endpointId } }],
  );
}

const ANNOUNCE = 'SELECT endpoint AS "endpointId" FROM announce_events($1::uuid, $2::json)';

/** Writes an event with its deliveries inside the transaction of the change, one of `transactWithHints`: they are sent after its commit. */
export async function announceEvent(transaction: Prisma.TransactionClient, event: NewMerchantEvent, now: Date): Promise<void> {
  const events = JSON.stringify([announcedRow(event, now)]);
  const rows = await transaction.$queryRawUnsafe<{ endpointId: string }[]>(ANNOUNCE, event.merchantId, events);
  hintAfterCommit(transaction, deliveryHints(event.merchantId, rows));
}

/** Asks for an event of a type in test mode, to try a webhook handler. */
interface SendExampleEventCommand {
  readonly merchantId: string;
  readonly type: MerchantEventType;
}

/** The event record that was sent, or that no payment of the merchant has had an event of this type in test mode. */
type SendExampleEventOutcome = { readonly kind: 'sent'; readonly body: string } | { readonly kind: 'no_such_event' };

/** Keeps the order of its fields. */
const recordSchema = z.record(z.string(), z.unknown());

/**
 * Sends the newest event of a type that a payment of test mode has had once more, under an id and a time of its own, to every endpoint of
 * test mode that subscribes to the type, and to every client that watches events. Its payment exists, and so does its refund: what handles it
 * can read and verify them. It is in no list of events, because nothing happened to the payment again.
 */
export async function sendExampleEvent(
  context: WebhooksContext,
  { merchantId, type }: SendExampleEventCommand,
): Promise<SendExampleEventOutcome> {
  const { database } = context.resources;
  const newest = await database.prisma.merchantEvent.findFirst({
    where: { merchantId, mode: 'test', type, paymentId: { not: null } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true, paymentId: true, packedBody: true },
  });
  if (newest === null) return { kind: 'no_such_event' };
  const now = context.now();
  const eventId = context.newId();
  const record = recordSchema.parse(JSON.parse(readEventBody(newest)));
  const body = JSON.stringify({ ...record, id: eventId, createdAt: now.toISOString() });
  const event = { merchantId, eventId, mode: 'test', paymentId: null, position: 0, type, body } as const;
  await transactWithHints(database, (transaction) => announceEvent(transaction, event, now));
  return { kind: 'sent', body };
}
