import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { eraseCanaryCustomers } from '@switchyard/rule-sets/canary-rows';
import { eraseHoldoutCustomers } from '@switchyard/rule-sets/holdout-rows';
import { packDecision, unpackDecision } from '@switchyard/rule-sets/store-inputs';
import { ERASED, ERASED_EMAIL } from '../../record/order.ts';
import { erasePayers } from '../../record/payers.ts';
import { packSession, unpackSession } from '../../record/payment-documents.ts';
import { namedPayment } from '../../record/plan.ts';

/** Rows from which personal data was removed. */
export interface ErasedRows {
  readonly payments: number;
  readonly attempts: number;
  readonly gatewayWebhooks: number;
  readonly notes: number;
  readonly timelineEvents: number;
  readonly refunds: number;
  readonly duplicateCharges: number;
  readonly idempotencyRecords: number;
}

/** SQL condition, true if a text holds one of the identifiers in $3, in any case, and a number however its digits are grouped. */
const holds = (text: string) =>
  `EXISTS (SELECT FROM unnest($3::text[]) AS known (text) WHERE position(lower(known.text) IN lower(${text})) > 0
    OR known.text ~ '^[0-9]{7,}$' AND position(known.text IN regexp_replace(${text}, '[^0-9]', '', 'g')) > 0)`;

/** The same of a text that is packed. */
function isHeldIn(text: string, identifiers: readonly string[]): boolean {
  const [lower, digits] = [text.toLowerCase(), text.replace(/\D/g, '')];
  return identifiers.some((one) => lower.includes(one.toLowerCase()) || (/^\d{7,}$/.test(one) && digits.includes(one)));
}

/*
 * The statements, each with the parameters merchant, payments, identifiers. The version of a payment is raised, so that a change decided
 * on what was read before is decided again. The query of a redirect URL is the merchant's, and may hold anything.
 */
const PAYMENTS = `
UPDATE payment SET customer_email = '${ERASED_EMAIL}', customer_id = NULL, customer_phone = NULL, metadata = NULL,
  redirect_url = split_part(split_part(redirect_url, '#', 1), '?', 1),
  review_reason = CASE WHEN ${holds('review_reason')} THEN '${ERASED}' ELSE review_reason END,
  customer_erased_at = $4::timestamptz, updated_at = $4::timestamptz, version = version + 1
WHERE merchant_id = $1::uuid AND id = ANY ($2::uuid[]) AND customer_erased_at IS NULL`;

const FIND_DOCUMENTS = `
SELECT merchant_id AS "merchantId", id AS "paymentId", packed_session AS "packedSession", packed_decision AS "packedDecision" FROM payment
WHERE merchant_id = $1::uuid AND id = ANY ($2::uuid[]) AND customer_erased_at IS NULL
ORDER BY id FOR UPDATE`;

const DOCUMENTS = `
UPDATE payment SET packed_session = decode(erased.packed_session, 'base64'), packed_decision = decode(erased.packed_decision, 'base64')
FROM json_to_recordset($3::json) AS erased (id uuid, packed_session text, packed_decision text)
WHERE payment.merchant_id = $1::uuid AND payment.id = ANY ($2::uuid[]) AND payment.id = erased.id`;

const ATTEMPTS = `
UPDATE attempt SET packed_call = NULL, failure_message = CASE WHEN ${holds('failure_message')} THEN '${ERASED}' ELSE failure_message END
WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[]) AND (packed_call IS NOT NULL OR ${holds('failure_message')})`;

const NOTES = `
UPDATE payment_note SET text = '${ERASED}' WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[]) AND text <> '${ERASED}'`;

/** Texts that people wrote, gateways' messages, the digits of cards, and whatever names the person. Other facts stay. */
const IS_ERASED = `(field.key IN ('note', 'message', 'failureMessage', 'cardLast4', 'answer')
  OR field.key = 'reason' AND type LIKE 'refund.%' OR ${holds(`(field.value #>> '{}')`)})`;
const TIMELINE = `
UPDATE timeline_event SET detail = (
  SELECT json_object_agg(field.key, CASE WHEN json_typeof(field.value) = 'string' AND ${IS_ERASED} THEN to_json('${ERASED}'::text)
    ELSE field.value END) FROM json_each(detail) AS field)
WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[]) AND json_typeof(detail) = 'object'
  AND EXISTS (SELECT FROM json_each(detail) AS field WHERE json_typeof(field.value) = 'string' AND field.value #>> '{}' <> '${ERASED}'
    AND ${IS_ERASED})`;

const REFUNDS = `
UPDATE refund SET reason = CASE WHEN reason IS NULL THEN NULL ELSE '${ERASED}' END,
  note = CASE WHEN note IS NULL THEN NULL ELSE '${ERASED}' END,
  failure_message = CASE WHEN ${holds('failure_message')} THEN '${ERASED}' ELSE failure_message END
WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[])
  AND (reason IS NOT NULL OR note IS NOT NULL OR ${holds('failure_message')})`;

const REFUND_APPROVALS = `
UPDATE refund_approval SET reason = CASE WHEN reason IS NULL THEN NULL ELSE '${ERASED}' END,
  note = CASE WHEN note IS NULL THEN NULL ELSE '${ERASED}' END,
  decision_note = CASE WHEN decision_note IS NULL THEN NULL ELSE '${ERASED}' END
WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[]) AND (reason IS NOT NULL OR note IS NOT NULL OR decision_note IS NOT NULL)`;

const DUPLICATES = `
UPDATE duplicate_charge SET note = '${ERASED}' WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[]) AND note IS NOT NULL`;

/**
 * The hash of a request holds what was in it. Without the record a repeated request meets the order id, which is taken. Records of
 * refunds stay: nothing else would keep a repeated request from refunding again.
 */
const IDEMPOTENCY = `
DELETE FROM idempotency_record WHERE merchant_id = $1::uuid AND resource_id = ANY ($2::uuid[])`;

/** Refunds whose reason is in the stored answers to their requests. */
const FIND_REASONS = `
SELECT id, reason FROM refund WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[]) AND reason IS NOT NULL`;

/** The reason of a refund in the stored answer to its request, as it is written there. */
const REFUND_ANSWERS = `
UPDATE idempotency_record AS record SET body = replace(body, answer.written, '"reason":"${ERASED}"')
FROM json_to_recordset($2::json) AS answer (id uuid, written text)
WHERE record.merchant_id = $1::uuid AND record.resource_id = answer.id`;

/**
 * Removes a customer's personal data from these payments and everything of them, inside the caller's transaction, which has checked
 * {@link blockersOf}. Amounts, status, references and times stay. `identifiers` are looked for in messages of gateways: of a number its digits.
 */
export async function eraseCustomerOfPayments(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentIds, identifiers }: { merchantId: string; paymentIds: readonly string[]; identifiers: readonly string[] },
  now: Date,
): Promise<ErasedRows> {
  const run = (statement: string, ...more: unknown[]) =>
    transaction.$executeRawUnsafe(statement, merchantId, paymentIds, ...more);
  const documents = await transaction.$queryRawUnsafe<StoredPacked[]>(FIND_DOCUMENTS, merchantId, paymentIds);
  await run(REFUND_APPROVALS);
  await erasePayers(transaction, merchantId, paymentIds);
  await eraseCanaryCustomers(transaction, merchantId, paymentIds);
  await eraseHoldoutCustomers(transaction, merchantId, paymentIds);
  // Before the reasons themselves are erased.
  const reasons = await transaction.$queryRawUnsafe<{ id: string; reason: string }[]>(FIND_REASONS, merchantId, paymentIds);
  const written = reasons.map(({ id, reason }) => ({ id, written: `"reason":${JSON.stringify(reason)}` }));
  await transaction.$executeRawUnsafe(REFUND_ANSWERS, merchantId, JSON.stringify(written));
  await run(DOCUMENTS, JSON.stringify(documents.map((each) => toErased(each, identifiers))));
  return {
    payments: await run(PAYMENTS, identifiers, now),
    attempts: await run(ATTEMPTS, identifiers),
    gatewayWebhooks: await eraseGatewayWebhooks(transaction, merchantId, paymentIds),
    notes: await run(NOTES),
    timelineEvents: await run(TIMELINE, identifiers),
    refunds: await run(REFUNDS, identifiers),
    duplicateCharges: await run(DUPLICATES),
    idempotencyRecords: await run(IDEMPOTENCY),
  };
}

interface StoredPacked {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly packedSession: Uint8Array;
  readonly packedDecision: Uint8Array;
}

/** A payment's session, null while there is none, and its decision as they are stored again. */
function toErased({ packedSession, packedDecision, ...key }: StoredPacked, identifiers: readonly string[]) {
  const texts = unpackSession(key, packedSession);
  const session: Prisma.JsonObject | null = JSON.parse(texts.session);
  const erased = session === null ? null : eraseSession(key.paymentId, session);
  return {
    id: key.paymentId,
    packed_session: packSession(key, erased, JSON.parse(texts.fallbackGateways)).toString('base64'),
    packed_decision: Buffer.from(eraseDecision(packedDecision, identifiers)).toString('base64'),
  };
}

/** A decision without the messages of gateways that name the person: each that opened no checkout is a reason of it. */
function eraseDecision(packedDecision: Uint8Array, identifiers: readonly string[]): Uint8Array {
  const { routing, inputs } = unpackDecision(packedDecision);
  if (!isHeldIn(routing, identifiers)) return packedDecision;
  const erased = (_: string, value: unknown) => (typeof value === 'string' && isHeldIn(value, identifiers) ? ERASED : value);
  return packDecision(JSON.parse(routing, erased), JSON.parse(inputs));
}

/** A session without the gateway's response, and with the redirect URL as merchants get it, less their own query. */
function eraseSession(id: string, session: Prisma.JsonObject): Prisma.JsonObject {
  const { raw, metadata } = session;
  const erased: Prisma.JsonObject = raw === undefined ? { ...session } : { ...session, raw: {} };
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return erased;
  const { redirectUrl } = metadata;
  if (typeof redirectUrl !== 'string') return erased;
  return { ...erased, metadata: { ...metadata, redirectUrl: `${redirectUrl.split(/[#?]/)[0]}?paymentId=${id}` } };
}

const WEBHOOKS = `
UPDATE gateway_webhook AS webhook SET packed_body = NULL
WHERE webhook.merchant_id = $1::uuid AND ${namedPayment('webhook.reference')} = ANY ($2::uuid[])
  AND webhook.packed_body IS NOT NULL`;

/** Removes the bodies of the gateway webhooks about these payments. Returns how many. */
export function eraseGatewayWebhooks(
  client: Database['prisma'] | Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<number> {
  return client.$executeRawUnsafe(WEBHOOKS, merchantId, paymentIds);
}

/** How many of these payments have something unfinished that erasing would take the evidence of. */
export interface ErasureBlockers {
  readonly openPayments: number;
  /** Ended, and still watched for late money: for 72 hours. */
  readonly watchedPayments: number;
  readonly openReviews: number;
  /** Requested, waiting for a second person, being processed or in need of attention, and unresolved failed ones. */
  readonly unfinishedRefunds: number;
  readonly openDuplicateCharges: number;
  readonly openDiscrepancies: number;
  readonly openDisputes: number;
}

const COUNT = `
SELECT
  (SELECT count(*)::int FROM payment WHERE merchant_id = $1::uuid AND id = ANY ($2::uuid[]) AND status IN ('INITIATED', 'PENDING'))
    AS "openPayments",
  (SELECT count(*)::int FROM payment_check JOIN payment ON payment.merchant_id = payment_check.merchant_id
      AND payment.id = payment_check.payment_id
    WHERE payment_check.merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[]) AND status NOT IN ('INITIATED', 'PENDING'))
    AS "watchedPayments",
  (SELECT count(*)::int FROM payment WHERE merchant_id = $1::uuid AND id = ANY ($2::uuid[]) AND review = 'OPEN') AS "openReviews",
  (SELECT count(*)::int FROM refund WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[])
    AND (state IN ('REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION') OR state = 'FAILED' AND resolved_at IS NULL))
  + (SELECT count(*)::int FROM refund_approval WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[])
    AND state = 'WAITING' AND expires_at > now()) AS "unfinishedRefunds",
  (SELECT count(*)::int FROM duplicate_charge WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[])
    AND state IN ('OPEN', 'REFUNDING')) AS "openDuplicateCharges",
  (SELECT count(*)::int FROM reconciliation_discrepancy WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[])
    AND state = 'OPEN') + (SELECT count(*)::int FROM settlement_discrepancy WHERE merchant_id = $1::uuid
    AND payment_id = ANY ($2::uuid[]) AND state = 'OPEN') AS "openDiscrepancies",
  (SELECT count(*)::int FROM dispute WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[])
    AND state IN ('NEEDS_RESPONSE', 'UNDER_REVIEW')) AS "openDisputes"`;

const NONE: ErasureBlockers = {
  openPayments: 0,
  watchedPayments: 0,
  openReviews: 0,
  unfinishedRefunds: 0,
  openDuplicateCharges: 0,
  openDiscrepancies: 0,
  openDisputes: 0,
};

/** Counts of the records that stand against erasing the customer of these payments now. */
export async function blockersOf(
  client: Database['prisma'] | Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<ErasureBlockers> {
  const rows = await client.$queryRawUnsafe<ErasureBlockers[]>(COUNT, merchantId, paymentIds);
  return rows[0] ?? NONE;
}
