import { type DiscrepancyKind, type DiscrepancyState, type Mode, Prisma } from '@switchyard/db/client';
import { type CreatedWithin, compares, isCreatedWithin, isOneOf, type TenantList } from '@switchyard/db/lists';

/** Which discrepancies of a list. Empty lists and null match any. */
export interface DiscrepancyFilter extends CreatedWithin {
  /** Those the caller may see. */
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly states: readonly DiscrepancyState[];
  readonly kinds: readonly DiscrepancyKind[];
  /** Accounts whose day was reconciled. */
  readonly accountIds: readonly string[];
  /** The staff user it is assigned to. */
  readonly ownerId: string | null;
  /** True if it has no owner. */
  readonly unowned: boolean | null;
  /** Bounds of the amount in question, in main units, both inclusive. */
  readonly amountFrom: bigint | null;
  readonly amountTo: bigint | null;
  /** True if staff may accept it under the merchant's tolerance. */
  readonly withinTolerance: boolean | null;
  /** First and last reconciled day, `YYYY-MM-DD`. */
  readonly dayFrom: string | null;
  readonly dayTo: string | null;
}

/** The filter of any discrepancy, without merchants and mode. */
export const ANY_DISCREPANCY: Omit<DiscrepancyFilter, 'merchantIds' | 'mode'> = {
  createdFrom: null,
  createdTo: null,
  states: [],
  kinds: [],
  accountIds: [],
  ownerId: null,
  unowned: null,
  amountFrom: null,
  amountTo: null,
  withinTolerance: null,
  dayFrom: null,
  dayTo: null,
};

const amountOf = (side: 'ledger' | 'statement') => `(substring(p.${side}->>'amount' FROM '^-?[0-9]+(?:\\.[0-9]+)?$')::numeric)`;

/**
 * The amount in question of `reconciliation_discrepancy AS p`, in main units: the difference where only the amounts differ, else the
 * whole amount of the statement, or of the ledger where the statement has none.
 */
const AMOUNT = `coalesce(CASE WHEN p.kind = 'AMOUNT' THEN abs(${amountOf('statement')} - ${amountOf('ledger')}) END,
  ${amountOf('statement')}, ${amountOf('ledger')}, 0)`;
export const DISCREPANCY_AMOUNT = Prisma.raw(AMOUNT);

/** Only a different amount can be within a tolerance; what is missing or has another status is not a matter of size. */
const WITHIN_TOLERANCE = `(p.kind = 'AMOUNT' AND ${AMOUNT} <= coalesce((SELECT s.tolerance FROM reconciliation_setting AS s
  WHERE s.merchant_id = p.merchant_id), 0))`;

/** The list of a filter's discrepancies. */
export function discrepancyList(filter: DiscrepancyFilter): TenantList {
  return {
    table: 'reconciliation_discrepancy',
    merchantIds: filter.merchantIds,
    conditions: discrepancyConditions(filter),
    by: 'merchant',
  };
}

/** The conditions of a filter on `reconciliation_discrepancy AS p`, besides the merchants. */
export function discrepancyConditions(filter: DiscrepancyFilter): Prisma.Sql[] {
  return [
    Prisma.sql`p.mode = ${filter.mode}::mode`,
    ...isCreatedWithin(filter),
    ...isOneOf('p.state', filter.states, 'discrepancy_state'),
    ...isOneOf('p.kind', filter.kinds, 'discrepancy_kind'),
    ...isOneOf('p.account_id', filter.accountIds, 'uuid'),
    ...compares('p.owner_id =', filter.ownerId, 'uuid'),
    ...compares('(p.owner_id IS NULL) =', filter.unowned, 'boolean'),
    ...compares(`${AMOUNT} >=`, filter.amountFrom, 'numeric'),
    ...compares(`${AMOUNT} <=`, filter.amountTo, 'numeric'),
    ...compares(`${WITHIN_TOLERANCE} =`, filter.withinTolerance, 'boolean'),
    ...compares('p.day >=', filter.dayFrom, 'date'),
    ...compares('p.day <=', filter.dayTo, 'date'),
  ];
}
