import type { ListColumn } from '#/components/list/list-columns.ts';
import type { ListDefinition } from '#/components/list/use-list.ts';
import type { Scope } from '#/scope/scope.ts';
import { REFUND_ORDERS, type Tab, TIME_ORDERS } from '../filters.ts';

const ACTIONS: ListColumn = { id: 'actions', title: 'Actions', fixed: true };
const MERCHANT: ListColumn = { id: 'merchant', title: 'Merchant' };

function columnsAfter(before: readonly ListColumn[], note: string, merchant: ListColumn): readonly ListColumn[] {
  return [
    ...before,
    { id: 'order', title: 'Order', fixed: true },
    { id: 'gateway', title: 'Gateway' },
    { id: 'note', title: note },
    merchant,
    { id: 'created', title: 'Created' },
    ACTIONS,
  ];
}

function listsWith(merchant: ListColumn): Readonly<Record<Tab, ListDefinition>> {
  const amount: ListColumn = { id: 'amount', title: 'Amount' };
  const state: ListColumn = { id: 'state', title: 'State' };
  const expected: ListColumn = { id: 'expected', title: 'Expected' };
  return {
    refunds: { page: 'refunds', columns: columnsAfter([state, amount], 'Details', merchant), orders: REFUND_ORDERS },
    approvals: { page: 'refund-approvals', columns: columnsAfter([state, amount], 'Details', merchant), orders: REFUND_ORDERS },
    duplicates: {
      page: 'duplicate-charges',
      columns: columnsAfter([state, amount], 'Details', merchant),
      orders: TIME_ORDERS,
    },
    reviews: {
      page: 'reviews',
      columns: columnsAfter([{ id: 'received', title: 'Received' }, expected], 'Reason', merchant),
      orders: TIME_ORDERS,
    },
  };
}

const OF_ALL_MERCHANTS = listsWith(MERCHANT);
const OF_ONE_MERCHANT = listsWith({ ...MERCHANT, optional: true });

/** A list of the refunds page: it names the merchant by default where there may be several. */
export function moneyList(tab: Tab, { merchantId }: Pick<Scope, 'merchantId'>): ListDefinition {
  return merchantId === null ? OF_ALL_MERCHANTS[tab] : OF_ONE_MERCHANT[tab];
}
