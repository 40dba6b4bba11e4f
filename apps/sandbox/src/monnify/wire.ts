import { z } from 'zod';
import { type Account, type Charge, type Checkout, decisiveCharge, isKnown, paidCharge, type Refund } from '../ledger/records.ts';
import { json, type Reply } from '../server/router.ts';
import type { Simulator } from '../simulator.ts';

/** Monnify's envelope of a success. */
export function success(responseBody: unknown): Reply {
  return json(200, { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody });
}

/** Monnify's envelope of a refusal. Nearly all have the code 99, and differ in their message. */
export function problem(status: number, responseMessage: string, responseCode = '99'): Reply {
  return json(status, { requestSuccessful: false, responseMessage, responseCode });
}

/** Neither status is documented: a refused reference is answered 422, an unknown one 404. */
export const duplicateReference = (): Reply => problem(422, 'Duplicate payment reference');

/** The answer about an unknown payment or transaction reference. */
export const transactionNotFound = (): Reply => problem(404, 'There is no transaction with the specified reference');

/** The answer about an unknown refund reference. */
export const refundNotFound = (): Reply => problem(404, 'There is no refund with the specified reference');

/** The answer to a body that is no JSON. */
export const badJson = (): Reply => problem(400, 'Invalid JSON in request body');

/** Naira with two decimals at most. */
function naira(minimum: number) {
  return z
    .number()
    .min(minimum)
    .max(10_000_000_000)
    .refine((amount) => Number(amount.toFixed(2)) === amount);
}

const textOrMissing = z.string().nullish();

/** The body of `init-transaction`. */
export const initSchema = z.object({
  amount: naira(20),
  customerName: z.string().min(3).max(200).nullish(),
  customerEmail: z.email(),
  paymentReference: z.string().min(1).max(200),
  paymentDescription: z.string().min(3).max(200),
  currencyCode: z.literal('NGN'),
  contractCode: z.string().min(1),
  redirectUrl: z.url({ protocol: /^https?$/ }).nullish(),
  paymentMethods: z.array(z.enum(['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'PHONE_NUMBER', 'DIRECT_DEBIT'])).nullish(),
  metaData: z.record(z.string(), z.json()).nullish(),
  incomeSplitConfig: z.array(z.json()).nullish(),
});

/** A parsed request to initialise a transaction. */
export type InitRequest = z.infer<typeof initSchema>;

/** The body of `initiate-refund`. */
export const refundSchema = z.object({
  transactionReference: z.string().min(1),
  refundReference: z.string().min(1).max(200),
  refundAmount: naira(0),
  refundReason: z.string().min(1).max(64),
  customerNote: z.string().max(16).nullish(),
  destinationAccountNumber: textOrMissing,
  destinationAccountBankCode: textOrMissing,
});

const page = {
  page: z.coerce.number().int().min(0).max(1_000_000).default(0),
  size: z.coerce.number().int().min(1).max(100).default(10),
  /** Milliseconds since 1970. */
  from: z.coerce.number().int().min(0).optional(),
  to: z.coerce.number().int().min(0).optional(),
};

/** The body of `POST /api/v1/merchant/cards/charge`. */
export const cardChargeSchema = z.object({
  transactionReference: z.string(),
  collectionChannel: z.literal('API_NOTIFICATION'),
  card: z.object({
    number: z.string(),
    expiryMonth: z.string(),
    expiryYear: z.string(),
    cvv: z.string(),
    pin: z.string().optional(),
  }),
});

/** The query of the search among transactions. */
export const searchSchema = z.object({
  ...page,
  paymentReference: z.string().optional(),
  transactionReference: z.string().optional(),
  fromAmount: z.coerce.number().optional(),
  toAmount: z.coerce.number().optional(),
  customerName: z.string().optional(),
  customerEmail: z.string().optional(),
  paymentStatus: z.string().optional(),
});

/** The query of the list of refunds. */
export const refundListSchema = z.object({
  ...page,
  transactionReference: z.string().optional(),
  refundStatus: z.string().optional(),
});

/** One page of a list, as Spring's pages look. */
export function pageOf(content: readonly unknown[], query: { readonly page: number; readonly size: number }): Reply {
  const shown = content.slice(query.page * query.size, (query.page + 1) * query.size);
  const totalPages = Math.ceil(content.length / query.size);
  return success({
    content: shown,
    pageable: { offset: query.page * query.size, pageNumber: query.page, pageSize: query.size, paged: true, unpaged: false },
    totalElements: content.length,
    totalPages,
    last: query.page >= totalPages - 1,
    first: query.page === 0,
    sort: null,
    numberOfElements: shown.length,
    size: query.size,
    number: query.page,
    empty: shown.length === 0,
  });
}

/** The answer to a body or a query that breaks the rules: its first problem. */
export function invalid(error: z.ZodError): Reply {
  const [issue] = error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  return problem(400, field === '' ? 'Invalid request body' : `${field} is missing or invalid`);
}

const lagosAheadMs = 3_600_000;
const referencePrefix = 'MNFY|';

/** The parts of a time in Lagos, whose time Monnify writes without a zone. */
function lagosTime(at: string | number): { readonly date: string; readonly time: string } {
  const [date = '', time = ''] = new Date(new Date(at).getTime() + lagosAheadMs).toISOString().split('T');
  return { date, time: time.slice(0, -1) };
}

/** `27/06/2026 09:11:14 AM` */
export function slashTime(at: string): string {
  const { date, time } = lagosTime(at);
  const [year, month, day] = date.split('-');
  const hour = Number(time.slice(0, 2));
  const twelve = String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, '0');
  return `${day}/${month}/${year} ${twelve}${time.slice(2, 8)} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** `2026-06-27 09:11:14.615`, as webhooks about payments have it. */
function dashTime(at: string): string {
  const { date, time } = lagosTime(at);
  return `${date} ${time}`;
}

/** `2026-06-27T08:11:14.615+00:00`, as the search has it. */
function offsetTime(at: string): string {
  return at.replace('Z', '+00:00');
}

/** A new transaction's reference: `MNFY|17|<date and time>|<sequence>`. */
export function newTransactionReference(simulator: Simulator): string {
  const { date, time } = lagosTime(simulator.now());
  const stamp = (date + time.slice(0, 8)).replace(/\D/g, '');
  const sequence = String(simulator.ledger.nextId() % 1_000_000).padStart(6, '0');
  return `${referencePrefix}17|${stamp}|${sequence}`;
}

/** Monnify's own reference of a transaction. Those that were not opened by a call have one from their number. */
export function transactionReference(checkout: Checkout): string {
  if (checkout.token.startsWith(referencePrefix)) return checkout.token;
  return `${referencePrefix}00|00000000000000|${String(checkout.id).padStart(6, '0')}`;
}

/** One of the account's own transactions, by Monnify's reference. */
export function transactionByReference(simulator: Simulator, account: Account, reference: string): Checkout | null {
  const number = /^MNFY\|00\|0{14}\|(\d{6,16})$/.exec(reference)?.[1];
  const found = number === undefined ? simulator.ledger.checkoutByToken(reference) : simulator.ledger.checkout(Number(number));
  const isOwn = found !== null && found.accountId === account.id && isKnown(found) && transactionReference(found) === reference;
  return isOwn ? found : null;
}

/** Monnify's status of a transaction. */
export type PaymentStatus = 'PAID' | 'REVERSED' | 'OVERPAID' | 'PARTIALLY_PAID' | 'PENDING' | 'ABANDONED' | 'FAILED' | 'EXPIRED';

/** A transaction exists from the moment it is initialised. A failed try counts until a later one succeeds. */
export function paymentStatus(simulator: Simulator, checkout: Checkout): PaymentStatus {
  const charge = decisiveCharge(checkout);
  if (charge?.status === 'success') return paidStatus(checkout, charge);
  if (charge?.status === 'failed') return 'FAILED';
  if (checkout.closed) return 'ABANDONED';
  const expired = checkout.expiresAt !== null && Date.parse(checkout.expiresAt) <= simulator.now();
  return expired ? 'EXPIRED' : 'PENDING';
}

function paidStatus(checkout: Checkout, charge: Charge): PaymentStatus {
  if (checkout.reversed >= charge.amount) return 'REVERSED';
  if (charge.amount === checkout.amount) return 'PAID';
  return charge.amount > checkout.amount ? 'OVERPAID' : 'PARTIALLY_PAID';
}

/** 1.5 %, NGN 2,000 at most; in naira with two decimals. */
export function monnifyFee(amount: number): number {
  return Math.min(2000, Math.round(amount * 1.5) / 100);
}

function paymentMethod(charge: Charge | null): string | null {
  if (charge === null) return null;
  return charge.channel === 'card' ? 'CARD' : 'ACCOUNT_TRANSFER';
}

function customerOf(checkout: Checkout): { readonly email: string; readonly name: string } {
  return { email: checkout.email, name: checkout.customerName ?? 'Anonymous customer' };
}

function product(checkout: Checkout): Record<string, unknown> {
  return { type: 'WEB_SDK', reference: checkout.reference };
}

function cardDetails(charge: Charge): Record<string, unknown> | null {
  if (charge.card === null) return null;
  const { bin, last4, brand, expMonth, expYear } = charge.card;
  return {
    cardType: brand,
    last4,
    expMonth,
    expYear: expYear.slice(-2),
    bin,
    reusable: false,
    maskedPan: `${bin}******${last4}`,
  };
}

/** The account that a transfer came from, masked. */
function sourceAccount(charge: Charge): Record<string, unknown> {
  return {
    accountName: 'Sandbox Customer',
    accountNumber: '******4872',
    bankCode: '000015',
    amountPaid: charge.amount.toFixed(2),
  };
}

/** Title that the customer is shown, which the request calls the description. */
function description(checkout: Checkout): string {
  return checkout.title ?? 'Payment';
}

/** The transaction as both look-ups show it; amounts are decimal text. */
export function presentTransaction(simulator: Simulator, checkout: Checkout): Record<string, unknown> {
  const last = decisiveCharge(checkout);
  const paid = paidCharge(checkout);
  const isTransfer = paid?.channel === 'bank_transfer';
  return {
    transactionReference: transactionReference(checkout),
    paymentReference: checkout.reference,
    amountPaid: (paid?.amount ?? 0).toFixed(2),
    totalPayable: (paid?.amount ?? 0).toFixed(2),
    settlementAmount: paid === null ? null : (paid.amount - monnifyFee(paid.amount)).toFixed(2),
    paidOn: paid === null ? null : slashTime(paid.finishedAt ?? paid.createdAt),
    paymentStatus: paymentStatus(simulator, checkout),
    paymentDescription: description(checkout),
    currency: checkout.currency,
    paymentMethod: paymentMethod(last),
    product: product(checkout),
    cardDetails: paid === null ? null : cardDetails(paid),
    accountDetails: isTransfer ? sourceAccount(paid) : null,
    accountPayments: isTransfer ? [sourceAccount(paid)] : [],
    customer: customerOf(checkout),
    metaData: checkout.metadata ?? {},
  };
}

/** The transaction as the search shows it; amounts are numbers. */
export function presentRow(simulator: Simulator, account: Account, checkout: Checkout): Record<string, unknown> {
  const paid = paidCharge(checkout);
  return {
    customerDTO: { ...customerOf(checkout), merchantCode: merchantCode(account) },
    providerAmount: paid === null ? null : 0,
    paymentMethod: paymentMethod(decisiveCharge(checkout)),
    createdOn: offsetTime(checkout.createdAt),
    amount: checkout.amount,
    flagged: false,
    fee: paid === null ? null : monnifyFee(paid.amount),
    currencyCode: checkout.currency,
    completedOn: paid === null ? null : offsetTime(paid.finishedAt ?? paid.createdAt),
    paymentDescription: description(checkout),
    paymentStatus: paymentStatus(simulator, checkout),
    transactionReference: transactionReference(checkout),
    paymentReference: checkout.reference,
    merchantCode: merchantCode(account),
    merchantName: 'Sandbox Merchant',
    payableAmount: checkout.amount,
    amountPaid: paid?.amount ?? 0,
    completed: paid !== null,
    paymentMethodList: checkout.channels.map((channel) => (channel === 'card' ? 'CARD' : 'ACCOUNT_TRANSFER')),
    collectionChannel: 'WEB_SDK',
  };
}

function merchantCode(account: Account): string {
  return `SBX${account.number}`;
}

/** The transaction as its webhook shows it. */
export function presentNotice(simulator: Simulator, checkout: Checkout, charge: Charge): Record<string, unknown> {
  const isTransfer = charge.channel === 'bank_transfer';
  return {
    product: product(checkout),
    transactionReference: transactionReference(checkout),
    paymentReference: checkout.reference,
    paidOn: dashTime(charge.finishedAt ?? charge.createdAt),
    paymentDescription: description(checkout),
    metaData: checkout.metadata ?? {},
    paymentSourceInformation: isTransfer
      ? [{ ...sourceAccount(charge), amountPaid: charge.amount, sessionId: String(charge.id).padStart(30, '0') }]
      : [],
    destinationAccountInformation: isTransfer
      ? { bankCode: '232', bankName: 'Sterling bank', accountNumber: checkout.bankAccount }
      : {},
    amountPaid: charge.amount,
    totalPayable: charge.amount,
    cardDetails: cardDetails(charge) ?? {},
    paymentMethod: paymentMethod(charge),
    currency: checkout.currency,
    settlementAmount: (charge.amount - monnifyFee(charge.amount)).toFixed(2),
    paymentStatus: paymentStatus(simulator, { ...checkout, charges: [charge] }),
    customer: customerOf(checkout),
  };
}

/** Monnify's status of a refund. It has none that waits for the merchant. */
export function refundStatus(refund: Refund): 'PENDING' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' {
  switch (refund.status) {
    case 'pending':
      return 'PENDING';
    case 'processing':
    case 'needs-attention':
      return 'IN_PROGRESS';
    case 'processed':
      return 'COMPLETED';
    case 'failed':
      return 'FAILED';
    default:
      return refund.status satisfies never;
  }
}

/** The merchant's reference of a refund; those that no call asked for have one from their number. */
export function refundReference(refund: Refund): string {
  return refund.reference ?? `MNFY-RFD-${refund.id}`;
}

const comments = {
  PENDING: 'Transaction refund request received.',
  IN_PROGRESS: 'Transaction refund is in progress.',
  COMPLETED: 'Refund processed successfully.',
  FAILED: 'Refund failed.',
} as const;

/** The refund as every call shows it. */
export function presentRefund(refund: Refund, checkout: Checkout): Record<string, unknown> {
  const status = refundStatus(refund);
  const paid = paidCharge(checkout);
  const ended = status === 'COMPLETED' || status === 'FAILED';
  return {
    refundReference: refundReference(refund),
    transactionReference: transactionReference(checkout),
    refundReason: refund.merchantNote ?? 'Refund',
    customerNote: refund.customerNote ?? '',
    refundAmount: refund.amount,
    refundType: paid !== null && refund.amount >= paid.amount ? 'FULL_REFUND' : 'PARTIAL_REFUND',
    refundStatus: status,
    refundStrategy: 'MERCHANT_WALLET',
    comment: comments[status],
    completedOn: ended ? slashTime(refund.updatedAt) : null,
    createdOn: slashTime(refund.createdAt),
  };
}
