import type { Reports } from '@switchyard/db';
import { type DisputeState, type Mode, Prisma } from '@switchyard/db/client';
import { type CreatedWithin, compares, isCreatedWithin, isOneOf, type TenantList } from '@switchyard/db/lists';

/** Which disputes a list by time has. Empty lists and null match any. */
export interface DisputeFilter extends CreatedWithin {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly states: readonly DisputeState[];
  readonly gateways: readonly string[];
  readonly paymentId: string | null;
}

/** The list of a filter's disputes, by when they became known. */
export function disputeList(filter: DisputeFilter): TenantList {
  return {
    table: 'dispute',
    merchantIds: filter.merchantIds,
    conditions: [
      Prisma.sql`p.mode = ${filter.mode}::mode`,
      ...isCreatedWithin(filter),
      ...isOneOf('p.state', filter.states, 'dispute_state'),
      ...isOneOf('p.gateway', filter.gateways, 'text'),
      ...compares('p.payment_id =', filter.paymentId, 'uuid'),
    ],
    by: 'merchant',
  };
}

/** Disputes of one state and currency together. Amounts are exact decimals of the main unit. */
export interface DisputeSum {
  readonly state: DisputeState;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
  /** What they took back of their payments. */
  readonly takenBack: string;
  /** Sum of the fees that are known. */
  readonly fees: string;
}

/** The disputes of a filter, counted and added up by state and currency. */
export async function sumDisputes(
  reports: Pick<Reports, 'read'>,
  filter: DisputeFilter,
  signal: AbortSignal,
): Promise<DisputeSum[]> {
  const { merchantIds, conditions } = disputeList(filter);
  const { text, values } = Prisma.sql`
    SELECT p.state::text AS state, p.currency::text AS currency, count(*)::int AS count, trim_scale(sum(p.amount))::text AS amount,
      trim_scale(sum(p.taken_back))::text AS "takenBack", trim_scale(coalesce(sum(p.fee), 0))::text AS fees
    FROM dispute AS p WHERE p.merchant_id = ANY (${merchantIds}::uuid[]) AND ${Prisma.join([...conditions], ' AND ')}
    GROUP BY p.state, p.currency ORDER BY p.state, p.currency`;
  const { rows } = await reports.read((client) => client.query<DisputeSum>({ text, values }), { signal });
  return rows;
}
