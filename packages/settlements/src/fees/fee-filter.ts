import { type Mode, Prisma } from '@switchyard/db/client';
import { compares, isOneOf, type TenantList } from '@switchyard/db/lists';
import { SETTLEMENT_ZONE } from '../calendar.ts';

/** Which audited fees. Empty lists and null match any. */
export interface FeeFilter {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly accountIds: readonly string[];
  /** The date that `from` and `to` are of; by settled day, payments that are not settled are in no period. */
  readonly date: 'created' | 'paid' | 'settled';
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string | null;
  readonly to: string | null;
  readonly settlementId: string | null;
  readonly overchargedOnly: boolean;
}

const DAYS = {
  created: `(p.created_at AT TIME ZONE '${SETTLEMENT_ZONE}')::date`,
  paid: `(p.paid_at AT TIME ZONE '${SETTLEMENT_ZONE}')::date`,
  settled: 'p.settled_on',
} as const;

/** The day of `payment_fee AS p` by which it is reported. */
export function feeDay({ date }: Pick<FeeFilter, 'date'>): Prisma.Sql {
  return Prisma.raw(DAYS[date]);
}

/** The conditions of a filter on `payment_fee AS p`. */
export function feeConditions(filter: FeeFilter): Prisma.Sql[] {
  return [Prisma.sql`p.merchant_id = ANY (${filter.merchantIds}::uuid[])`, ...otherConditions(filter)];
}

function otherConditions({ mode, accountIds, date, from, to, settlementId, overchargedOnly }: FeeFilter): Prisma.Sql[] {
  return [
    Prisma.sql`p.mode = ${mode}::mode`,
    ...isOneOf('p.account_id', accountIds, 'uuid'),
    ...within(date, from, to),
    ...compares('p.settlement_id =', settlementId, 'uuid'),
    ...(overchargedOnly ? [Prisma.sql`p.excess > 0`] : []),
  ];
}

function within(date: FeeFilter['date'], from: string | null, to: string | null): Prisma.Sql[] {
  if (date === 'settled') return [...compares('p.settled_on >=', from, 'date'), ...compares('p.settled_on <=', to, 'date')];
  const column = Prisma.raw(date === 'created' ? 'p.created_at' : 'p.paid_at');
  const since = from === null ? [] : [Prisma.sql`${column} >= ${from}::date::timestamp AT TIME ZONE ${SETTLEMENT_ZONE}`];
  const until = to === null ? [] : [Prisma.sql`${column} < (${to}::date + 1)::timestamp AT TIME ZONE ${SETTLEMENT_ZONE}`];
  return [...since, ...until];
}

/** The list of a filter's fees, for a file. */
export function feeList(filter: FeeFilter): TenantList {
  return {
    table: '(SELECT *, payment_id AS id FROM payment_fee)',
    merchantIds: filter.merchantIds,
    conditions: otherConditions(filter),
    by: 'merchant',
  };
}
