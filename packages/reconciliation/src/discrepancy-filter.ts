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
  dayFrom: null,
  dayTo: null,
};

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
    ...compares('p.day >=', filter.dayFrom, 'date'),
    ...compares('p.day <=', filter.dayTo, 'date'),
  ];
}
