import { z } from 'zod';
import { type Account, type Charge, type Checkout, decisiveCharge, type Refund } from '../ledger/records.ts';
import { json, type Reply } from '../server/router.ts';
import type { RefusedKey, Simulator } from '../simulator.ts';

/** The envelope of most errors: a code and its description. */
export function problem(status: number, responseCode: string, responseDescription: string): Reply {
  return json(status, { responseCode, responseDescription });
}

/** The envelope of errors about a field of the request. */
export function invalid(code: string, message: string): Reply {
  return json(400, { errors: [{ code, message }] });
}

/** OAuth's envelope, of everything about the token. */
export function unauthorised(why: RefusedKey): Reply {
  switch (why) {
    case 'missing':
      return refusedToken('unauthorized', 'Full authentication is required to access this resource');
    case 'malformed':
      return refusedToken('invalid_request', 'The Authorization header is malformed');
    case 'unknown':
      return refusedToken('invalid_token', 'Bad credentials');
    case 'expired':
      return refusedToken('invalid_token', 'Access token expired');
    default:
      return why satisfies never;
  }
}

function refusedToken(error: string, description: string): Reply {
  return json(401, { error, error_description: description });
}

/** The answer to a body that is no JSON object. */
export const badJson = (): Reply => invalid('E01', 'The request body is not a JSON object');

/** The answer to a merchant code that is not the account's: an error, or a look-up's answer of amount 0. */
export const unknownMerchant = (status: 200 | 400): Reply =>
  status === 400
    ? problem(400, '20031', 'Invalid value for Product id or Merchant Code')
    : json(200, {
        Amount: 0,
        SplitAccounts: [],
        ResponseCode: '20031',
        ResponseDescription: 'Invalid value for Product id or Merchant Code',
      });

/** Kobo as an integer or a numeric string. */
export const koboSchema = z
  .union([z.number(), z.string().regex(/^\d{1,15}$/)])
  .transform(Number)
  .pipe(z.int().positive());

const text = z.string().min(1).max(200);

/** The body of `POST /paymentgateway/api/v1/paybill`. */
export const payBillSchema = z.object({
  merchantCode: text,
  payableCode: text,
  amount: koboSchema,
  redirectUrl: z.url({ protocol: /^https?$/ }),
  customerId: text,
  currencyCode: z.union([z.string(), z.number()]).transform(String),
  customerEmail: z.email().nullish(),
  transactionReference: z.string().nullish(),
});

/** A parsed request to open a payment page. */
export type PayBill = z.infer<typeof payBillSchema>;

/** The body of `POST /paymentgateway/api/v1/refunds`. */
export const refundRequestSchema = z.object({
  refundReference: z.string().min(1).max(100).nullish(),
  parentTransactionReference: z.string().min(1).max(100).nullish(),
  parentPaymentId: z.union([z.string(), z.number()]).transform(String).nullish(),
  refundType: z.enum(['PARTIAL', 'FULL']),
  refundAmount: koboSchema.nullish(),
  createdBy: z.string().nullish(),
  reasonsForRefund: z.string().nullish(),
});

/** The naira: the only currency of local payments. ISO 4217, numeric. */
export const nairaCode = '566';

/** Outcome of a payment, as a code with its description. */
export interface ResponseCode {
  readonly code: string;
  readonly description: string;
}

/** The response code of a charge. */
export function responseOf(charge: Charge): ResponseCode {
  switch (charge.status) {
    case 'success':
      return { code: '00', description: 'Approved by Financial Institution' };
    case 'pending':
      return pendingResponse(charge);
    case 'failed':
      return { code: failureCodes[charge.message] ?? '06', description: charge.message };
    default:
      return charge.status satisfies never;
  }
}

const failureCodes: Readonly<Record<string, string>> = {
  'Insufficient Funds': '51',
  'Issuer or Switch Inoperative': '91',
  'No Record Found': '25',
  'Incorrect PIN': '55',
  'Cancelled by the customer': 'Z6',
};

function pendingResponse(charge: Charge): ResponseCode {
  switch (charge.awaiting[0]) {
    case 'otp':
      return { code: 'T0', description: 'Kindly enter the OTP sent to you' };
    case 'bank':
      return { code: 'S0', description: '3D Secure authentication is required' };
    case 'pin':
    case 'address':
    case undefined:
      return { code: '09', description: 'Transaction in progress' };
    default:
      return charge.awaiting[0] satisfies never;
  }
}

/** There is no transaction before the customer begins to pay. */
export function transactionStatus(_simulator: Simulator, checkout: Checkout): string {
  const charge = decisiveCharge(checkout);
  return charge === null ? 'not_started' : responseOf(charge).code;
}

/** Twelve digits, the name of a transaction between the banks. */
export function retrievalReference(charge: Charge): string {
  return String(charge.id).slice(-12).padStart(12, '0');
}

/** Interswitch's own name of a payment: `FBN|WEB|MX6072|14-12-2020|949942|116901`. */
export function paymentReference(account: Account, charge: Charge): string {
  const [year, month, day] = lagosTime(charge.createdAt).slice(0, 10).split('-');
  return ['ISW', 'WEB', merchantCode(account), `${day}-${month}-${year}`, String(charge.id), String(account.number)].join('|');
}

/** The merchant code an account is registered with; empty when it has none. */
export function merchantCode(account: Account): string {
  return account.credentials.merchantCode ?? '';
}

/** The transaction as `gettransaction.json` shows it. */
export function presentTransaction(account: Account, checkout: Checkout, charge: Charge): Record<string, unknown> {
  const { code, description } = responseOf(charge);
  return {
    Amount: charge.amount,
    CardNumber: maskedCard(charge),
    MerchantReference: checkout.reference,
    PaymentReference: paymentReference(account, charge),
    RetrievalReferenceNumber: retrievalReference(charge),
    SplitAccounts: [],
    TransactionDate: lagosTime(charge.finishedAt ?? charge.createdAt),
    ResponseCode: code,
    ResponseDescription: description,
    BankCode: '011',
    AccountNumber: charge.channel === 'card' ? '' : checkout.bankAccount,
  };
}

/** The transaction as the quick search lists it: with the merchant's reference, its response code and the time, which a search needs. */
export function presentFound(account: Account, checkout: Checkout, charge: Charge): Record<string, unknown> {
  return {
    retrieval_reference_number: retrievalReference(charge),
    merchant_code: merchantCode(account),
    masked_pan: maskedCard(charge),
    terminal_id: null,
    stan: String(charge.id % 1_000_000).padStart(6, '0'),
    unique_reference: paymentReference(account, charge),
    merchant_reference: checkout.reference,
    transaction_date: lagosTime(charge.createdAt),
    transaction_amount: charge.amount,
    currency_code: currencyCodes[checkout.currency] ?? checkout.currency,
    response_code: responseOf(charge).code,
    payment_channel: charge.channel === 'card' ? 'CARD' : 'TRANSFER',
    beneficiary_account: null,
    transaction_id: `isw-${charge.id}`,
    acquirer_code: 'ISW',
    issuer_code: 'FBN',
  };
}

const currencyCodes: Readonly<Record<string, string>> = { NGN: nairaCode, USD: '840' };

/** A refund's status. `SUCCESS` is the first one: it was received, and is processed on the next business day. */
export function refundStatus(refund: Refund): string {
  switch (refund.status) {
    case 'pending':
      return 'SUCCESS';
    case 'processing':
    case 'needs-attention':
      return 'PROCESSING';
    case 'processed':
      return 'COMPLETE';
    case 'failed':
      return 'FAILED';
    default:
      return refund.status satisfies never;
  }
}

/** A refund in Interswitch's form; amounts in kobo. */
export function presentRefund(account: Account, refund: Refund, checkout: Checkout, charge: Charge): Record<string, unknown> {
  return {
    id: refund.id,
    refundReference: refundReference(refund),
    parentTransactionReference: checkout.reference,
    merchantCode: merchantCode(account),
    parentPaymentId: refund.chargeId,
    refundType: refund.amount === charge.amount ? 'FULL' : 'PARTIAL',
    refundAmount: refund.amount,
    createdDate: Date.parse(refund.createdAt),
    refundStatus: refundStatus(refund),
    createdBy: 'sandbox@example.com',
    reasonForRefund: refund.merchantNote,
  };
}

/** The merchant's, or one of the gateway's own where the merchant gave none. */
export function refundReference(refund: Refund): string {
  return refund.reference ?? `REFUND-${refund.id}`;
}

/** A time as Interswitch writes it: Lagos', without a zone. */
export function lagosTime(at: string): string {
  return new Date(Date.parse(at) + 3_600_000).toISOString().slice(0, 23);
}

/** The card's first and last digits with stars between; empty for a transfer. */
export function maskedCard(charge: Charge): string {
  return charge.card === null ? '' : `${charge.card.bin}******${charge.card.last4}`;
}
