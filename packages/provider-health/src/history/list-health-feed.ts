import { type Database, NIL_ID } from '@switchyard/db';
import type { Mode, OverrideAction } from '@switchyard/db/client';
import { gatewayTitle } from '@switchyard/gateways';
import type { PaymentMethod, StoredHealthReason } from '@switchyard/routing';
import { readHealthReason } from '@switchyard/routing/stored-inputs';
import type { HealthContext } from '../context.ts';
import { type HealthQuery, toMethod } from './describe-health.ts';
import { accountsOf } from './read-health-strips.ts';

/** A page of changes of health and overrides, newest first. */
export interface HealthFeedPageQuery extends HealthQuery {
  /** One account; null for all. */
  readonly accountId: string | null;
  /** `next` of the page before. */
  readonly after: HealthFeedKey | null;
  /** 1 to 200. */
  readonly limit: number;
}

/** One event of an account: its health changed, or an operator set or ended an override of it, or of its gateway for all merchants. */
export interface HealthFeedItem extends Omit<HealthFeedRow, 'method' | 'why'> {
  /** Null for all methods. */
  readonly method: PaymentMethod | null;
  /** Why its health changed; null for an override. */
  readonly why: StoredHealthReason;
  /** Both empty for an override of all accounts of a gateway. */
  readonly merchantName: string;
  readonly accountLabel: string;
  readonly gatewayTitle: string;
}

export interface HealthFeedPage {
  readonly items: readonly HealthFeedItem[];
  /** Where the next page begins; null on the last one. */
  readonly next: HealthFeedKey | null;
}

const PAGE_MAX = 200;

/** Changes of health and operators' overrides of these merchants' accounts and of their gateways, newest first. */
export async function listHealthFeed(context: HealthContext, query: HealthFeedPageQuery): Promise<HealthFeedPage> {
  const { database, configuration } = context.resources;
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  const accountIds = await accountsOf(context, query);
  const { merchantIds, mode } = query;
  const gateways = [...new Set(accountIds.flatMap((id) => configuration.account(id)?.account.gateway ?? []))];
  // One row more than the limit shows whether another page exists.
  const rows = await readHealthFeed(
    database,
    { merchantIds, accountIds, gateways, mode, now: context.now() },
    query.after,
    limit + 1,
  );
  const items = rows.slice(0, limit).map((row): HealthFeedItem => {
    const known = row.accountId === null ? undefined : configuration.account(row.accountId);
    return {
      ...row,
      method: toMethod(row.method),
      why: readHealthReason(row.why),
      merchantName: row.accountId === null ? '' : (known?.merchant.merchant.name ?? row.merchantId),
      accountLabel: known?.account.label ?? row.accountId ?? '',
      gatewayTitle: gatewayTitle(row.gateway ?? known?.account.gateway ?? ''),
    };
  });
  const last = items.at(-1);
  const next = rows.length > limit && last !== undefined ? { at: last.at, kind: last.kind, eventId: last.eventId } : null;
  return { items, next };
}

/** One entry of the feed: a change of health, or an override set, begun as planned, or ended. */
interface HealthFeedRow {
  readonly kind: 'health' | 'override_set' | 'override_began' | 'override_ended';
  readonly eventId: string;
  readonly at: Date;
  /** The nil UUID for an override of a gateway. */
  readonly merchantId: string;
  /** Null for an override of all accounts of a gateway, those of all merchants. */
  readonly accountId: string | null;
  /** The gateway of such an override; null for an account. */
  readonly gateway: string | null;
  /** Null for all methods. */
  readonly method: string | null;
  /** States before and after, of a change of health. The same state twice is a step of probing. */
  readonly fromState: string | null;
  readonly toState: string | null;
  /** The facts of a change of health, JSON: see `readHealthReason`. */
  readonly why: unknown;
  /** The operator's, for an override. */
  readonly reason: string | null;
  /** The action of an override. */
  readonly action: OverrideAction | null;
  readonly actor: string | null;
  /** When a planned override begins; null where it began when it was set. */
  readonly startsAt: Date | null;
  readonly expiresAt: Date | null;
}

/** Selects changes of health and overrides of these accounts, and overrides of whole gateways in a mode. */
export interface HealthFeedQuery {
  readonly merchantIds: readonly string[];
  readonly accountIds: readonly string[];
  readonly gateways: readonly string[];
  readonly mode: Mode;
  /** Events up to this time: overrides that expire later have not ended. */
  readonly now: Date;
}

/** The last entry of the page before. */
interface HealthFeedKey {
  readonly at: Date;
  readonly kind: HealthFeedRow['kind'];
  readonly eventId: string;
}

/** The overrides of the accounts, and of their gateways for all merchants, which have the nil UUID for one. */
const OVERRIDES = `FROM routing_override
  WHERE merchant_id = ANY ($1::uuid[] || '${NIL_ID}'::uuid) AND (account_id = ANY ($2::uuid[]) OR gateway = ANY ($8::text[]) AND mode = $9::mode)`;

const FEED = `
SELECT * FROM (
  (SELECT 'health'::text AS kind, id AS "eventId", created_at AS at, merchant_id AS "merchantId", account_id AS "accountId",
    NULL::text AS gateway, nullif(method, '*') AS method, from_state AS "fromState", to_state AS "toState", why, NULL::text AS reason,
    NULL::override_action AS action, NULL::text AS actor, NULL::timestamptz AS "startsAt", NULL::timestamptz AS "expiresAt"
  FROM health_event
  WHERE merchant_id = ANY ($1::uuid[]) AND account_id = ANY ($2::uuid[]) AND created_at <= $4
    AND (created_at, 'health'::text, id) < ($4, $5::text, $6::uuid)
  ORDER BY created_at DESC, id DESC LIMIT $7)
  UNION ALL
  SELECT 'override_set', id, created_at, merchant_id, account_id, gateway, method, NULL, NULL, NULL::json, reason, action, actor,
    starts_at, expires_at
  ${OVERRIDES} AND (created_at, 'override_set'::text, id) < ($4, $5::text, $6::uuid)
  UNION ALL
  SELECT 'override_began', id, starts_at, merchant_id, account_id, gateway, method, NULL, NULL, NULL::json, reason, action, actor, starts_at,
    expires_at
  ${OVERRIDES} AND starts_at <= $3
    AND (ended_at IS NULL OR ended_at > starts_at) AND (starts_at, 'override_began'::text, id) < ($4, $5::text, $6::uuid)
  UNION ALL
  SELECT 'override_ended', id, coalesce(ended_at, expires_at), merchant_id, account_id, gateway, method, NULL, NULL, NULL::json, reason, action,
    coalesce(ended_by, 'system:expiry'), starts_at, expires_at
  ${OVERRIDES} AND coalesce(ended_at, expires_at) <= $3
    AND (coalesce(ended_at, expires_at), 'override_ended'::text, id) < ($4, $5::text, $6::uuid)) AS feed
ORDER BY at DESC, kind DESC, "eventId" DESC LIMIT $7`;

/** A page of the feed, newest first. */
export async function readHealthFeed(
  database: Database,
  { merchantIds, accountIds, gateways, mode, now }: HealthFeedQuery,
  after: HealthFeedKey | null,
  limit: number,
): Promise<HealthFeedRow[]> {
  const begin = after ?? { at: new Date(now.getTime() + 1), kind: '', eventId: '00000000-0000-0000-0000-000000000000' };
  const { rows } = await database.pool.query<HealthFeedRow>(FEED, [
    merchantIds,
    accountIds,
    now,
    begin.at,
    begin.kind,
    begin.eventId,
    limit,
    gateways,
    mode,
  ]);
  return rows;
}

/** An attempt that failed by a provider fault. */
export interface FaultyAttemptRow {
  readonly merchantId: string;
  readonly attemptId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly paymentStatus: string;
  /** Whole main units, as text. */
  readonly amount: string;
  readonly currency: string;
  readonly method: string | null;
  readonly accountId: string;
  readonly gateway: string;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly latencyMs: number | null;
  readonly createdAt: Date;
}

/** Selects attempts that failed through the gateway's fault. */
export interface FaultyAttemptsQuery {
  readonly merchantId: string;
  readonly accountId: string;
  /** Null for any. */
  readonly method: string | null;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

const FAULTY = `
SELECT attempt.merchant_id AS "merchantId", attempt.id AS "attemptId", payment.id AS "paymentId",
  payment.merchant_order_id AS "merchantOrderId", payment.status AS "paymentStatus", payment.amount, payment.currency,
  payment.payment_method AS method, attempt.account_id AS "accountId", attempt.gateway,
  attempt.failure_code AS "failureCode", attempt.failure_message AS "failureMessage", attempt.latency_ms AS "latencyMs",
  attempt.created_at AS "createdAt"
FROM attempt JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id
WHERE attempt.merchant_id = $1 AND attempt.account_id = $2 AND ($3::text IS NULL OR payment.payment_method = $3)
  AND attempt.failure_class = 'provider_fault' AND attempt.created_at >= $4 AND attempt.created_at <= $5
  AND (attempt.created_at, attempt.id) < ($5, $6::uuid)
ORDER BY attempt.created_at DESC, attempt.id DESC LIMIT $7`;

/** A page of an account's attempts with a provider fault, newest first. */
export async function readFaultyAttempts(
  database: Database,
  { merchantId, accountId, method, from, to }: FaultyAttemptsQuery,
  after: { readonly createdAt: Date; readonly attemptId: string } | null,
  limit: number,
): Promise<FaultyAttemptRow[]> {
  const begin = after ?? { createdAt: to, attemptId: '00000000-0000-0000-0000-000000000000' };
  const { rows } = await database.pool.query<FaultyAttemptRow>(FAULTY, [
    merchantId,
    accountId,
    method,
    from,
    begin.createdAt,
    begin.attemptId,
    limit,
  ]);
  return rows;
}
