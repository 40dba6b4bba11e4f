import { hintAfterCommit, type JobHint, newId } from '@switchyard/db';
import type { Mode, Prisma } from '@switchyard/db/client';

/** Event types that merchants receive. Every refund that ends has one; a fully refunded payment has an additional one. */
export const MERCHANT_EVENT_TYPES = [
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'refund.succeeded',
  'refund.failed',
  'payment.requires_review',
  'payment.duplicate_charge',
  'payment.reversed',
  'payment.reinstated',
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

/** A merchant's event as {@link announcing} takes it. */
export function announcedRow({ eventId: id, mode, position, type, body }: NewMerchantEvent) {
  return { id, mode, position, type, body, delivery_id: newId() };
}

/** The columns of {@link announcedRow}, for `json_to_recordset`. */
export const ANNOUNCED_COLUMNS = 'id uuid, mode mode, position int, type text, body text, delivery_id uuid';

/**
 * Parts of a `WITH` that write the events of `source`, with one delivery to each of the merchant's endpoints that subscribe to them, in the
 * statement of the change. `source` names a part with the columns of {@link announcedRow}, merchant_id, payment_id and at. The rows of
 * `delivery` have the endpoint_id of each delivery, for {@link deliveryHints}.
 *
 * A delivery's id is a UUIDv7 that follows the order of the events: the first half of the event's `delivery_id`, which holds the time and
 * the counter, and the random end of the endpoint's id, in which the deliveries of one event differ.
 */
export function announcing(source: string): string {
  return `announced AS (
  INSERT INTO merchant_event (merchant_id, id, mode, payment_id, position, type, body, created_at)
  SELECT merchant_id, id, mode, payment_id, position, type, body, at FROM ${source}),
delivery AS (
  INSERT INTO webhook_delivery (merchant_id, id, endpoint_id, event_id, payment_id, position, type, state, attempts, next_attempt_at,
    created_at, updated_at)
  SELECT event.merchant_id, (left(delivery_id::text, 24) || right(endpoint.id::text, 12))::uuid, endpoint.id, event.id,
    event.payment_id, event.position, event.type, 'PENDING', 0, event.at, event.at, event.at
  FROM ${source} AS event JOIN webhook_endpoint AS endpoint ON endpoint.merchant_id = event.merchant_id
    AND endpoint.mode = event.mode AND endpoint.enabled AND (endpoint.types = '{}' OR event.type = ANY (endpoint.types))
  RETURNING merchant_id, payment_id, endpoint_id)`;
}

/** Jobs that send the deliveries of a merchant's endpoints at once. Without them a worker finds the deliveries a second later. */
export function deliveryHints(merchantId: string, endpointIds: readonly string[]): readonly JobHint[] {
  return endpointIds.map((endpointId) => ({ name: 'deliver-events', payload: { merchantId, endpointId } }));
}

const ANNOUNCE = `
WITH event AS (
  SELECT * FROM json_to_record($1) AS event (merchant_id uuid, payment_id uuid, at timestamptz, ${ANNOUNCED_COLUMNS})),
${announcing('event')}
SELECT DISTINCT endpoint_id::text AS "endpointId" FROM delivery`;

/** Writes an event with its deliveries inside the transaction of the change, one of `transactWithHints`: they are sent after its commit. */
export async function announceEvent(transaction: Prisma.TransactionClient, event: NewMerchantEvent, now: Date): Promise<void> {
  const row = { ...announcedRow(event), merchant_id: event.merchantId, payment_id: event.paymentId, at: now };
  const rows = await transaction.$queryRawUnsafe<{ endpointId: string }[]>(ANNOUNCE, JSON.stringify(row));
  const endpointIds = rows.map(({ endpointId }) => endpointId);
  hintAfterCommit(transaction, deliveryHints(event.merchantId, endpointIds));
}
