import { createHash } from 'node:crypto';
import type { Mode, Payment, PaymentStatus } from '@switchyard/db/client';
import type pg from 'pg';

/** The filter of a payment list. Empty lists match all. */
export interface PaymentKeysFilter {
  readonly merchantIds: readonly string[];
  /** Whether these are all merchants: the page is the same, and found by time alone. Left out for not. */
  readonly everyMerchant?: boolean;
  readonly mode: Mode;
  readonly statuses: readonly PaymentStatus[];
  readonly gateways: readonly string[];
  /** Accounts that were paid, or whose checkout the customer was given. */
  readonly accountIds: readonly string[];
  /** The method that was used, else the requested one; empty text for neither. */
  readonly methods: readonly string[];
  /** Empty text for no rule. */
  readonly ruleIds: readonly string[];
  readonly amountFrom: bigint | null;
  readonly amountTo: bigint | null;
  /** Inclusive. */
  readonly createdFrom: Date | null;
  /** Exclusive. */
  readonly createdTo: Date | null;
  readonly late: boolean | null;
  readonly underReview: boolean | null;
  /** The gateway that was paid, else the one that opened the checkout the customer had; empty for neither, null or left out for any. */
  readonly openedAt?: string | null;
  /** Only these; null or left out for any. */
  readonly paymentIds?: readonly string[] | null;
  /** The customer's e-mail address, or the merchant's own id of the customer; null or left out for any. */
  readonly customer?: string | null;
}

/** The position of a payment in lists by time. */
export interface PaymentKey {
  readonly merchantId: string;
  readonly id: string;
  readonly createdAt: Date;
}

export interface PaymentKeysPage {
  /** Only those after this one in the requested order. */
  readonly after: Omit<PaymentKey, 'merchantId'> | null;
  /** Only those before this one in the requested order. */
  readonly before: Omit<PaymentKey, 'merchantId'> | null;
  readonly newestFirst: boolean;
  readonly limit: number;
}

/** Adds a value to the statement; returns its placeholder. */
export type Bind = (value: unknown) => string;

/** Rows read of every merchant at first, where there are many. */
const FIRST = 4;
/** Up to this many merchants, each is read in full. */
const FEW = 8;
/** Payments scanned per merchant for a filtered page before a planned query is used. */
const NEARBY = 2_000;

/** The listed fields of a payment, by the names of the model. */
export const LISTED_PAYMENT = {
  merchantId: true,
  id: true,
  mode: true,
  createdAt: true,
  updatedAt: true,
  merchantOrderId: true,
  status: true,
  amount: true,
  currency: true,
  paymentMethod: true,
  paidMethod: true,
  recommendedGateway: true,
} as const;

type ListedPayment = Pick<Payment, keyof typeof LISTED_PAYMENT>;
/** A payment as read from the database: one text for the whole page takes a fraction of the time of separate rows. */
const LISTED = `p.merchant_id, p.id, p.mode, p.created_at, p.updated_at, p.merchant_order_id, p.status, p.amount::text, p.currency,
  p.payment_method, p.paid_method, p.recommended_gateway`;
type ListedCells = readonly [
  ...[merchantId: string, id: string, mode: Mode, createdAt: string, updatedAt: string, merchantOrderId: string],
  ...[status: PaymentStatus, amount: string, currency: string, paymentMethod: string | null],
  ...[paidMethod: string | null, recommendedGateway: string],
];

/**
 * The first `limit` payments of a filter on one side of a cursor, in order. The cost of a page does not depend on the number of
 * payments: those of all merchants are read from an index by time; otherwise each merchant's part is read from the index that leads
 * with the merchant, and the parts are merged. Of many merchants only the first few payments are read, then more of those merchants
 * that may have more on the page. A filtered page is searched nearby first, and only rare matches among all payments.
 */
export async function readListedPayments(
  client: Pick<pg.ClientBase, 'query'>,
  filter: PaymentKeysFilter,
  place: PaymentKeysPage,
): Promise<ListedPayment[]> {
  const way = filter.merchantIds.length <= FEW ? 'in_full' : filter.everyMerchant === true ? 'by_time' : 'as_needed';
  const isNarrow = narrowing(filter, () => '').length > 0;
  if (isNarrow && way !== 'as_needed') {
    const nearby = await readPage(client, filter, place, { way, among: 'nearby' });
    if (nearby.length >= place.limit) return nearby;
  }
  return readPage(client, filter, place, { way, among: isNarrow ? 'all' : 'every_one' });
}

interface Reading {
  readonly way: 'in_full' | 'by_time' | 'as_needed';
  /** Whether every scanned payment matches; else the search range: all payments, or the next few thousand. */
  readonly among: 'every_one' | 'all' | 'nearby';
}

async function readPage(
  client: Pick<pg.ClientBase, 'query'>,
  filter: PaymentKeysFilter,
  { after, before, newestFirst, limit }: PaymentKeysPage,
  { way, among }: Reading,
): Promise<ListedPayment[]> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const [onward, back] = newestFirst ? ['<', '>'] : ['>', '<'];
  const place = (key: Omit<PaymentKey, 'merchantId'>) => `(${bind(key.createdAt)}::timestamptz, ${bind(key.id)}::uuid)`;
  const stretch = [
    ...withinTime(filter, bind),
    ...(after === null ? [] : [`(p.created_at, p.id) ${onward} ${place(after)}`]),
    ...(before === null ? [] : [`(p.created_at, p.id) ${back} ${place(before)}`]),
  ];
  const direction = newestFirst ? 'DESC' : 'ASC';
  // Without a filter the page is read at once; otherwise its keys are selected first, mostly by an index.
  const atOnce = among === 'every_one' && way !== 'as_needed';
  const parts: Parts = {
    columns: atOnce ? 'p.*' : 'p.merchant_id, p.id, p.created_at',
    merchants: bind(uuidList(filter.merchantIds)),
    stretch: stretch.join(' AND '),
    narrow: narrowing(filter, bind).join(' AND '),
    nearby: among === 'nearby',
    // A constant that the planner knows in advance, so that one cached plan is as good as one per page.
    limit: Math.trunc(limit),
    direction,
    back,
  };
  const order = (of: string) => `${of}.created_at ${direction}, ${of}.id ${direction}`;
  const found = { in_full: partsInFull, by_time: byTime, as_needed: () => 'keys' }[way](parts);
  const page = `(SELECT * FROM ${found} ORDER BY ${order('keys')} LIMIT ${parts.limit})`;
  const text = `${way === 'as_needed' ? partsAsNeeded(parts) : ''}
    SELECT COALESCE(json_agg(json_build_array(${LISTED}) ORDER BY ${order('p')}), '[]') AS page
    FROM ${atOnce ? `${page} AS p` : `${page} AS key JOIN payment AS p ON p.merchant_id = key.merchant_id AND p.id = key.id`}`;
  // Planning takes as long as reading. A search among all payments is planned each time, because rare matches need another plan.
  const name = among === 'all' ? {} : { name: `list ${createHash('sha1').update(text).digest('base64')}` };
  const { rows } = await client.query<{ readonly page: readonly ListedCells[] }>({ ...name, text, values });
  return rows[0]?.page.map(toListed) ?? [];
}

const uuidLists = new WeakMap<readonly string[], string>();

/** Ids as a PostgreSQL array literal, cached per list: each page of many merchants uses the same one. */
function uuidList(ids: readonly string[]): string {
  const before = uuidLists.get(ids);
  if (before !== undefined) return before;
  const list = `{${ids.map((id) => `"${id.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
  uuidLists.set(ids, list);
  return list;
}

function toListed(cells: ListedCells): ListedPayment {
  const [merchantId, id, mode, createdAt, updatedAt, merchantOrderId, ...rest] = cells;
  const [status, amount, currency, paymentMethod, paidMethod, recommendedGateway] = rest;
  return {
    merchantId,
    id,
    mode,
    merchantOrderId,
    status,
    currency,
    paymentMethod,
    paidMethod,
    recommendedGateway,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    amount: BigInt(amount),
  };
}

interface Parts {
  /** The columns read of each payment, over `p`. */
  readonly columns: string;
  readonly merchants: string;
  /** The scanned part of the list. */
  readonly stretch: string;
  /** The filter of scanned rows; empty for all. */
  readonly narrow: string;
  /** Whether only the next few thousand rows are searched. */
  readonly nearby: boolean;
  readonly limit: number;
  readonly direction: string;
  /** The comparison of a payment with a later one in the order. */
  readonly back: string;
}

/** The first payments in a range of those selected by `whose`. */
function firstOf({ columns, stretch, narrow, nearby, limit, direction }: Parts, whose: string): string {
  const cut = (most: number) => `ORDER BY p.created_at ${direction}, p.id ${direction} LIMIT ${most}`;
  if (!nearby) {
    const where = [whose, stretch, ...(narrow === '' ? [] : [narrow])].join(' AND ');
    return `SELECT ${columns} FROM payment AS p WHERE ${where} ${cut(limit)}`;
  }
  const next = `SELECT p.* FROM payment AS p WHERE ${whose} AND ${stretch} ${cut(NEARBY)}`;
  return `SELECT ${columns} FROM (${next}) AS p WHERE ${narrow} ${cut(limit)}`;
}

function byTime(parts: Parts): string {
  // Read from an array that the planner does not inspect: estimating every merchant of it takes longer than the page.
  return `(${firstOf(parts, `p.merchant_id = ANY (ARRAY(SELECT unnest(${parts.merchants}::uuid[])))`)}) AS keys`;
}

function partsInFull(parts: Parts): string {
  return `(SELECT part.* FROM unnest(${parts.merchants}::uuid[]) AS tenant (tenant_id)
      CROSS JOIN LATERAL (${firstOf(parts, 'p.merchant_id = tenant_id')}) AS part) AS keys`;
}

/**
 * Rows after the last of the first payments are on no page that these fill: `edge` is the latest possible end of such a page.
 * Merchants whose rows all lie before it are read again, up to the edge.
 */
function partsAsNeeded({ merchants, stretch, narrow, limit, direction, back }: Parts): string {
  const where = [stretch, ...(narrow === '' ? [] : [narrow])].join(' AND ');
  const order = `created_at ${direction}, id ${direction}`;
  const beyondAll = direction === 'DESC' ? '-infinity' : 'infinity';
  const edge = `(COALESCE((SELECT created_at FROM edge), '${beyondAll}'), COALESCE((SELECT id FROM edge), '00000000-0000-0000-0000-000000000000'::uuid))`;
  return `WITH first AS MATERIALIZED (
      SELECT part.* FROM unnest(${merchants}::uuid[]) AS tenant (tenant_id) CROSS JOIN LATERAL (
        SELECT p.merchant_id, p.id, p.created_at FROM payment AS p WHERE p.merchant_id = tenant_id AND ${where}
        ORDER BY p.created_at ${direction}, p.id ${direction} LIMIT ${FIRST}) AS part),
    edge AS MATERIALIZED (SELECT created_at, id FROM first ORDER BY ${order} OFFSET ${limit - 1} LIMIT 1),
    full_ones AS MATERIALIZED (SELECT merchant_id FROM first WHERE (created_at, id) ${back} ${edge}
      GROUP BY merchant_id HAVING count(*) = ${FIRST}),
    keys AS (
      SELECT merchant_id, id, created_at FROM first WHERE merchant_id NOT IN (SELECT merchant_id FROM full_ones)
      UNION ALL
      SELECT part.* FROM full_ones AS f CROSS JOIN LATERAL (
        SELECT p.merchant_id, p.id, p.created_at FROM payment AS p
        WHERE p.merchant_id = f.merchant_id AND ${where} AND (p.created_at, p.id) ${back}= ${edge}
        ORDER BY p.created_at ${direction}, p.id ${direction} LIMIT ${limit}) AS part)`;
}

/** The conditions of a filter, merchants aside, over `p`. */
export function conditions(filter: PaymentKeysFilter, bind: Bind): string[] {
  return [...withinTime(filter, bind), ...narrowing(filter, bind)];
}

function withinTime({ mode, createdFrom, createdTo }: PaymentKeysFilter, bind: Bind): string[] {
  return [
    `p.mode = ${bind(mode)}::mode`,
    ...bound('p.created_at >=', createdFrom, 'timestamptz', bind),
    ...bound('p.created_at <', createdTo, 'timestamptz', bind),
  ];
}

function bound(sql: string, value: bigint | Date | null, type: string, bind: Bind): string[] {
  return value === null ? [] : [`${sql} ${bind(value)}::${type}`];
}

function narrowing(filter: PaymentKeysFilter, bind: Bind): string[] {
  const some = (sql: string, chosen: readonly string[], type: string) =>
    chosen.length === 0 ? [] : [`${sql} = ANY (${bind(chosen)}::${type}[])`];
  const openedAt = filter.openedAt ?? null;
  return [
    ...some('p.status', filter.statuses, 'payment_status'),
    ...some('p.recommended_gateway', filter.gateways, 'text'),
    ...some('p.account_id', filter.accountIds, 'uuid'),
    ...some(`COALESCE(p.paid_method, p.payment_method, '')`, filter.methods, 'text'),
    ...some(filter.ruleIds.includes('') ? `COALESCE(p.rule_id, '')` : 'p.rule_id', filter.ruleIds, 'text'),
    ...(openedAt === null ? [] : some(`COALESCE(p.account_gateway, '')`, [openedAt], 'text')),
    ...bound('p.amount >=', filter.amountFrom, 'int8', bind),
    ...bound('p.amount <=', filter.amountTo, 'int8', bind),
    ...(filter.late === null ? [] : [`p.late = ${bind(filter.late)}`]),
    ...(filter.underReview === null ? [] : [filter.underReview ? `p.review = 'OPEN'` : `p.review IS DISTINCT FROM 'OPEN'`]),
    ...(filter.paymentIds ? [`p.id = ANY (${bind(filter.paymentIds)}::uuid[])`] : []),
    ...customerIs(filter.customer ?? null, bind),
  ];
}

function customerIs(customer: string | null, bind: Bind): string[] {
  if (customer === null) return [];
  return [customer.includes('@') ? `lower(p.customer_email) = lower(${bind(customer)})` : `p.customer_id = ${bind(customer)}`];
}
