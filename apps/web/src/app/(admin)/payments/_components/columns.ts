import type { Scope } from '../../../../scope/scope.ts';

/**
 * Every column the list can have, in their usual order, and the matching columns of an export. `order` links to the
 * payment, and is always shown.
 */
export const PAYMENT_COLUMNS = [
  { id: 'status', title: 'Status', inFile: ['status', 'review'] },
  { id: 'amount', title: 'Amount', inFile: ['amount', 'currency'] },
  { id: 'order', title: 'Order', inFile: ['merchant_order_id'] },
  { id: 'gateway', title: 'Gateway', inFile: ['checkout_gateway'] },
  { id: 'method', title: 'Method', inFile: ['method'] },
  { id: 'customer', title: 'Customer', inFile: ['customer_email'] },
  { id: 'merchant', title: 'Merchant', inFile: ['merchant'] },
  { id: 'customerId', title: "Customer's id", inFile: ['customer_id'] },
  { id: 'paymentId', title: 'Payment', inFile: ['payment_id'] },
  { id: 'reference', title: 'Reference at the gateway', inFile: ['gateway_reference'] },
  { id: 'rule', title: 'Rule', inFile: ['rule_id'] },
  { id: 'refunded', title: 'Refunded', inFile: ['refunded_amount'] },
  { id: 'created', title: 'Created', inFile: ['created_at'] },
] as const;

const USUAL = ['status', 'amount', 'order', 'gateway', 'method', 'customer', 'created'];

/** The columns to show, in the order wanted; or the usual ones, with the merchant where there may be several. */
export function columnsShown(wanted: readonly string[], { merchantId }: Pick<Scope, 'merchantId'>): string[] {
  const usual = new Set(merchantId === null ? [...USUAL, 'merchant'] : USUAL);
  const known = wanted.filter((id, at) => PAYMENT_COLUMNS.some((column) => column.id === id) && wanted.indexOf(id) === at);
  if (known.length === 0) return PAYMENT_COLUMNS.flatMap(({ id }) => (usual.has(id) ? [id] : []));
  return known.includes('order') ? known : ['order', ...known];
}

/** The names of the export columns that match the list's columns, in the same order. */
export function columnsInFile(shown: readonly string[]): string[] {
  return shown.flatMap((id) => PAYMENT_COLUMNS.find((column) => column.id === id)?.inFile ?? []);
}
