import { type DuplicateChargeState, type Mode, Prisma } from '@switchyard/db/client';
import { type CreatedWithin, compares, isCreatedWithin, isOneOf } from '@switchyard/db/lists';

/** Which duplicate charges of a list. Empty lists and null match any. */
export interface DuplicateChargeFilter extends CreatedWithin {
  /** Those the caller may see. */
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly states: readonly DuplicateChargeState[];
  readonly gateways: readonly string[];
  readonly paymentId: string | null;
}

/** The conditions of a filter on `duplicate_charge AS p`, besides the merchants. */
export function duplicateChargeConditions(filter: DuplicateChargeFilter): Prisma.Sql[] {
  return [
    Prisma.sql`p.mode = ${filter.mode}::mode`,
    ...isCreatedWithin(filter),
    ...isOneOf('p.state', filter.states, 'duplicate_charge_state'),
    ...isOneOf('p.gateway', filter.gateways, 'text'),
    ...compares('p.payment_id =', filter.paymentId, 'uuid'),
  ];
}
