import { gatewayTitle } from '@switchyard/gateways';
import type { SettlementContext } from '../context.ts';

export { staffIdOf } from '@switchyard/reconciliation/discrepancy-list';

/** Display names of an account. */
export function accountNames(
  { resources }: { readonly resources: Pick<SettlementContext['resources'], 'configuration'> },
  row: { readonly accountId: string; readonly gateway: string },
) {
  const known = resources.configuration.account(row.accountId);
  return {
    accountLabel: known?.account.label ?? row.accountId,
    merchantName: known?.merchant.merchant.name ?? '',
    gateway: row.gateway,
    gatewayTitle: gatewayTitle(row.gateway),
  };
}

/** Longest page of a list. */
const PAGE_MAX = 500;

/** The number of rows of a page, as it was asked for or as many as there may be. */
export function pageLimit(wanted: number): number {
  return Math.min(Math.max(1, wanted), PAGE_MAX);
}
