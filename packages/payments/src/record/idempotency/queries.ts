import type { Database, ProcessHeartbeat } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { RuntimeContext } from '@switchyard/runtime';

/** A request made under an `Idempotency-Key`. */
export interface IdempotentRequest {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly key: string;
  readonly requestHash: Uint8Array;
  /** Id of the resource to create, if the request is the first. */
  readonly resourceId: string;
}

/**
 * Result of claiming an `Idempotency-Key` for a request. `answered` replays the stored response; `in_flight` is still running
 * elsewhere; `other_request` means the key was used with another body.
 */
export type IdempotencyClaim =
  /** Run it, then call {@link completeIdempotentRequest} or {@link releaseIdempotentRequest}. */
  | {
      readonly kind: 'run';
      readonly resourceId: string;
      readonly resumed: boolean;
      /** True when the process that ran the request before has ended. */
      readonly abandoned: boolean;
      readonly lockedUntil: Date;
    }
  | { readonly kind: 'answered'; readonly statusCode: number; readonly body: string }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'other_request' };

const KEPT_MS = 24 * 3_600_000;

const CLAIM = `
INSERT INTO idempotency_record AS record (merchant_id, mode, key, request_hash, resource_id, created_at, locked_until, expires_at,
  process_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (merchant_id, mode, key) DO UPDATE
  SET request_hash = excluded.request_hash, resource_id = excluded.resource_id, created_at = excluded.created_at,
    locked_until = excluded.locked_until, expires_at = excluded.expires_at, process_id = excluded.process_id, status_code = NULL,
    body = NULL
  WHERE record.expires_at <= excluded.created_at
RETURNING resource_id AS "resourceId"`;

const TAKE_OVER = `
UPDATE idempotency_record SET locked_until = $5, process_id = $8
WHERE merchant_id = $1 AND mode = $2 AND key = $3 AND request_hash = $6 AND status_code IS NULL
  AND (locked_until <= $4 OR locked_until > $7 OR process_id = $9)
RETURNING resource_id AS "resourceId"`;

/**
 * Claims a key. One of any number of concurrent requests runs; the others get that it is in flight, or the first answer. The
 * request of a process that has ended is taken over at once, with its id. A lock expires after `lockMs` too, for requests of a process
 * that lives and lost them; one that ends later than any clock that is less than `lockMs` ahead could have set it counts as expired,
 * because that clock may have been hours ahead.
 */
export async function claimIdempotencyKey(
  { database, heartbeat }: { readonly database: Database; readonly heartbeat: ProcessHeartbeat },
  request: IdempotentRequest,
  now: Date,
  lockMs: number,
): Promise<IdempotencyClaim> {
  const { merchantId, mode, key } = request;
  const lockedUntil = new Date(now.getTime() + lockMs);
  const processId = await heartbeat.id();
  const claimed = await database.pool.query<{ resourceId: string }>({
    name: 'claim-idempotency-key',
    text: CLAIM,
    values: [
      ...[merchantId, mode, key, request.requestHash, request.resourceId],
      ...[now, lockedUntil, new Date(now.getTime() + KEPT_MS), processId],
    ],
  });
  if (claimed.rows[0] !== undefined) {
    return { kind: 'run', resourceId: claimed.rows[0].resourceId, resumed: false, abandoned: false, lockedUntil };
  }
  const record = await database.prisma.idempotencyRecord.findUnique({
    where: { merchantId_mode_key: { merchantId, mode, key } },
  });
  // Released between the two statements: the caller's next try claims it.
  if (record === null) return { kind: 'in_flight' };
  if (!Buffer.from(record.requestHash).equals(request.requestHash)) return { kind: 'other_request' };
  if (record.statusCode !== null) return { kind: 'answered', statusCode: record.statusCode, body: record.body ?? '' };
  const ended = (await heartbeat.hasEnded(record.processId)) ? record.processId : null;
  const taken = await database.pool.query<{ resourceId: string }>({
    name: 'take-over-idempotency-key',
    text: TAKE_OVER,
    values: [
      ...[merchantId, mode, key, now, lockedUntil, request.requestHash, new Date(lockedUntil.getTime() + lockMs)],
      ...[processId, ended],
    ],
  });
  return taken.rows[0] === undefined
    ? { kind: 'in_flight' }
    : { kind: 'run', resourceId: taken.rows[0].resourceId, resumed: true, abandoned: ended !== null, lockedUntil };
}

type RecordKey = Pick<IdempotentRequest, 'merchantId' | 'mode' | 'key'>;

/** Stores the answer for every later request with the key; the first one stays. */
export async function completeIdempotentRequest(
  database: Database,
  { merchantId, mode, key }: RecordKey,
  answer: { statusCode: number; body: string },
): Promise<void> {
  await database.pool.query({
    name: 'complete-idempotent-request',
    text: `UPDATE idempotency_record SET status_code = $4, body = $5
      WHERE merchant_id = $1 AND mode = $2 AND key = $3 AND status_code IS NULL`,
    values: [merchantId, mode, key, answer.statusCode, answer.body],
  });
}

/**
 * Releases the key of a request that ended without a storable answer. Its resource id stays. Does nothing once another process has
 * taken over.
 */
export async function releaseIdempotentRequest(
  database: Database,
  { merchantId, mode, key }: RecordKey,
  lockedUntil: Date,
): Promise<void> {
  await database.pool.query({
    name: 'release-idempotent-request',
    // In the past for every clock.
    text: `UPDATE idempotency_record SET locked_until = to_timestamp(0)
      WHERE merchant_id = $1 AND mode = $2 AND key = $3 AND status_code IS NULL AND locked_until = $4`,
    values: [merchantId, mode, key, lockedUntil],
  });
}

/** Deletes expired records, at most `limit` of them; returns how many. */
export async function deleteExpiredRecords(database: Database, now: Date, limit: number): Promise<number> {
  const result = await database.pool.query(
    `DELETE FROM idempotency_record WHERE (merchant_id, mode, key) IN
      (SELECT merchant_id, mode, key FROM idempotency_record WHERE expires_at <= $1 LIMIT $2)`,
    [now, limit],
  );
  return result.rowCount ?? 0;
}

/** Most records that one call of {@link deleteExpiredIdempotencyRecords} deletes. */
export const EXPIRED_BATCH = 5_000;
/** Margin beyond the expiry, so that a process whose clock is ahead deletes no record that others still honour. */
const MARGIN_MS = 3_600_000;

/** Deletes idempotency records that ended more than an hour ago, at most {@link EXPIRED_BATCH} a call. Returns how many. */
export function deleteExpiredIdempotencyRecords({
  resources,
  now,
}: Pick<RuntimeContext<'database'>, 'resources' | 'now'>): Promise<number> {
  return deleteExpiredRecords(resources.database, new Date(now().getTime() - MARGIN_MS), EXPIRED_BATCH);
}
