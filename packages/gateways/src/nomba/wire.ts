import { z } from 'zod';
import { publishedStates } from '../published-states.ts';
import { failedStates, type PaymentState } from '../states.ts';
import {
  accessToken,
  amount,
  checkoutAddress,
  currency,
  foreignReference,
  optionalAmount,
  optionalText,
  reference,
  rowsOf,
  shortText,
} from '../wire-schemas.ts';
import { errorCodes } from './error-codes.ts';

/**
 * Nomba's JSON, as far as it is read: fields in use are checked, all others may be anything. A call that was carried out has the code `00`;
 * `status` beside it was observed to be false then as well. See https://developer.nomba.com/nomba-api-reference.
 */
function answered<Data extends z.ZodType>(data: Data) {
  return z.looseObject({ code: z.literal('00'), data });
}

/** Data of an action: `success` is in some answers only, and never false where the action was carried out. */
const done = { success: z.union([z.literal(true), z.literal('true')]).optional() };

/** An error answer of any endpoint, under any status: another code than `00`, or data that says that nothing was done. */
export const refusalSchema = z.union([
  z
    .looseObject({
      code: z.literal('00'),
      data: z.looseObject({ success: z.union([z.literal(false), z.literal('false')]), message: optionalText }),
    })
    .transform(({ data: { message } }) => ({ message, code: null, status: null })),
  z
    .looseObject({ code: z.string().regex(/^(?!00$).{1,20}$/), description: optionalText })
    .transform(({ code, description: message }) => ({ message, code, status: /^[45]\d\d$/.test(code) ? Number(code) : null })),
]);

/** Answer of `POST /v1/auth/token/issue`; `expiresAt` in UTC. */
export const tokenSchema = answered(z.looseObject({ access_token: accessToken, expiresAt: shortText }));

/**
 * Answer of `POST /v1/checkout/order`. By the pages `orderReference` is the merchant's; the plug-in of Nomba's own keeps it as Nomba's id of the
 * order, which the sandbox was observed to answer.
 */
export const orderSchema = answered(z.looseObject({ ...done, checkoutLink: checkoutAddress, orderReference: shortText }));

const transaction = z.looseObject({
  id: reference,
  status: shortText,
  amount,
  fixedCharge: optionalAmount,
  timeCreated: optionalText,
  currency,
  onlineCheckoutOrderReference: shortText.nullish(),
  onlineCheckoutPaymentMethod: optionalText,
  onlineCheckoutCardPan: optionalText,
  gatewayMessage: optionalText,
});

/** Answer of `GET /v1/transactions/accounts/single`. Amounts in naira, as numbers or as decimal text. */
export const transactionSchema = answered(transaction);

/** A parsed transaction. */
export type Transaction = z.infer<typeof transaction>;

/** Answer of `GET /v1/checkout/transaction`, as far as it names who paid by transfer. */
export const checkoutTransactionSchema = answered(
  z.looseObject({
    transferDetails: z.looseObject({ originatorAccountName: optionalText, originatorAccountNumber: optionalText }).nullish(),
  }),
);

/** A page of `GET /v1/transactions/accounts`: transactions of all types. `cursor` is empty at the end. */
export const transactionPageSchema = answered(
  z.looseObject({ results: rowsOf(z.looseObject({ type: shortText })), cursor: z.string().max(1000).nullish() }),
);

/** A row of it that paid a checkout. */
export const transactionRowSchema = transaction.extend({ onlineCheckoutOrderReference: foreignReference.nullish().catch(null) });

/** Answer of `POST /v1/checkout/refund`. */
export const refundSchema = answered(z.looseObject({ ...done, success: z.literal(true), message: optionalText }));

/** Text without the colon that separates the signed fields, so that none of them can take in a part of the next. */
const signedText = z.string().regex(/^[^:]{0,200}$/);
const optionalSignedText = signedText.nullish();

/** Any webhook: the fields that its signature covers. */
export const webhookSchema = z.looseObject({
  event_type: signedText.min(1),
  requestId: signedText.min(1),
  data: z.looseObject({
    merchant: z.looseObject({ userId: optionalSignedText, walletId: optionalSignedText }),
    transaction: z.looseObject({
      transactionId: optionalSignedText,
      type: optionalSignedText,
      time: z.string().max(200).nullish(),
      responseCode: optionalSignedText,
    }),
  }),
});

/** A webhook about a checkout. Its `order` is covered by no signature. */
export const checkoutEventSchema = z.looseObject({
  data: z.looseObject({
    order: z.looseObject({ orderReference: reference }),
    transaction: z.looseObject({ transactionId: reference, time: optionalText }),
  }),
});

/**
 * Meaning of a transaction's status, which is written in either case. "SUCCESS means the transaction was successful. REFUND means the
 * transaction failed and has been refunded to your account. PENDING_BILLING, CANCELLED, PAYMENT_FAILED, and REVERSED_BY_VENDOR mean the
 * transaction is pending" (Fetch a single transaction): written of transfers out of an account, so that none but PAYMENT_FAILED, which has a
 * webhook of its own ("a proposed payment attempt fails"), says that a checkout was not paid. The filter of transactions has three more
 * words; the sample of a sandbox payment that succeeded ("Testing") has PAYMENT_SUCCESSFUL.
 */
export const transactionStates = publishedStates<PaymentState>('nomba', 'transaction', {
  SUCCESS: 'paid',
  PAYMENT_SUCCESSFUL: 'paid',
  ...failedStates(errorCodes),
  NEW: 'unfinished',
  PENDING_PAYMENT: 'unfinished',
  PENDING_BILLING: 'unfinished',
  CANCELLED: 'unfinished',
  REFUND: 'unfinished',
  REVERSED_BY_VENDOR: 'unfinished',
});

/** True if Nomba repeats our reference: as it was sent, or in lower case, which its own plug-in takes it to become. */
export function isOwnReference(given: string | null | undefined, reference: string): boolean {
  return given === reference || given === reference.toLowerCase();
}
