/** The field of a payment that a search matched. */
export type SearchMatch =
  | 'payment_id'
  | 'order_id'
  | 'reference'
  | 'transaction_id'
  | 'email'
  | 'customer_id'
  | 'phone'
  | 'amount'
  | 'card';

/** Label of the matched field, in the rows of a search. */
export const MATCH_LABELS: Record<SearchMatch, string> = {
  payment_id: 'Payment ID',
  order_id: 'Order',
  reference: 'Gateway reference',
  transaction_id: 'Transaction ID',
  email: 'E-mail',
  customer_id: 'Customer ID',
  phone: 'Phone',
  amount: 'Amount',
  card: 'Card',
};
