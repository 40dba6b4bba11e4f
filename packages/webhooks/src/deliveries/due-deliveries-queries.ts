import { batched, type Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { WebhookEndpointKey } from '../endpoints/queries.ts';

/** A delivery leased to the process that claimed it, with all data for sending. */
export interface ClaimedDelivery {
  readonly merchantId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  /** Null for a test event. */
  readonly paymentId: string | null;
  /** The event record as it is stored. */
  readonly packedBody: Uint8Array;
  /** One of the formats, by its name. */
  readonly format: string;
  /** Body that an earlier attempt sent in another format; null before the first. */
  readonly formattedBody: string | null;
  /** Number of this delivery attempt; a claim after an expired lease has a higher one. */
  readonly number: number;
  /** Number of this attempt since the delivery was last queued. */
  readonly roundAttempt: number;
  readonly mode: Mode;
  readonly url: string;
  /** Sealed, newest first. */
  readonly secrets: readonly string[];
  readonly previousSecretEndsAt: Date | null;
  /** End of the endpoint's certificate, as noted before; null when none was seen. */
  readonly certificateExpiresAt: Date | null;
  readonly createdAt: Date;
}

// An event waits while an earlier one of the same payment is neither delivered nor given up. A claim moves the time of the next attempt to the
// end of the lease, which is checked again on the row's newest version once it is locked, and leaves the time by which the row is found. Earlier
// events are found by the payment: `IS TRUE` keeps a planner without statistics from all deliveries of the endpoint.
const CLAIM = `
WITH next AS (
  SELECT d.merchant_id, d.id FROM due_delivery AS due
  JOIN webhook_delivery AS d ON d.merchant_id = due.merchant_id AND d.id = due.delivery_id
  JOIN webhook_endpoint AS e ON e.merchant_id = due.merchant_id AND e.id = due.endpoint_id AND e.enabled
  WHERE due.merchant_id = $1 AND due.endpoint_id = $2 AND due.due_at <= $3 AND d.state = 'PENDING' AND d.next_attempt_at <= $3
    AND (d.payment_id IS NULL OR NOT EXISTS (SELECT FROM webhook_delivery AS earlier
      WHERE earlier.merchant_id = $1 AND (earlier.endpoint_id = d.endpoint_id) IS TRUE AND earlier.payment_id = d.payment_id
        AND earlier.state = 'PENDING' AND (earlier.position, earlier.id) < (d.position, d.id)))
  ORDER BY due.due_at, due.delivery_id LIMIT $5 FOR UPDATE OF d SKIP LOCKED),
claimed AS (
  UPDATE webhook_delivery AS d SET next_attempt_at = $4, attempts = attempts + 1, round_attempts = round_attempts + 1, updated_at = $3
  FROM next WHERE d.merchant_id = $1 AND d.id = next.id RETURNING d.*)
SELECT c.merchant_id AS "merchantId", c.id AS "deliveryId", c.endpoint_id AS "endpointId", c.event_id AS "eventId", c.type,
  c.payment_id AS "paymentId", v.packed_body AS "packedBody", e.format, c.body AS "formattedBody", c.attempts AS number,
  c.round_attempts AS "roundAttempt", e.mode, e.url, e.secrets,
  e.previous_secret_ends_at AS "previousSecretEndsAt", e.certificate_expires_at AS "certificateExpiresAt", c.created_at AS "createdAt"
FROM claimed AS c
JOIN webhook_endpoint AS e ON e.merchant_id = $1 AND e.id = c.endpoint_id
JOIN merchant_event AS v ON v.merchant_id = $1 AND v.id = c.event_id`;

/** How deliveries are claimed: due at `now`, for a lease, at most `limit`. */
export interface ClaimOptions {
  readonly now: Date;
  readonly leaseMs: number;
  readonly limit: number;
}

/**
 * Leases the longest overdue deliveries of an endpoint, in no order. Concurrent claims never get the same delivery, nor the later of two
 * events of one payment while the earlier is pending. An expired lease makes a delivery due again.
 */
export async function claimDueDeliveries(
  database: Database,
  { merchantId, endpointId }: WebhookEndpointKey,
  { now, leaseMs, limit }: ClaimOptions,
): Promise<readonly ClaimedDelivery[]> {
  const values = [merchantId, endpointId, now, new Date(now.getTime() + leaseMs), limit];
  const { rows } = await database.pool.query<ClaimedDelivery>({ name: 'claim-due-deliveries', text: CLAIM, values });
  return rows;
}

// Endpoint by endpoint, so that the backlog of one hides no other; a delivery of each is enough, and the limits keep a planner that has
// statistics from before a backlog from joining all of it.
const DUE_ENDPOINTS = `
SELECT e.merchant_id AS "merchantId", e.id AS "endpointId" FROM webhook_endpoint AS e
CROSS JOIN LATERAL (
  SELECT due.delivery_id FROM due_delivery AS due
  CROSS JOIN LATERAL (
    SELECT d.id FROM webhook_delivery AS d
    WHERE d.merchant_id = due.merchant_id AND d.id = due.delivery_id AND d.state = 'PENDING' AND d.next_attempt_at <= $1
      AND (d.payment_id IS NULL OR NOT EXISTS (SELECT FROM webhook_delivery AS earlier
        WHERE earlier.merchant_id = d.merchant_id AND (earlier.endpoint_id = d.endpoint_id) IS TRUE AND earlier.payment_id = d.payment_id
          AND earlier.state = 'PENDING' AND (earlier.position, earlier.id) < (d.position, d.id)))
    LIMIT 1) AS sendable
  WHERE due.merchant_id = e.merchant_id AND due.endpoint_id = e.id AND due.due_at <= $1
  LIMIT 1) AS first_due
WHERE e.enabled
LIMIT $2`;

/** Most endpoints woken at once; the next sweep finds the others. */
const WOKEN_MAX = 10_000;

/** Endpoints with due deliveries that are not leased. */
export async function listDueEndpoints(database: Database, now: Date): Promise<readonly WebhookEndpointKey[]> {
  const values = [now, WOKEN_MAX];
  const { rows } = await database.batches.query<WebhookEndpointKey>({ name: 'list-due-endpoints', text: DUE_ENDPOINTS, values });
  return rows;
}

const KEEP_BODY = 'UPDATE webhook_delivery SET body = $3 WHERE merchant_id = $1 AND id = $2';

/** Keeps the body of a delivery as its endpoint's format has it, for its retries. */
export async function keepFormattedBody(
  { pool }: Database,
  { merchantId, deliveryId }: ClaimedDelivery,
  body: string,
): Promise<void> {
  await pool.query({ name: 'keep-formatted-body', text: KEEP_BODY, values: [merchantId, deliveryId, body] });
}

export interface AttemptResult {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly delivered: boolean;
  /** Null without a response. */
  readonly status: number | null;
  readonly failure: string | null;
  readonly answer: string | null;
  /** When to retry; null for no retry. */
  readonly retryAt: Date | null;
}

/** A failure this long after the one before begins anew. */
const FORGOTTEN_MS = 86_400_000;

/** Consequences of the end of an attempt. */
export interface SettledAttempt {
  /** Since when every attempt at the endpoint has failed; null when this one succeeded. */
  readonly failingSince: Date | null;
  /** True if the delivery is over and another event of its payment has waited for it. */
  readonly isNextDue: boolean;
}

const SETTLE = `
SELECT failing_since AS "failingSince", is_next_due AS "isNextDue" FROM settle_delivery_attempts($1::uuid, $2::json) ORDER BY place`;

interface EndedAttempt {
  readonly claimed: ClaimedDelivery;
  readonly result: AttemptResult;
}

const settle = batched<EndedAttempt, SettledAttempt>({
  async run({ batches }, attempts, merchant) {
    const values = [merchant, JSON.stringify(attempts.map(toResult))];
    return (await batches.query<SettledAttempt>({ name: 'settle-delivery-attempts', text: SETTLE, values })).rows;
  },
  // Endpoints are locked in their order.
  key: ({ claimed: { endpointId, deliveryId } }) => `${endpointId}/${deliveryId}`,
  merchant: ({ claimed: { merchantId } }) => merchantId,
});

/**
 * Records the result of an attempt, with those of others that end at the same time: the log, the delivery, the endpoint's health. When
 * another process has claimed the delivery after the lease expired, that process settles it.
 */
export function settleDeliveryAttempt(
  database: Database,
  claimed: ClaimedDelivery,
  result: AttemptResult,
): Promise<SettledAttempt> {
  return settle(database, { claimed, result });
}

function toResult({ claimed, result }: EndedAttempt): object {
  const { merchantId, deliveryId, endpointId, paymentId, number, url } = claimed;
  const { startedAt, endedAt, delivered, status, failure, answer, retryAt } = result;
  return {
    merchant_id: merchantId,
    delivery_id: deliveryId,
    endpoint_id: endpointId,
    payment_id: paymentId,
    number,
    url,
    started_at: startedAt,
    ended_at: endedAt,
    forgotten_before: new Date(endedAt.getTime() - FORGOTTEN_MS),
    duration_ms: Math.max(0, endedAt.getTime() - startedAt.getTime()),
    delivered,
    status,
    failure,
    answer,
    retry_at: delivered ? null : retryAt,
    state: delivered ? 'DELIVERED' : retryAt === null ? 'FAILED' : 'PENDING',
  };
}

// Unless its URL was changed meanwhile: then the certificate is that of another host.
const NOTE_CERTIFICATE = `
UPDATE webhook_endpoint SET certificate_expires_at = $4
WHERE merchant_id = $1 AND id = $2 AND url = $3 AND certificate_expires_at IS DISTINCT FROM $4`;

/** Notes when the certificate expires that an endpoint showed to a delivery. */
export async function recordCertificateExpiry(
  database: Database,
  { merchantId, endpointId, url }: ClaimedDelivery,
  expiresAt: Date,
): Promise<void> {
  const values = [merchantId, endpointId, url, expiresAt];
  await database.pool.query({ name: 'note-certificate-expiry', text: NOTE_CERTIFICATE, values });
}
