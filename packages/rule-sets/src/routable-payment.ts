import type { RoutablePayment } from '@switchyard/routing';
import { toMethod } from './snapshot/routing-snapshot.ts';

/** The columns of `payment` that routing reads, beside its id, for a SELECT. */
export const ROUTABLE_COLUMNS = `payment.currency, payment.amount, payment.payment_method AS method,
  payment.customer_country AS "customerCountry", payment.requested_gateway AS "requestedGateway"`;

/** A row of {@link ROUTABLE_COLUMNS}. */
export interface RoutableRow {
  readonly paymentId: string;
  readonly currency: string;
  /** `int8` is returned as text. */
  readonly amount: string;
  readonly method: string | null;
  readonly customerCountry: string | null;
  readonly requestedGateway: string | null;
}

/** The row with its payment as routing reads it. */
export function withRoutablePayment<Row extends RoutableRow>(row: Row): Row & { readonly payment: RoutablePayment } {
  const { paymentId, currency, amount, method, customerCountry, requestedGateway } = row;
  const payment = { paymentId, currency, amount: Number(amount), method: toMethod(method), customerCountry, requestedGateway };
  return { ...row, payment };
}
