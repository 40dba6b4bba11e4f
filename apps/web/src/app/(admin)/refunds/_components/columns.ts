import type { ListDefinition } from '#/components/list/use-list.ts';
import { REFUND_ORDERS, type Tab, TIME_ORDERS } from '../filters.ts';

/** The lists of the refunds page. */
export const MONEY_LISTS: Readonly<Record<Tab, ListDefinition>> = {
  refunds: { page: 'refunds', orders: REFUND_ORDERS },
  approvals: { page: 'refund-approvals', orders: REFUND_ORDERS },
  duplicates: { page: 'duplicate-charges', orders: TIME_ORDERS },
  reviews: { page: 'reviews', orders: TIME_ORDERS },
};
