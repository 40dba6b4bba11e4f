import { createTextPacker } from '@switchyard/db';

/** Records of events as merchants receive them. */
export const DICTIONARY_1 = [
  '{"id":"","type":"dispute.opened","createdAt":"2026-","merchantNumber":"","data":{"disputeId":"","paymentId":"","state":"needs_response","category":null,"stage":null,"amount":,"currency":"NGN","fee":null,"gateway":"paystack","gatewayDisputeId":"","dueAt":"2026-","openedAt":"2026-","closedAt":null}}',
  '{"id":"","type":"refund.succeeded","createdAt":"2026-","merchantNumber":"","data":{"paymentId":"","merchantOrderId":"","status":"REFUNDED","executionStatus":"refunded","currency":"NGN","amount":,"gatewayReference":"","refund":{"refundId":"","paymentId":"","amount":,"currency":"NGN","status":"SUCCESS","reason":null,"failureReason":null,"createdAt":"2026-","updatedAt":"2026-"}}}',
  '{"id":"","type":"payment.failed","createdAt":"2026-","merchantNumber":"","data":{"paymentId":"","merchantOrderId":"","status":"FAILED","executionStatus":"failed","currency":"NGN","amount":,"gatewayReference":""}}',
  '{"id":"","type":"payment.succeeded","createdAt":"2026-","merchantNumber":"","data":{"paymentId":"","merchantOrderId":"","status":"SUCCESS","executionStatus":"succeeded","currency":"NGN","amount":,"gatewayReference":"sy',
].join('\n');

const RECORDS = createTextPacker('an event', [DICTIONARY_1]);

export interface StoredEvent extends EventKey {
  readonly packedBody: Uint8Array;
}

/** The ids of an event's row. */
interface EventKey {
  readonly id: string;
  readonly paymentId: string | null;
}

/** Packs an event record, to be stored with these ids. */
export function packEventBody(key: EventKey, body: string): Buffer<ArrayBuffer> {
  return RECORDS.pack(body, knownOf(key));
}

/** The event record, byte for byte as it is sent. */
export function readEventBody({ packedBody, ...key }: StoredEvent): string {
  return RECORDS.unpack(packedBody, knownOf(key));
}

/** Ids as a record has them. It must never change. */
function knownOf({ id, paymentId }: EventKey): string {
  return `${id}${paymentId}sy${paymentId?.replaceAll('-', '')}00`;
}
