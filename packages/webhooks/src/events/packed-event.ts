import { createTextPacker, type Database } from '@switchyard/db';
import { announcedRow, type NewMerchantEvent } from './announce-event.ts';

/** Records of events as merchants receive them. */
export const DICTIONARY_1 = [
  '{"id":"","type":"dispute.opened","createdAt":"2026-","merchantNumber":"","data":{"disputeId":"","paymentId":"","state":"needs_response","category":null,"stage":null,"amount":,"currency":"NGN","fee":null,"gateway":"paystack","gatewayDisputeId":"","dueAt":"2026-","openedAt":"2026-","closedAt":null}}',
  '{"id":"","type":"refund.succeeded","createdAt":"2026-","merchantNumber":"","data":{"paymentId":"","merchantOrderId":"","status":"REFUNDED","executionStatus":"refunded","currency":"NGN","amount":,"gatewayReference":"","refund":{"refundId":"","paymentId":"","amount":,"currency":"NGN","status":"SUCCESS","reason":null,"failureReason":null,"createdAt":"2026-","updatedAt":"2026-"}}}',
  '{"id":"","type":"payment.failed","createdAt":"2026-","merchantNumber":"","data":{"paymentId":"","merchantOrderId":"","status":"FAILED","executionStatus":"failed","currency":"NGN","amount":,"gatewayReference":""}}',
  '{"id":"","type":"payment.succeeded","createdAt":"2026-","merchantNumber":"","data":{"paymentId":"","merchantOrderId":"","status":"SUCCESS","executionStatus":"succeeded","currency":"NGN","amount":,"gatewayReference":"sy',
].join('\n');

const RECORDS = createTextPacker('an event', [DICTIONARY_1]);

/** A stored event. What is not packed counts. */
export interface StoredEvent {
  readonly id: string;
  readonly paymentId: string | null;
  readonly body: string;
  readonly packedBody: Uint8Array | null;
}

/** A merchant's event as the database's function `announce_events` takes it, packed where every process may unpack it. */
export function packedRow({ packsTexts }: Database, event: NewMerchantEvent, now: Date) {
  const row = announcedRow(event, now);
  if (!packsTexts()) return row;
  const { eventId: id, paymentId, body } = event;
  return { ...row, body: undefined, packed_body: RECORDS.pack(body, knownOf({ id, paymentId })).toString('base64') };
}

/** The event record, byte for byte as it is sent. */
export function readEventBody({ body, packedBody, ...key }: StoredEvent): string {
  return packedBody === null ? body : RECORDS.unpack(packedBody, knownOf(key));
}

/** Ids as a record has them. It must never change. */
function knownOf({ id, paymentId }: Pick<StoredEvent, 'id' | 'paymentId'>): string {
  return `${id}${paymentId}sy${paymentId?.replaceAll('-', '')}00`;
}
