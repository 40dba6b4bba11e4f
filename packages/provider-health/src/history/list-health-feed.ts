import { gatewayTitle } from '@switchyard/gateways/facts';
import type { PaymentMethod, StoredHealthReason } from '@switchyard/routing';
import { readHealthReason } from '@switchyard/routing/stored-inputs';
import type { HealthContext } from '../context.ts';
import { type HealthQuery, toMethod } from './describe-health.ts';
import { type HealthFeedKey, type HealthFeedRow, readHealthFeed } from './feed-queries.ts';
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

/** A page of the feed. */
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
