import { type DuplicateChargeState, type Mode, Prisma, type RefundState } from '@switchyard/db/client';
import { type CreatedWithin, compares, isCreatedWithin, isOneOf, type TenantList } from '@switchyard/db/lists';

/** Which refunds of a list. Empty lists and null match any. */
export interface RefundFilter extends CreatedWithin {
  /** Those the caller may see. */
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly states: readonly RefundState[];
  readonly gateways: readonly string[];
  readonly paymentId: string | null;
}

/** That a refund on `refund AS p` failed, returns the payment's own money, and is not resolved: the condition of a partial index. */
export const IS_UNRESOLVED = Prisma.sql`p.state = 'FAILED' AND NOT p.duplicate AND NOT p.mismatched AND p.resolved_at IS NULL`;

/** The list of a filter's refunds. */
export function refundList(filter: RefundFilter): TenantList {
  return { table: 'refund', merchantIds: filter.merchantIds, conditions: refundConditions(filter), by: 'merchant' };
}

function refundConditions(filter: RefundFilter): Prisma.Sql[] {
  return [
    Prisma.sql`p.mode = ${filter.mode}::mode`,
    ...isCreatedWithin(filter),
    ...isOneOf('p.state', filter.states, 'refund_state'),
    ...isOneOf('p.gateway', filter.gateways, 'text'),
    ...compares('p.payment_id =', filter.paymentId, 'uuid'),
  ];
}

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
