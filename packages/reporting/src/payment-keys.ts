import { createHash } from 'node:crypto';
import type { Mode, Payment, PaymentStatus } from '@switchyard/db/client';
import type pg from 'pg';

/** What payments a report lists. Empty lists mean any. */
export interface PaymentKeysFilter {
  readonly merchantIds: readonly string[];
  /** Whether these are all merchants there are: the page is the same, and found by time alone. Left out for not. */
  readonly everyMerchant?: boolean;
  readonly mode: Mode;
  readonly statuses: readonly PaymentStatus[];
  readonly gateways: readonly string[];
  /** Accounts that were paid, or whose checkout the customer was given. */
  readonly accountIds: readonly string[];
  /** The method that was used, else the one asked for; empty text for neither. */
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

/** Where a payment stands in lists by time. */
export interface PaymentKey {
  readonly merchantId: string;
  readonly id: string;
  readonly createdAt: Date;
}

export interface PaymentKeysPage {
  /** Only those that come after this one in the order asked for. */
  readonly after: Omit<PaymentKey, 'merchantId'> | null;
  /** Only those that come before this one in the order asked for. */
  readonly before: Omit<PaymentKey, 'merchantId'> | null;
  readonly newestFirst: boolean;
  readonly limit: number;
}

/** Takes a value of a statement; returns what stands for it in the text. */
export type Bind = (value: unknown) => string;

/** What is read of every merchant at first, where there are many. */
const FIRST = 4;
/** So many merchants are read in full each. */
const FEW = 8;
/** So many payments are gone through, of each merchant, to find a page of those that are wanted without planning. */
const NEARBY = 2_000;

/** What lists show of a payment, by the names of the model. */
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
/** A payment on its way from the database: one text for the whole page is read in a fraction of the time that its rows would take. */
const LISTED = `p.merchant_id, p.id, p.mode, p.created_at, p.updated_at, p.merchant_order_id, p.status, p.amount::text, p.currency,
  p.payment_method, p.paid_method, p.recommended_gateway`;
type ListedCells = readonly [
  ...[merchantId: string, id: string, mode: Mode, createdAt: string, updatedAt: string, merchantOrderId: string],
  ...[status: PaymentStatus, amount: string, currency: string, paymentMethod: string | null],
  ...[paidMethod: string | null, recommendedGateway: string],
];

/**
 * The first `limit` payments of a filter on one side of a place, in their order. A page costs the same however many payments there
 * are: those of every merchant are read from an index by time; else each merchant's part is read from the index that leads with the
 * merchant, and the parts are merged. Of many merchants only the first few payments are read, and more of those merchants alone that
 * may have more on the page. What is narrowed down is looked for nearby first, and only what is rare among all.
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
  /** Whether every payment that is met is shown; else where it is looked for: among all, or the next few thousand. */
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
  // Where every payment that is met is shown it is read at once; else the page is cut first, of which most is known by an index.
  const atOnce = among === 'every_one' && way !== 'as_needed';
  const parts: Parts = {
    columns: atOnce ? 'p.*' : 'p.merchant_id, p.id, p.created_at',
    merchants: bind(uuidList(filter.merchantIds)),
    stretch: stretch.join(' AND '),
    narrow: narrowing(filter, bind).join(' AND '),
    nearby: among === 'nearby',
    // A number that the planner knows beforehand: the plan is then as good as one made for each page, and kept.
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
  // Planning takes as long as reading. What is looked for among all is planned anew, because what is rare is found another way.
  const name = among === 'all' ? {} : { name: `list ${createHash('sha1').update(text).digest('base64')}` };
  const { rows } = await client.query<{ readonly page: readonly ListedCells[] }>({ ...name, text, values });
  return rows[0]?.page.map(toListed) ?? [];
}

const uuidLists = new WeakMap<readonly string[], string>();

/** Ids as PostgreSQL writes a list of them: made once for a list, of which each page of many merchants names the same again. */
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
  /** What is read of each payment, over `p`. */
  readonly columns: string;
  readonly merchants: string;
  /** What of the list is gone through. */
  readonly stretch: string;
  /** What of that is wanted; empty for all. */
  readonly narrow: string;
  /** Whether it is wanted only if it is among the next few thousand. */
  readonly nearby: boolean;
  readonly limit: number;
  readonly direction: string;
  /** What a payment is to one after it in the order. */
  readonly back: string;
}

/** The first payments of a stretch of those that `whose` says. */
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
  // Read from a list that the planner does not see: weighing every merchant of it takes longer than the page.
  return `(${firstOf(parts, `p.merchant_id = ANY (ARRAY(SELECT unnest(${parts.merchants}::uuid[])))`)}) AS keys`;
}

function partsInFull(parts: Parts): string {
  return `(SELECT part.* FROM unnest(${parts.merchants}::uuid[]) AS tenant (tenant_id)
      CROSS JOIN LATERAL (${firstOf(parts, 'p.merchant_id = tenant_id')}) AS part) AS keys`;
}

/**
 * What comes after the last of the first payments is on no page that these fill: `edge` is where such a page ends at the latest.
 * Merchants of whom all that was read lies before it are read again, as far as the edge.
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

/** What holds of a filter's payments, merchants aside, over `p`. */
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
