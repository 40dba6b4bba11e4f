import type { GatewayWebhookState } from '@switchyard/db/client';
import { countOf, countOfAll, type ListCount } from '@switchyard/db/lists';
import type { PaymentsContext } from '../../record/context.ts';
import {
  countGatewayWebhooksByState,
  type GatewayWebhookKey,
  type ListedGatewayWebhook,
  listGatewayWebhookRows,
  type ReceivedWithin,
  type RefusedWebhookCount,
  readRefusedWebhooks,
} from './gateway-webhook-queries.ts';

/** A gateway account of one of these merchants. */
export interface GatewayWebhooksScope {
  readonly merchantIds: readonly string[];
  readonly accountId: string;
}

/** A page of the webhooks received from one gateway account. */
export interface GatewayWebhooksQuery extends GatewayWebhooksScope, ReceivedWithin {
  /** Null for any. */
  readonly state: GatewayWebhookState | null;
  /** By when they were received. */
  readonly newestFirst: boolean;
  /** `next` of the previous page. */
  readonly after: GatewayWebhookKey | null;
  /** 1 to 200. */
  readonly limit: number;
}

/** The webhooks a gateway sent to one account's address. */
export interface GatewayWebhookPage {
  /** Time of the last genuine webhook; null without one. */
  readonly lastGenuineAt: Date | null;
  /** Refused in the last seven days, by hour and reason, latest first. */
  readonly refused: readonly RefusedWebhookCount[];
  /** Genuine ones, in the order wanted. */
  readonly webhooks: readonly ListedGatewayWebhook[];
  readonly next: GatewayWebhookKey | null;
}

const REFUSED_MS = 7 * 86_400_000;
const REFUSED_MAX = 2_000;
const PAGE_MAX = 200;
const LATEST = { state: null, newestFirst: true, receivedFrom: null, receivedTo: null, after: null, limit: 1 };

/** Webhooks of a gateway, genuine and refused; null when none of these merchants has the account. */
export async function listGatewayWebhooks(
  context: PaymentsContext,
  { state, newestFirst, after, limit, receivedFrom, receivedTo, ...scope }: GatewayWebhooksQuery,
): Promise<GatewayWebhookPage | null> {
  const { database } = context.resources;
  const key = await findAccount(context, scope);
  if (key === null) return null;
  const pageSize = Math.min(Math.max(1, limit), PAGE_MAX);
  const since = new Date(context.now().getTime() - REFUSED_MS);
  const [rows, latest, refused] = await Promise.all([
    listGatewayWebhookRows(database, key, { state, newestFirst, receivedFrom, receivedTo, after, limit: pageSize + 1 }),
    listGatewayWebhookRows(database, key, LATEST),
    readRefusedWebhooks(database, key, since, REFUSED_MAX),
  ]);
  const webhooks = rows.slice(0, pageSize);
  const last = webhooks.at(-1);
  const next = rows.length > pageSize && last !== undefined ? { receivedAt: last.receivedAt, id: last.id } : null;
  return { lastGenuineAt: latest[0]?.receivedAt ?? null, refused, webhooks, next };
}

/** The numbers of an account's gateway webhooks in each state. */
export interface GatewayWebhookCounts {
  readonly all: ListCount;
  readonly byState: Readonly<Record<GatewayWebhookState, ListCount>>;
}

/** Counts the webhooks of one account by state; `counts` is null where that took too long. Null when none of these merchants has it. */
export async function countGatewayWebhooks(
  context: PaymentsContext,
  { receivedFrom, receivedTo, ...scope }: GatewayWebhooksScope & ReceivedWithin,
): Promise<{ readonly counts: GatewayWebhookCounts | null } | null> {
  const key = await findAccount(context, scope);
  if (key === null) return null;
  const found = await countGatewayWebhooksByState(context.resources.database, key, { receivedFrom, receivedTo });
  if (found === null) return { counts: null };
  const byState = {
    RECEIVED: countOf(found, 'RECEIVED'),
    PROCESSED: countOf(found, 'PROCESSED'),
    IGNORED: countOf(found, 'IGNORED'),
  };
  return { counts: { all: countOfAll(found), byState } };
}

async function findAccount({ resources: { configuration } }: PaymentsContext, { merchantIds, accountId }: GatewayWebhooksScope) {
  await configuration.ready();
  const account = configuration.account(accountId)?.account;
  if (account === undefined || !merchantIds.includes(account.merchantId)) return null;
  return { merchantId: account.merchantId, accountId };
}
