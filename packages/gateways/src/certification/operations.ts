import { z } from 'zod';
import type { AccountAccess, CallOptions, Gateway, Outcome } from '../gateway.ts';

const reference = z.string();
const amount = z.string().transform(BigInt);
const time = z.iso.datetime().transform((text) => new Date(text));
const page = { from: time, to: time, cursor: z.string().nullable(), rowsPerPage: z.int().optional() };

/** Inputs of the operations that a certification records, as JSON has them: amounts are whole naira, times are ISO 8601. */
const inputs = {
  open: z.object({
    reference,
    amount,
    currency: z.string(),
    customer: z.object({ email: z.string(), phone: z.string().nullable(), id: z.string().nullable() }),
    method: z.string().nullable(),
    callbackUrl: z.string(),
    paymentId: z.string(),
    sessionMinutes: z.int(),
  }),
  verify: z.object({ reference, transactionId: z.string().nullable(), amount, currency: z.string() }),
  refund: z.object({
    refundReference: reference,
    paymentReference: reference,
    transactionId: z.string().nullable(),
    amount,
    currency: z.string(),
    reason: z.string().nullable(),
  }),
  findRefund: z.object({ gatewayRefundId: z.string() }),
  listPayments: z.object(page).transform(withoutAbsent),
  listRefunds: z
    .object({ ...page, paymentReference: z.string().nullable(), transactionId: z.string().nullable() })
    .transform(withoutAbsent),
};

/** `exactOptionalPropertyTypes`: a field that is absent, and not one that is undefined. */
function withoutAbsent<T extends { readonly rowsPerPage?: number | undefined }>({ rowsPerPage, ...query }: T) {
  return rowsPerPage === undefined ? query : { ...query, rowsPerPage };
}

/** Operations of a connector that a certification calls. */
export type CertifiedOperation = keyof typeof inputs;

/** Names of the operations. */
export const certifiedOperations = Object.keys(inputs) as [CertifiedOperation, ...CertifiedOperation[]];

/** The input of an operation, as JSON. */
export type OperationInput<Operation extends CertifiedOperation> = z.input<(typeof inputs)[Operation]>;

/** An operation's value when the outcome is `yes`. */
export type OperationValue<Operation extends CertifiedOperation> =
  ReturnType<Gateway[Operation]> extends Promise<Outcome<infer Value>> ? Value : never;

/** Runs an operation of a connector with an input as it is recorded. Throws where the input is not one of that operation. */
export async function runOperation(
  gateway: Gateway,
  account: AccountAccess,
  operation: CertifiedOperation,
  input: unknown,
  options: CallOptions,
): Promise<Outcome<unknown>> {
  switch (operation) {
    case 'open':
      return gateway.open(account, inputs.open.parse(input), options);
    case 'verify':
      return gateway.verify(account, inputs.verify.parse(input), options);
    case 'refund':
      return gateway.refund(account, inputs.refund.parse(input), options);
    case 'findRefund':
      return gateway.findRefund(account, inputs.findRefund.parse(input), options);
    case 'listPayments':
      return gateway.listPayments(account, inputs.listPayments.parse(input), options);
    case 'listRefunds':
      return gateway.listRefunds(account, inputs.listRefunds.parse(input), options);
    default:
      return operation satisfies never;
  }
}
