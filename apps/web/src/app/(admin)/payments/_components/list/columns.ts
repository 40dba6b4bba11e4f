import { PAYMENT_ORDERS } from '#/app/(admin)/payments/filters.ts';
import type { TableColumn } from '#/components/data-table/table-columns.ts';
import type { ListDefinition } from '#/components/list/use-list.ts';
import type { Scope } from '#/scope/scope.ts';

/** A column of the list, and the matching columns of an export. */
interface PaymentColumn extends TableColumn {
  readonly inFile: readonly string[];
}

/** Every column the list can have, in their default order. `order` links to the payment. */
export const PAYMENT_COLUMNS: readonly PaymentColumn[] = [
  { id: 'status', header: 'Status', inFile: ['status', 'display_status', 'review'] },
  { id: 'amount', header: 'Amount', inFile: ['amount', 'currency'] },
  { id: 'order', header: 'Order', fixed: true, inFile: ['merchant_order_id'] },
  { id: 'gateway', header: 'Gateway', inFile: ['checkout_gateway'] },
  { id: 'reason', header: 'Reason', inFile: ['failure_reason'] },
  { id: 'method', header: 'Method', inFile: ['method'] },
  { id: 'customer', header: 'Customer', inFile: ['customer_email'] },
  { id: 'merchant', header: 'Merchant', inFile: ['merchant'] },
  { id: 'customerId', header: 'Customer ID', optional: true, inFile: ['customer_id'] },
  { id: 'paymentId', header: 'Payment ID', optional: true, inFile: ['payment_id'] },
  { id: 'reference', header: 'Gateway reference', optional: true, inFile: ['gateway_reference'] },
  { id: 'rule', header: 'Rule', optional: true, inFile: ['rule_id'] },
  { id: 'refunded', header: 'Refunded', optional: true, inFile: ['refunded_amount'] },
  { id: 'created', header: 'Created', inFile: ['created_at'] },
];

const OF_ONE_MERCHANT = PAYMENT_COLUMNS.map((column) => (column.id === 'merchant' ? { ...column, optional: true } : column));

/** The columns of the list: it names the merchant by default where there may be several. */
export function paymentColumns({ merchantId }: Pick<Scope, 'merchantId'>): readonly PaymentColumn[] {
  return merchantId === null ? PAYMENT_COLUMNS : OF_ONE_MERCHANT;
}

/** The payments as a list. */
export const PAYMENT_LIST: ListDefinition = { page: 'payments', orders: PAYMENT_ORDERS, notSaved: ['payment', 'do'] };

/** The names of the export columns that match the list's columns, in the same order. */
export function columnsInFile(shown: readonly PaymentColumn[]): string[] {
  return shown.flatMap(({ inFile }) => inFile);
}
