import { type Database, isUuid } from '@switchyard/db';
import { type Mode, type PaymentStatus, Prisma } from '@switchyard/db/client';
import { type CreatedWithin, compares, isCreatedWithin, isOneOf, type TenantList } from '@switchyard/db/lists';

/** Which payments of a list. Empty lists and null match any. */
export interface PaymentFilter extends CreatedWithin {
  /** Those the caller may see. */
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly statuses: readonly PaymentStatus[];
  /** Gateways of the session the customer has; `` for payments that none could take. */
  readonly gateways: readonly string[];
  /** Accounts that were paid, else whose checkout the customer had. */
  readonly accountIds: readonly string[];
  /** The method that was used, else the requested one; `` for neither. */
  readonly methods: readonly string[];
  /** Rules that routed them; `` for none. */
  readonly ruleIds: readonly string[];
  /** Whole main units, both inclusive. */
  readonly amountFrom: bigint | null;
  readonly amountTo: bigint | null;
  /** Paid after they had been marked FAILED. */
  readonly late: boolean | null;
  readonly underReview: boolean | null;
  /** The gateway that was paid, else the one that opened the checkout the customer had; `` for neither. */
  readonly openedAt: string | null;
  /** The customer's e-mail address, in any case, or the merchant's id of the customer. */
  readonly customer: string | null;
  /** A payment's id, the beginning of an order id, an attempt's reference, or a customer's e-mail address in any case. */
  readonly search: string | null;
}

/** The filter of any payment, without merchants and mode. */
export const ANY_PAYMENT: Omit<PaymentFilter, 'merchantIds' | 'mode'> = {
  statuses: [],
  gateways: [],
  accountIds: [],
  methods: [],
  ruleIds: [],
  amountFrom: null,
  amountTo: null,
  createdFrom: null,
  createdTo: null,
  late: null,
  underReview: null,
  openedAt: null,
  customer: null,
  search: null,
};

/** The list of a filter's payments. A search is looked up first. `isAllMerchants` when the filter names every merchant there is. */
export async function paymentList(database: Database, filter: PaymentFilter, isAllMerchants = false): Promise<TenantList> {
  const conditions = await paymentConditions(database, filter);
  return { table: 'payment', merchantIds: filter.merchantIds, conditions, by: isAllMerchants ? 'time' : 'merchant' };
}

async function paymentConditions(database: Database, filter: PaymentFilter): Promise<Prisma.Sql[]> {
  const { mode, ruleIds, openedAt, late, underReview, customer } = filter;
  const search = filter.search?.trim() || null;
  return [
    Prisma.sql`p.mode = ${mode}::mode`,
    ...isCreatedWithin(filter),
    ...isOneOf('p.status', filter.statuses, 'payment_status'),
    ...isOneOf('p.recommended_gateway', filter.gateways, 'text'),
    ...isOneOf('p.account_id', filter.accountIds, 'uuid'),
    ...isOneOf(`COALESCE(p.paid_method, p.payment_method, '')`, filter.methods, 'text'),
    ...isOneOf(ruleIds.includes('') ? `COALESCE(p.rule_id, '')` : 'p.rule_id', ruleIds, 'text'),
    ...compares('p.amount >=', filter.amountFrom, 'int8'),
    ...compares('p.amount <=', filter.amountTo, 'int8'),
    ...compares('p.late =', late, 'boolean'),
    ...(underReview === null ? [] : [underReview ? Prisma.sql`p.review = 'OPEN'` : Prisma.sql`p.review IS DISTINCT FROM 'OPEN'`]),
    ...compares(`COALESCE(p.account_gateway, '') =`, openedAt, 'text'),
    ...(customer === null ? [] : [isOf(customer)]),
    ...(search === null ? [] : [Prisma.sql`p.id = ANY (${await searchPayments(database, filter, search)}::uuid[])`]),
  ];
}

function isOf(customer: string): Prisma.Sql {
  return customer.includes('@')
    ? Prisma.sql`lower(p.customer_email) = lower(${customer})`
    : Prisma.sql`p.customer_id = ${customer}`;
}

const FOUND_MAX = 200;

/**
 * The ids of the payments that a search finds: at most 200, the newest of a customer's, each by an index. Within the statement of the
 * list, the planner would take them for more than they are.
 */
async function searchPayments(
  database: Database,
  { merchantIds, mode }: Pick<PaymentFilter, 'merchantIds' | 'mode'>,
  search: string,
): Promise<string[]> {
  if (isUuid(search)) return [search];
  const rows = await database.prisma.$queryRaw<{ id: string }[]>`
    (SELECT id FROM payment
      WHERE merchant_id = ANY (${merchantIds}::uuid[]) AND mode = ${mode}::mode
        AND merchant_order_id >= ${search} AND merchant_order_id < ${search} || chr(1114111) LIMIT ${FOUND_MAX})
    UNION
    (SELECT attempt.payment_id FROM gateway_account AS account
      JOIN attempt ON attempt.merchant_id = account.merchant_id AND attempt.account_id = account.id AND attempt.reference = ${search}
      WHERE account.merchant_id = ANY (${merchantIds}::uuid[]) AND account.mode = ${mode}::mode LIMIT ${FOUND_MAX})
    UNION
    (SELECT own.id FROM unnest(${search.includes('@') ? merchantIds : []}::uuid[]) AS tenant (id) CROSS JOIN LATERAL (
      SELECT id FROM payment WHERE merchant_id = tenant.id AND mode = ${mode}::mode AND lower(customer_email) = lower(${search})
      ORDER BY created_at DESC, id DESC LIMIT ${FOUND_MAX}) AS own)
    LIMIT ${FOUND_MAX}`;
  return rows.map((row) => row.id);
}
