import type { PaymentsContext } from '../context.ts';
import {
  type GatewayWebhookKey,
  type ListedGatewayWebhook,
  listGatewayWebhookRows,
  type RefusedWebhookCount,
  readRefusedWebhooks,
} from './gateway-webhook-queries.ts';

/** A page of the webhooks received from one gateway account, newest first. */
export interface GatewayWebhooksQuery {
  readonly merchantIds: readonly string[];
  readonly accountId: string;
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
  /** Genuine ones, newest first. */
  readonly webhooks: readonly ListedGatewayWebhook[];
  readonly next: GatewayWebhookKey | null;
}

const REFUSED_MS = 7 * 86_400_000;
const REFUSED_MAX = 2_000;
const PAGE_MAX = 200;

/** Webhooks of a gateway, genuine and refused; null when none of these merchants has the account. */
export async function listGatewayWebhooks(
  context: PaymentsContext,
  { merchantIds, accountId, after, limit }: GatewayWebhooksQuery,
): Promise<GatewayWebhookPage | null> {
  const { configuration, database } = context.resources;
  await configuration.ready();
  const account = configuration.account(accountId)?.account;
  if (account === undefined || !merchantIds.includes(account.merchantId)) return null;
  const key = { merchantId: account.merchantId, accountId };
  const most = Math.min(Math.max(1, limit), PAGE_MAX);
  const since = new Date(context.now().getTime() - REFUSED_MS);
  const [rows, latest, refused] = await Promise.all([
    listGatewayWebhookRows(database, key, after, most + 1),
    listGatewayWebhookRows(database, key, null, 1),
    readRefusedWebhooks(database, key, since, REFUSED_MAX),
  ]);
  const webhooks = rows.slice(0, most);
  const last = webhooks.at(-1);
  const next = rows.length > most && last !== undefined ? { receivedAt: last.receivedAt, id: last.id } : null;
  return { lastGenuineAt: latest[0]?.receivedAt ?? null, refused, webhooks, next };
}
