import type { Database } from '@switchyard/db';
import { type GatewayWebhook, type GatewayWebhookState, Prisma } from '@switchyard/db/client';
import { compares, countByValue, countInTime, countOf, countOfAll, type ListCount, type ValueCount } from '@switchyard/db/lists';
import type { PaymentsContext } from '../../record/context.ts';

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

export const GATEWAY_WEBHOOK_STATES = ['RECEIVED', 'PROCESSED', 'IGNORED'] as const satisfies readonly GatewayWebhookState[];

/** A stored gateway webhook without its body. */
type ListedGatewayWebhook = Omit<GatewayWebhook, 'packedBody'>;

/** The end of a page of gateway webhooks. */
interface GatewayWebhookKey {
  readonly receivedAt: Date;
  readonly id: string;
}

/** A gateway account. */
interface AccountKey {
  readonly merchantId: string;
  readonly accountId: string;
}

/** When gateway webhooks were received. */
export interface ReceivedWithin {
  /** Inclusive; null for any. */
  readonly receivedFrom: Date | null;
  /** Exclusive; null for any. */
  readonly receivedTo: Date | null;
}

/** A page of an account's gateway webhooks, by when they were received. */
export interface GatewayWebhookPagePart extends ReceivedWithin {
  /** Null for any. */
  readonly state: GatewayWebhookState | null;
  readonly newestFirst: boolean;
  /** Only those after this one in the order of the page; null from the beginning. */
  readonly after: GatewayWebhookKey | null;
  readonly limit: number;
}

const TO_FOLLOW = Prisma.sql`gateway_webhook AS p
  JOIN webhook_follow_up AS due ON due.merchant_id = p.merchant_id AND due.webhook_id = p.id`;

/** True if a webhook is still to be followed up, and so counts as received whatever state is stored. */
function isToFollow(merchantId: Prisma.Sql, webhookId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM webhook_follow_up AS due WHERE due.merchant_id = ${merchantId} AND due.webhook_id = ${webhookId})`;
}

/** The rows of a state that webhooks count as, or of all: of a stored state by an index, and of those to be followed up. */
function partsOf(wanted: GatewayWebhookState | null): { readonly from: Prisma.Sql; readonly where: Prisma.Sql }[] {
  const of = (state: GatewayWebhookState, more = Prisma.empty) => {
    return { from: Prisma.sql`gateway_webhook AS p`, where: Prisma.sql`p.state = ${state}::gateway_webhook_state ${more}` };
  };
  switch (wanted) {
    case null:
      return GATEWAY_WEBHOOK_STATES.map((state) => of(state));
    case 'IGNORED':
      return [of('IGNORED')];
    case 'PROCESSED':
      return [of('PROCESSED', Prisma.sql`AND NOT ${isToFollow(Prisma.raw('p.merchant_id'), Prisma.raw('p.id'))}`)];
    case 'RECEIVED':
      return [of('RECEIVED'), { from: TO_FOLLOW, where: Prisma.sql`p.state <> 'RECEIVED'` }];
    default:
      return wanted satisfies never;
  }
}

/** Stored gateway webhooks of an account. Each state's are read by an index, so that rare ones are found among many others. */
async function listGatewayWebhookRows(
  database: Database,
  { merchantId, accountId }: AccountKey,
  { state, newestFirst, after, limit, ...received }: GatewayWebhookPagePart,
): Promise<ListedGatewayWebhook[]> {
  const order = Prisma.raw(newestFirst ? 'received_at DESC, id DESC' : 'received_at, id');
  const beyond = Prisma.raw(newestFirst ? '<' : '>');
  const conditions = [
    ...isOfAccount(accountId, received),
    ...(after === null
      ? []
      : [Prisma.sql`(p.received_at, p.id) ${beyond} (${after.receivedAt}::timestamptz, ${after.id}::uuid)`]),
  ];
  const parts = partsOf(state).map(
    ({ from, where }) => Prisma.sql`(SELECT p.received_at, p.id FROM ${from}
      WHERE p.merchant_id = ${merchantId}::uuid AND ${where} AND ${Prisma.join(conditions, ' AND ')} ORDER BY ${order} LIMIT ${limit})`,
  );
  const page = await database.prisma.$queryRaw<{ id: string; isToFollow: boolean }[]>`
    SELECT part.id, ${isToFollow(Prisma.sql`${merchantId}::uuid`, Prisma.raw('part.id'))} AS "isToFollow"
    FROM (${Prisma.join(parts, ' UNION ALL ')}) AS part ORDER BY ${order} LIMIT ${limit}`;
  const toFollow = new Set(page.filter((row) => row.isToFollow).map(({ id }) => id));
  const direction = newestFirst ? 'desc' : 'asc';
  const rows = await database.prisma.gatewayWebhook.findMany({
    omit: { packedBody: true },
    where: { merchantId, id: { in: page.map(({ id }) => id) } },
    orderBy: [{ receivedAt: direction }, { id: direction }],
  });
  return rows.map((row) => ({ ...row, state: toFollow.has(row.id) ? 'RECEIVED' : row.state }));
}

/** Counts an account's gateway webhooks by state. Null where that took too long. */
async function countGatewayWebhooksByState(
  database: Database,
  { merchantId, accountId }: AccountKey,
  received: ReceivedWithin,
): Promise<ValueCount[] | null> {
  const list = {
    table: 'gateway_webhook',
    merchantIds: [merchantId],
    conditions: isOfAccount(accountId, received),
    by: 'merchant',
  } as const;
  const column = { column: 'state', type: 'gateway_webhook_state', values: GATEWAY_WEBHOOK_STATES } as const;
  const [counts, toFollow] = await Promise.all([
    countByValue(database.prisma, list, column),
    countInTime<ValueCount>(
      database.prisma,
      Prisma.sql`SELECT p.state::text AS value, count(*)::int AS count, false AS more FROM ${TO_FOLLOW}
        WHERE p.merchant_id = ${merchantId}::uuid AND ${Prisma.join(list.conditions, ' AND ')} GROUP BY p.state`,
    ),
  ]);
  if (counts === null || toFollow === null) return null;
  const pending = countOf(toFollow, 'PROCESSED').count;
  const moved = { value: 'RECEIVED', count: pending, more: false };
  return [...counts, moved, { value: 'PROCESSED', count: -pending, more: false }];
}

function isOfAccount(accountId: string, { receivedFrom, receivedTo }: ReceivedWithin): Prisma.Sql[] {
  return [
    Prisma.sql`p.account_id = ${accountId}::uuid`,
    ...compares('p.received_at >=', receivedFrom, 'timestamptz'),
    ...compares('p.received_at <', receivedTo, 'timestamptz'),
  ];
}

/** The number of webhooks to an account that were refused in one hour for one reason. */
interface RefusedWebhookCount {
  readonly why: string;
  readonly hourAt: Date;
  readonly count: number;
}

/** Refused webhooks by hour and reason since a time, latest hour first. */
async function readRefusedWebhooks(
  database: Database,
  { merchantId, accountId }: AccountKey,
  since: Date,
  limit: number,
): Promise<RefusedWebhookCount[]> {
  return database.prisma.refusedWebhook.findMany({
    select: { why: true, hourAt: true, count: true },
    where: { merchantId, accountId, hourAt: { gte: since } },
    orderBy: [{ hourAt: 'desc' }, { why: 'asc' }],
    take: limit,
  });
}
