import type { Database } from '@switchyard/db';
import { isUuid, newId } from '@switchyard/db';
import { type Mode, Prisma, type WebhookResend } from '@switchyard/db/client';
import type { WebhookEndpointKey } from '../endpoints/queries.ts';
import { TEST_EVENT_TYPE } from '../events/announce-event.ts';

/** The scope of a resend to an endpoint. Test events are never included. */
export interface ResendScope extends WebhookEndpointKey {
  readonly mode: Mode;
  readonly fromAt: Date;
  readonly toAt: Date;
  /** Empty: all types. */
  readonly types: readonly string[];
  /** Excludes delivered events. */
  readonly onlyUndelivered: boolean;
}

interface EventInScope {
  readonly id: string;
  readonly paymentId: string | null;
  readonly position: number;
  readonly type: string;
  readonly createdAt: Date;
}

function inScope(scope: ResendScope): Prisma.Sql {
  return Prisma.sql`FROM merchant_event AS v
    LEFT JOIN webhook_delivery AS d
      ON d.merchant_id = v.merchant_id AND d.endpoint_id = ${scope.endpointId}::uuid AND d.event_id = v.id
    WHERE v.merchant_id = ${scope.merchantId}::uuid AND v.mode = ${scope.mode}::mode
      AND v.created_at >= ${scope.fromAt}::timestamptz AND v.created_at < ${scope.toAt}::timestamptz AND v.type <> ${TEST_EVENT_TYPE}
      AND (cardinality(${[...scope.types]}::text[]) = 0 OR v.type = ANY (${[...scope.types]}::text[]))
      AND (NOT ${scope.onlyUndelivered}::boolean OR d.delivered_at IS NULL)`;
}

/** How many events are in scope; counting stops at `limit`. */
export async function countEventsToResend(database: Database, scope: ResendScope, limit: number): Promise<number> {
  const [found] = await database.prisma.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (SELECT 1 ${inScope(scope)} LIMIT ${limit}) AS found`;
  return found?.count ?? 0;
}

/** Inserts a resend with none of its events queued, in the caller's transaction. */
export async function insertWebhookResend(
  transaction: Prisma.TransactionClient,
  resend: ResendScope & Pick<WebhookResend, 'id' | 'total' | 'requestedBy'>,
  now: Date,
): Promise<WebhookResend> {
  const data = { ...resend, types: [...resend.types], queued: 0, createdAt: now, updatedAt: now };
  return transaction.webhookResend.create({ data });
}

/** Locks a resend until the transaction ends; null when there is none, or another process has locked it. */
export async function lockWebhookResend(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  resendId: string,
): Promise<WebhookResend | null> {
  const locked = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM webhook_resend WHERE merchant_id = ${merchantId}::uuid AND id = ${resendId}::uuid AND finished_at IS NULL
    FOR UPDATE SKIP LOCKED`;
  if (locked.length === 0) return null;
  return transaction.webhookResend.findUnique({ where: { merchantId_id: { merchantId, id: resendId } } });
}

/** Queues the next events of a locked resend, at most `limit`; returns whether there may be more. */
export async function continueWebhookResend(
  transaction: Prisma.TransactionClient,
  resend: WebhookResend,
  { now, leaseMs, limit }: { readonly now: Date; readonly leaseMs: number; readonly limit: number },
): Promise<boolean> {
  const { merchantId, endpointId, cursorAt, cursorId } = resend;
  // The endpoint is locked before its deliveries, as by what disables it: the two could wait for each other else.
  await transaction.$queryRaw`
    SELECT 1 FROM webhook_endpoint WHERE merchant_id = ${merchantId}::uuid AND id = ${endpointId}::uuid FOR SHARE`;
  const events = await transaction.$queryRaw<EventInScope[]>`
    SELECT v.id::text AS id, v.payment_id::text AS "paymentId", v.position, v.type, v.created_at AS "createdAt" ${inScope(resend)}
      AND (${cursorAt}::timestamptz IS NULL OR (v.created_at, v.id) > (${cursorAt}::timestamptz, ${cursorId}::uuid))
    ORDER BY v.created_at, v.id LIMIT ${limit}`;
  await queueDeliveries(transaction, { merchantId, endpointId }, events, { now, leaseMs, resendId: resend.id });
  const last = events.at(-1);
  const more = events.length === limit;
  await transaction.webhookResend.update({
    where: { merchantId_id: { merchantId, id: resend.id } },
    data: {
      queued: { increment: events.length },
      ...(last && { cursorAt: last.createdAt, cursorId: last.id }),
      ...(!more && { finishedAt: now }),
      updatedAt: now,
    },
  });
  return more;
}

/**
 * Queues deliveries of events to an endpoint, due at once and with a fresh retry schedule, in any former state. Deliveries that may
 * be in progress are not touched.
 */
export async function queueDeliveries(
  transaction: Prisma.TransactionClient,
  { merchantId, endpointId }: WebhookEndpointKey,
  events: readonly Omit<EventInScope, 'createdAt'>[],
  { now, leaseMs, resendId }: { readonly now: Date; readonly leaseMs: number; readonly resendId: string | null },
): Promise<void> {
  if (events.length === 0) return;
  const heldUntil = new Date(now.getTime() + leaseMs);
  const eventIds = events.map(({ id }) => id);
  // The due time of deliveries that there are. They have a statement of their own: Citus cannot have values of ours in what an INSERT does
  // upon a conflict.
  const dueAt = Prisma.sql`CASE WHEN state = 'PENDING' AND next_attempt_at <= ${heldUntil}::timestamptz
        THEN next_attempt_at ELSE ${now}::timestamptz END`;
  await transaction.$executeRaw`
    UPDATE webhook_delivery SET state = 'PENDING', round_attempts = 0, resend_id = COALESCE(${resendId}::uuid, resend_id),
      updated_at = ${now}::timestamptz, next_attempt_at = ${dueAt}, due_at = ${dueAt}, settled_attempts = NULL
    WHERE merchant_id = ${merchantId}::uuid AND endpoint_id = ${endpointId}::uuid AND event_id = ANY (${eventIds}::uuid[])`;
  await transaction.$executeRaw`
    INSERT INTO webhook_delivery (merchant_id, id, endpoint_id, event_id, payment_id, position, type, state, attempts,
      next_attempt_at, due_at, resend_id, created_at, updated_at)
    SELECT new.merchant_id, new.id, ${endpointId}::uuid, new.event_id, new.payment_id, new.position, new.type, 'PENDING', 0,
      ${now}::timestamptz, ${now}::timestamptz, ${resendId}::uuid, ${now}::timestamptz, ${now}::timestamptz
    FROM unnest(${events.map(() => merchantId)}::uuid[], ${events.map(() => newId())}::uuid[], ${eventIds}::uuid[],
      ${events.map((one) => one.paymentId)}::uuid[], ${events.map((one) => one.position)}::int[],
      ${events.map((one) => one.type)}::text[]) AS new (merchant_id, id, event_id, payment_id, position, type)
    ON CONFLICT (merchant_id, endpoint_id, event_id) DO NOTHING`;
}

/** Unfinished resends without progress since a time. */
export async function listStalledResends(
  database: Database,
  before: Date,
  limit: number,
): Promise<readonly { readonly merchantId: string; readonly id: string }[]> {
  return database.prisma.webhookResend.findMany({
    where: { finishedAt: null, updatedAt: { lt: before } },
    select: { merchantId: true, id: true },
    orderBy: { updatedAt: 'asc' },
    take: limit,
  });
}

/** A resend with the states of its events; events that were resent again later count for the later one. */
export interface WebhookResendProgress extends WebhookResend {
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
}

/** The latest resends to an endpoint, newest first. */
export async function listWebhookResends(
  database: Database,
  { merchantId, endpointId }: WebhookEndpointKey,
  limit: number,
): Promise<WebhookResendProgress[]> {
  if (!isUuid(merchantId) || !isUuid(endpointId)) return [];
  const { prisma } = database;
  const resends = await prisma.webhookResend.findMany({
    where: { merchantId, endpointId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  const counts = await prisma.webhookDelivery.groupBy({
    by: ['resendId', 'state'],
    where: { merchantId, resendId: { in: resends.map(({ id }) => id) } },
    _count: true,
  });
  return resends.map((resend) => {
    const count = (state: 'DELIVERED' | 'FAILED' | 'PENDING') =>
      counts.find((one) => one.resendId === resend.id && one.state === state)?._count ?? 0;
    return { ...resend, delivered: count('DELIVERED'), failed: count('FAILED'), waiting: count('PENDING') };
  });
}
