import type { Scope } from '../../../../scope/scope.ts';

/** Every column the list can have, in their order. `order` is what leads to the payment, and always there. */
export const PAYMENT_COLUMNS = [
  { id: 'status', title: 'Status' },
  { id: 'amount', title: 'Amount' },
  { id: 'order', title: 'Order' },
  { id: 'gateway', title: 'Gateway' },
  { id: 'method', title: 'Method' },
  { id: 'customer', title: 'Customer' },
  { id: 'merchant', title: 'Merchant' },
  { id: 'customerId', title: "Customer's id" },
  { id: 'reference', title: 'Reference at the gateway' },
  { id: 'rule', title: 'Rule' },
  { id: 'refunded', title: 'Refunded' },
  { id: 'created', title: 'Created' },
] as const;

const USUAL = ['status', 'amount', 'order', 'gateway', 'method', 'customer', 'created'];

/** The columns to show: those wanted, or the usual ones, with the merchant where there may be several. */
export function columnsShown(wanted: readonly string[], { merchantId }: Pick<Scope, 'merchantId'>): string[] {
  const usual = merchantId === null ? [...USUAL, 'merchant'] : USUAL;
  const chosen = new Set(wanted.length === 0 ? usual : [...wanted, 'order']);
  return PAYMENT_COLUMNS.flatMap(({ id }) => (chosen.has(id) ? [id] : []));
}
