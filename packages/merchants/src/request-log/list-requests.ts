import { firstIdAt, timeOfId } from '@switchyard/db';
import { type ApiRequest, type Mode, Prisma } from '@switchyard/db/client';
import { readApiKeyNames } from '../api-keys/queries.ts';
import type { MerchantsContext } from '../context.ts';

/** Outcomes of requests: 2xx or 3xx, refused with 4xx, failed with 5xx, or not answered before the client left. */
export const REQUEST_OUTCOMES = ['succeeded', 'refused', 'failed', 'unanswered'] as const;

/** One of {@link REQUEST_OUTCOMES}. */
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** Filters of requests with API keys; null and empty match any. */
export interface ApiRequestFilter {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly outcomes: readonly RequestOutcome[];
  readonly methods: readonly string[];
  readonly keyIds: readonly string[];
  /** Beginning of the path. */
  readonly path: string | null;
  readonly requestId: string | null;
  /** A payment, of which the first ten minutes are listed: the request that made it is among them. */
  readonly paymentId: string | null;
  /** Inclusive. */
  readonly endedFrom: Date | null;
  /** Exclusive. */
  readonly endedTo: Date | null;
}

/** A request in a list, without its bodies, with the name of its key; null where the key is gone. */
export type ListedApiRequest = Omit<ApiRequest, 'requestBody' | 'responseBody'> & { readonly keyName: string | null };

/** A request with its bodies. */
export type WholeApiRequest = ApiRequest & Pick<ListedApiRequest, 'keyName'>;

/** A page of requests, newest first. */
export interface ApiRequestPage {
  readonly items: readonly ListedApiRequest[];
  /** The id to go on after; null on the last page. */
  readonly next: string | null;
  /** How many of the newest requests of each merchant were looked through; null where all were. */
  readonly searched: number | null;
}

type ListContext = { readonly resources: Pick<MerchantsContext['resources'], 'database'> };

const LISTED = Prisma.sql`p.merchant_id AS "merchantId", p.mode::text AS mode, p.id, p.key_id AS "keyId", p.request_id AS "requestId",
  p.method, p.path, p.status, p.duration_ms AS "durationMs", p.ended_at AS "endedAt", p.payment_id AS "paymentId"`;

/** The most requests that a filter without an index looks through, of all merchants. */
const READ_MAX = 5_000;
const READ_OF_MERCHANT_MIN = 50;

/**
 * A page of requests with API keys, newest first. Each merchant's are read by its index and then merged. Methods, keys, paths and outcomes
 * other than refused have no index: of the requests that match the other filters the newest are looked through for them, no more.
 */
export async function listApiRequests(
  context: ListContext,
  { merchantIds, after, limit, ...filter }: ApiRequestFilter & { readonly after: string | null; readonly limit: number },
): Promise<ApiRequestPage> {
  const { prisma } = context.resources.database;
  const { found, read } = conditionsOf(filter);
  const isBounded = read.length > 0;
  const searched = isBounded ? Math.max(READ_OF_MERCHANT_MIN, Math.floor(READ_MAX / Math.max(1, merchantIds.length))) : null;
  const afterwards = after === null ? [] : [Prisma.sql`p.id < ${after}::uuid`];
  const source = isBounded
    ? Prisma.sql`(SELECT p.* FROM api_request AS p WHERE p.merchant_id = tenant.id AND ${and(found)} ORDER BY p.id DESC LIMIT ${searched})`
    : Prisma.sql`api_request`;
  const conditions = isBounded ? [...read, ...afterwards] : [...found, ...afterwards];
  const rows = await prisma.$queryRaw<Omit<ListedApiRequest, 'keyName'>[]>`
    SELECT part.* FROM tenant CROSS JOIN LATERAL (
      SELECT ${LISTED} FROM ${source} AS p WHERE p.merchant_id = tenant.id AND ${and(conditions)}
      ORDER BY p.id DESC LIMIT ${limit + 1}) AS part
    WHERE tenant.id = ANY (${[...merchantIds]}::uuid[]) ORDER BY part.id DESC LIMIT ${limit + 1}`;
  const items = rows.slice(0, limit);
  return { items: await withKeyNames(context, items), next: rows.length > limit ? (items.at(-1)?.id ?? null) : null, searched };
}

/** A request of these merchants with its bodies; null where none has the id. */
export async function findApiRequest(
  context: ListContext,
  { merchantIds, id }: { readonly merchantIds: readonly string[]; readonly id: string },
): Promise<WholeApiRequest | null> {
  const found = await context.resources.database.prisma.apiRequest.findFirst({
    where: { merchantId: { in: [...merchantIds] }, mode: { in: ['test', 'live'] }, id },
  });
  return found === null ? null : ((await withKeyNames(context, [found]))[0] ?? null);
}

const OUTCOME_CONDITIONS: Readonly<Record<RequestOutcome, Prisma.Sql>> = {
  succeeded: Prisma.sql`p.status < 400`,
  // As in the condition of the index, so that it serves both.
  refused: Prisma.sql`(p.status >= 400 AND p.status < 500)`,
  failed: Prisma.sql`(p.status >= 400 AND p.status >= 500)`,
  unanswered: Prisma.sql`p.status IS NULL`,
};
const OF_PAYMENT_MS = 600_000;

interface Conditions {
  /** Those that an index serves, or that leave few requests. */
  readonly found: readonly Prisma.Sql[];
  /** Those for which requests have to be read. */
  readonly read: readonly Prisma.Sql[];
}

function conditionsOf(filter: Omit<ApiRequestFilter, 'merchantIds'>): Conditions {
  const { mode, outcomes, methods, keyIds, path, requestId, paymentId, endedFrom, endedTo } = filter;
  const found = [Prisma.sql`p.mode = ${mode}::mode`, ...isEndedWithin(endedFrom?.getTime() ?? null, endedTo?.getTime() ?? null)];
  const read: Prisma.Sql[] = [];
  if (outcomes.length > 0) {
    const isAny = Prisma.join(
      outcomes.map((outcome) => OUTCOME_CONDITIONS[outcome]),
      ' OR ',
    );
    const areErrors = outcomes.every((outcome) => outcome === 'refused' || outcome === 'failed');
    if (areErrors) found.push(Prisma.sql`p.status >= 400`);
    // Most errors are refusals; failures alone may be few among them.
    (areErrors && outcomes.includes('refused') ? found : read).push(Prisma.sql`(${isAny})`);
  }
  if (methods.length > 0) read.push(Prisma.sql`p.method = ANY (${[...methods]}::text[])`);
  if (keyIds.length > 0) read.push(Prisma.sql`p.key_id = ANY (${[...keyIds]}::uuid[])`);
  if (path !== null) read.push(Prisma.sql`starts_with(p.path, ${path})`);
  if (requestId !== null) found.push(Prisma.sql`p.request_id = ${requestId}::uuid`);
  if (paymentId !== null) {
    const madeAt = timeOfId(paymentId);
    found.push(Prisma.sql`p.payment_id = ${paymentId}::uuid`, ...isEndedWithin(madeAt, madeAt + OF_PAYMENT_MS));
  }
  return requestId === null && paymentId === null ? { found, read } : { found: [...found, ...read], read: [] };
}

function and(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.join([...conditions], ' AND ');
}

function isEndedWithin(fromMs: number | null, toMs: number | null): Prisma.Sql[] {
  return [
    ...(fromMs === null ? [] : [Prisma.sql`p.id >= ${firstIdAt(fromMs)}::uuid`]),
    ...(toMs === null ? [] : [Prisma.sql`p.id < ${firstIdAt(toMs)}::uuid`]),
  ];
}

async function withKeyNames<Row extends { readonly merchantId: string; readonly keyId: string }>(
  { resources }: ListContext,
  rows: readonly Row[],
): Promise<(Row & Pick<ListedApiRequest, 'keyName'>)[]> {
  const unique = (values: readonly string[]) => [...new Set(values)];
  const merchantIds = unique(rows.map(({ merchantId }) => merchantId));
  const keyIds = unique(rows.map(({ keyId }) => keyId));
  const names = await readApiKeyNames(resources.database, merchantIds, keyIds);
  return rows.map((row) => ({ ...row, keyName: names.get(row.keyId) ?? null }));
}
