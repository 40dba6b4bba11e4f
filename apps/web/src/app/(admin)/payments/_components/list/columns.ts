import { PAYMENT_ORDERS } from '#/app/(admin)/payments/filters.ts';
import type { ListColumn } from '#/components/list/list-columns.ts';
import type { ListDefinition } from '#/components/list/use-list.ts';
import type { Scope } from '#/scope/scope.ts';

/** A column of the list, and the matching columns of an export. */
interface PaymentColumn extends ListColumn {
  readonly inFile: readonly string[];
}

/** Every column the list can have, in their default order. `order` links to the payment. */
export const PAYMENT_COLUMNS: readonly PaymentColumn[] = [
  { id: 'status', title: 'Status', inFile: ['status', 'review'] },
  { id: 'amount', title: 'Amount', inFile: ['amount', 'currency'] },
  { id: 'order', title: 'Order', fixed: true, inFile: ['merchant_order_id'] },
  { id: 'gateway', title: 'Gateway', inFile: ['checkout_gateway'] },
  { id: 'reason', title: 'Reason', inFile: ['failure_reason'] },
  { id: 'method', title: 'Method', inFile: ['method'] },
  { id: 'customer', title: 'Customer', inFile: ['customer_email'] },
  { id: 'merchant', title: 'Merchant', inFile: ['merchant'] },
  { id: 'customerId', title: 'Customer ID', optional: true, inFile: ['customer_id'] },
  { id: 'paymentId', title: 'Payment ID', optional: true, inFile: ['payment_id'] },
  { id: 'reference', title: 'Gateway reference', optional: true, inFile: ['gateway_reference'] },
  { id: 'rule', title: 'Rule', optional: true, inFile: ['rule_id'] },
  { id: 'refunded', title: 'Refunded', optional: true, inFile: ['refunded_amount'] },
  { id: 'created', title: 'Created', inFile: ['created_at'] },
];

const OF_ALL_MERCHANTS: ListDefinition = {
  page: 'payments',
  columns: PAYMENT_COLUMNS,
  orders: PAYMENT_ORDERS,
  notSaved: ['payment', 'do'],
};

const OF_ONE_MERCHANT: ListDefinition = {
  ...OF_ALL_MERCHANTS,
  columns: PAYMENT_COLUMNS.map((column) => (column.id === 'merchant' ? { ...column, optional: true } : column)),
};

/** The list of payments: it names the merchant by default where there may be several. */
export function paymentList({ merchantId }: Pick<Scope, 'merchantId'>): ListDefinition {
  return merchantId === null ? OF_ALL_MERCHANTS : OF_ONE_MERCHANT;
}

/** The names of the export columns that match the list's columns, in the same order. */
export function columnsInFile(shown: readonly string[]): string[] {
  return shown.flatMap((id) => PAYMENT_COLUMNS.find((column) => column.id === id)?.inFile ?? []);
}
