import { type Mode, Prisma, type SettlementLineKind, type SettlementStatus } from '@switchyard/db/client';
import { type CreatedWithin, compares, isCreatedWithin, isOneOf, type TenantList } from '@switchyard/db/lists';

/** Which lines of settlements a file has. Empty lists and null match any. */
export interface SettlementLineFilter {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly settlementId: string | null;
  readonly kinds: readonly SettlementLineKind[];
  readonly unmatchedOnly: boolean;
}

/** The list of a filter's lines. */
export function settlementLineList(filter: SettlementLineFilter): TenantList {
  return {
    table: 'settlement_line',
    merchantIds: filter.merchantIds,
    conditions: [
      Prisma.sql`EXISTS (SELECT FROM settlement WHERE settlement.merchant_id = p.merchant_id AND settlement.id = p.settlement_id
        AND settlement.mode = ${filter.mode}::mode)`,
      ...compares('p.settlement_id =', filter.settlementId, 'uuid'),
      ...isOneOf('p.kind', filter.kinds, 'settlement_line_kind'),
      ...(filter.unmatchedOnly ? [Prisma.sql`p.linked_by IS NULL`] : []),
    ],
    by: 'merchant',
  };
}

/** Which settlements a list by time has. An empty list and null match any. */
export interface SettlementTimeFilter extends CreatedWithin {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly states: readonly SettlementStatus[];
}

/** The list of a filter's settlements, by when the gateway created them. */
export function settlementList(filter: SettlementTimeFilter): TenantList {
  return {
    table: 'settlement',
    merchantIds: filter.merchantIds,
    conditions: [
      Prisma.sql`p.mode = ${filter.mode}::mode`,
      ...isCreatedWithin(filter),
      ...isOneOf('p.status', filter.states, 'settlement_status'),
    ],
    by: 'merchant',
  };
}
