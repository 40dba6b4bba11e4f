import { type DuplicateChargeState, type Mode, Prisma } from '@switchyard/db/client';
import { type CreatedWithin, compares, isCreatedWithin, isOneOf, type TenantList } from '@switchyard/db/lists';

/** Which duplicate charges of a list. Empty lists and null match any. */
export interface DuplicateChargeFilter extends CreatedWithin {
  /** Those the caller may see. */
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly states: readonly DuplicateChargeState[];
  readonly gateways: readonly string[];
  readonly paymentId: string | null;
}

/** The list of a filter's duplicate charges. */
export function duplicateChargeList(filter: DuplicateChargeFilter): TenantList {
  return {
    table: 'duplicate_charge',
    merchantIds: filter.merchantIds,
    conditions: duplicateChargeConditions(filter),
    by: 'merchant',
  };
}

function duplicateChargeConditions(filter: DuplicateChargeFilter): Prisma.Sql[] {
  return [
    Prisma.sql`p.mode = ${filter.mode}::mode`,
    ...isCreatedWithin(filter),
    ...isOneOf('p.state', filter.states, 'duplicate_charge_state'),
    ...isOneOf('p.gateway', filter.gateways, 'text'),
    ...compares('p.payment_id =', filter.paymentId, 'uuid'),
  ];
}
