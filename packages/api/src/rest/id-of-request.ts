import { uuidOf } from '@switchyard/db/uuid-of';
import type { IdempotentRequest } from '@switchyard/payments/idempotency';

/** A request under a key. */
export type KeyedRequest = Omit<IdempotentRequest, 'resourceId'>;

/** The id of a request's resource; null for a new one each time that its key is not known. */
export type IdOf = ((request: KeyedRequest) => string) | null;

/** The id of a request's resource, of its key and itself: the same for ever, also where the record of the key is lost. */
export function idOfRequest({ merchantId, mode, key, requestHash }: KeyedRequest): string {
  return uuidOf(JSON.stringify(['idempotent-request', merchantId, mode, key, Buffer.from(requestHash).toString('hex')]));
}
