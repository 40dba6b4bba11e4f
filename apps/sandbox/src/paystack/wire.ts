import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Account, type Charge, type Checkout, decisiveCharge, paidCharge, type Refund } from '../ledger/records.ts';
import { refunded } from '../refunds.ts';
import { json, type Reply } from '../server/router.ts';
import { settlementOf } from '../settlements.ts';
import type { Simulator } from '../simulator.ts';

/** Paystack's error envelope. */
export function problem(
  status: number,
  message: string,
  code: string,
  nextStep: string,
  type: 'validation_error' | 'api_error' = 'validation_error',
): Reply {
  return json(status, { status: false, message, meta: { nextStep }, type, code });
}

/** The answer to a reference that was used before. */
export const duplicateReference = (): Reply =>
  json(400, {
    status: false,
    message: 'Duplicate Transaction Reference',
    meta: { nextStep: 'Try and create the Transaction or Charge with a new reference' },
    type: 'validation_error',
    code: 'duplicate_reference',
    errorCodeMappingNotFound: false,
  });

/** The answer to a body that is no JSON object. */
export const badJson = (): Reply =>
  problem(400, 'Invalid JSON in request body', 'invalid_params', 'Send a JSON object with Content-Type application/json');

/** The answer about an unknown transaction; verify answers 400, the other calls 404. */
export const transactionNotFound = (status: 400 | 404): Reply =>
  problem(
    status,
    'Transaction reference not found',
    'transaction_not_found',
    "Ensure that you're passing the reference of a transaction that exists on this integration",
  );

/** Currencies that a transaction takes. */
export const supportedCurrencies = ['NGN', 'GHS', 'KES', 'ZAR', 'USD'] as const;

/** Kobo as an integer or a numeric string. */
export const koboSchema = z
  .union([z.number(), z.string().regex(/^\d{1,15}$/)])
  .transform(Number)
  .pipe(z.int().positive());

const textOrMissing = z.string().nullish();

/** The body of `POST /transaction/initialize`. */
export const initializeSchema = z.object({
  email: z.email(),
  amount: koboSchema,
  currency: z.enum(supportedCurrencies).nullish(),
  reference: z
    .string()
    .regex(/^[A-Za-z0-9.=-]{1,200}$/)
    .nullish(),
  callback_url: z.url({ protocol: /^https?$/ }).nullish(),
  channels: z.array(z.string()).nullish(),
  metadata: z.json().nullish(),
  first_name: textOrMissing,
  last_name: textOrMissing,
  phone: textOrMissing,
});

/** A parsed request to initialize a transaction. */
export type Initialize = z.infer<typeof initializeSchema>;

/** The body of `POST /refund`: a transaction by reference or id; without an amount all that is left is refunded. */
export const refundRequestSchema = z.object({
  transaction: z.union([z.string().min(1), z.int().positive()]),
  amount: koboSchema.nullish(),
  currency: z.string().nullish(),
  customer_note: textOrMissing,
  merchant_note: textOrMissing,
});

/** The answer to a body that breaks the rules of initialize: Paystack names one problem at a time. */
export function initializeProblem(body: unknown, error: z.ZodError): Reply {
  const sent = z.record(z.string(), z.unknown()).safeParse(body);
  if (!sent.success) return badJson();
  const field = String(error.issues[0]?.path[0] ?? '');
  for (const required of ['email', 'amount']) {
    const value = sent.data[required];
    if (value === undefined || value === null || value === '') {
      return problem(
        400,
        `${required === 'email' ? 'Email' : 'Amount'} is required`,
        'missing_params',
        `Provide ${required} in the request`,
      );
    }
  }
  switch (field) {
    case 'email':
      return problem(400, 'Invalid Email Address Passed', 'invalid_email_address', 'Ensure that the email address is valid');
    case 'amount':
      return problem(400, 'Invalid Amount Sent', 'invalid_amount', 'Send the amount in kobo: a positive integer');
    case 'reference':
      return problem(
        400,
        'Invalid character in transaction reference',
        'invalid_reference',
        'Only -, ., = and alphanumeric characters are allowed in a reference',
      );
    case 'currency':
      return problem(
        400,
        'Currency not supported by merchant',
        'unsupported_currency',
        `Use one of ${supportedCurrencies.join(', ')}`,
      );
    default:
      return problem(400, `Invalid value for ${field}`, 'invalid_params', `Check the value of ${field}`);
  }
}

/** A transaction's status in Paystack's terms. */
export function paystackStatus(simulator: Simulator, checkout: Checkout): string {
  const charge = decisiveCharge(checkout);
  if (charge === null) return 'abandoned';
  switch (charge.status) {
    case 'pending':
      return 'ongoing';
    case 'failed':
      return 'failed';
    case 'success':
      return refunded(simulator, checkout) + checkout.reversed >= charge.amount ? 'reversed' : 'success';
    default:
      return charge.status satisfies never;
  }
}

/** 1.5 % and NGN 100, the NGN 100 waived under NGN 2,500, NGN 2,000 at most; all in kobo. */
export function feeKobo(amountKobo: number): number {
  const flat = amountKobo < 250_000 ? 0 : 10_000;
  return Math.min(200_000, Math.ceil(amountKobo * 0.015) + flat);
}

/** The transaction as verify, fetch, list and `charge.success` show it. */
export function presentTransaction(simulator: Simulator, account: Account, checkout: Checkout): Record<string, unknown> {
  const charge = decisiveCharge(checkout);
  const paid = paidCharge(checkout);
  const createdAt = checkout.createdAt;
  return {
    id: checkout.id,
    domain: domainOf(account),
    status: paystackStatus(simulator, checkout),
    reference: checkout.reference,
    receipt_number: null,
    amount: paid?.amount ?? checkout.amount,
    requested_amount: checkout.amount,
    message: charge?.status === 'failed' ? charge.message : null,
    gateway_response: gatewayResponse(charge),
    paid_at: paid?.finishedAt ?? null,
    created_at: createdAt,
    channel: charge?.channel ?? 'card',
    currency: checkout.currency,
    ip_address: charge?.ip ?? null,
    metadata: checkout.metadata ?? '',
    log: presentLog(checkout),
    fees: paid === null ? null : (paid.fee ?? feeKobo(paid.amount)),
    fees_split: null,
    fees_breakdown: null,
    authorization: presentAuthorization(charge),
    customer: presentCustomer(checkout),
    plan: {},
    split: {},
    order_id: null,
    pos_transaction_data: null,
    paidAt: paid?.finishedAt ?? null,
    createdAt,
    source: { source: 'merchant_api', type: 'api', identifier: null, entry_point: 'transaction_initialize' },
    connect: null,
    transaction_date: createdAt,
    plan_object: {},
    subaccount: {},
  };
}

/** The customer's steps on the page as Paystack's `log`, in seconds since it was opened. */
export function presentLog(checkout: Checkout): Record<string, unknown> {
  const startedAt = Date.parse(checkout.createdAt);
  const seconds = (at: string): number => Math.max(0, Math.round((Date.parse(at) - startedAt) / 1000));
  const history = checkout.charges.flatMap((charge) => [
    {
      type: 'action',
      message: `Attempted to pay with ${charge.channel === 'card' ? 'card' : 'bank transfer'}`,
      time: seconds(charge.createdAt),
    },
    ...(charge.finishedAt === null
      ? []
      : [
          charge.status === 'success'
            ? { type: 'success', message: `Successfully paid with ${charge.channel}`, time: seconds(charge.finishedAt) }
            : { type: 'error', message: `Error: ${charge.message}`, time: seconds(charge.finishedAt) },
        ]),
  ]);
  return {
    start_time: Math.floor(startedAt / 1000),
    time_spent: history.at(-1)?.time ?? 0,
    attempts: checkout.charges.length,
    errors: checkout.charges.filter((charge) => charge.status === 'failed').length,
    success: paidCharge(checkout) !== null,
    mobile: false,
    input: [],
    history,
  };
}

/** A refund, with the settlement it was taken off; the transaction is shown whole in the answer that creates the refund, by its id otherwise. */
export function presentRefund(
  simulator: Simulator,
  account: Account,
  refund: Refund,
  checkout: Checkout,
  transaction: unknown,
): Record<string, unknown> {
  return {
    transaction,
    integration: account.number,
    deducted_amount: refund.status === 'processed' ? refund.amount : 0,
    channel: null,
    merchant_note: refund.merchantNote ?? `Refund for transaction ${checkout.reference}`,
    customer_note: refund.customerNote ?? `Refund for transaction ${checkout.reference}`,
    status: refund.status,
    refunded_by: 'sandbox@example.com',
    expected_at: new Date(Date.parse(refund.createdAt) + 7 * 86_400_000).toISOString(),
    currency: refund.currency,
    domain: domainOf(account),
    amount: refund.amount,
    fully_deducted: refund.status === 'processed',
    settlement: settlementOf(simulator, refund)?.id ?? null,
    dispute: null,
    refunded_at: refund.status === 'processed' ? refund.updatedAt : null,
    id: refund.id,
    createdAt: refund.createdAt,
    updatedAt: refund.updatedAt,
  };
}

/** The customer in Paystack's form; the same e-mail address always has the same id and code. */
export function presentCustomer(checkout: Checkout): Record<string, unknown> {
  const digest = createHash('sha256').update(checkout.email).digest('hex');
  const [first, ...rest] = (checkout.customerName ?? '').split(' ');
  return {
    id: Number.parseInt(digest.slice(0, 7), 16),
    first_name: first === '' ? null : (first ?? null),
    last_name: rest.length > 0 ? rest.join(' ') : null,
    email: checkout.email,
    customer_code: `CUS_${digest.slice(0, 15)}`,
    phone: checkout.phone,
    metadata: null,
    risk_action: 'default',
    international_format_phone: null,
  };
}

/** Paystack's `domain`: the mode of the account's key. */
export function domainOf(account: Account): 'test' | 'live' {
  return account.key.startsWith('sk_live_') ? 'live' : 'test';
}

function gatewayResponse(charge: Charge | null): string {
  if (charge === null) return 'The transaction was not completed';
  if (charge.status === 'pending') return 'The customer is completing the payment';
  return charge.status === 'success' ? 'Successful' : charge.message;
}

/** The code of the card or account that paid, or null when nothing was paid. */
export function authorizationCode(charge: Charge | null): string | null {
  return charge === null ? null : `AUTH_${authorizationDigest(charge).slice(0, 10)}`;
}

function authorizationDigest(charge: Charge): string {
  return createHash('sha256').update(`${charge.card?.bin}${charge.card?.last4}${charge.id}`).digest('hex');
}

function presentAuthorization(charge: Charge | null): Record<string, unknown> {
  if (charge === null || charge.status !== 'success') return {};
  const digest = authorizationDigest(charge);
  const card = charge.card;
  return {
    authorization_code: authorizationCode(charge),
    bin: card?.bin ?? '008XXX',
    last4: card?.last4 ?? 'X553',
    exp_month: card?.expMonth ?? '10',
    exp_year: card?.expYear ?? '2030',
    channel: charge.channel,
    card_type: card === null ? 'transfer' : card.brand,
    bank: card === null ? null : 'TEST BANK',
    country_code: 'NG',
    brand: card === null ? 'Managed Account' : card.brand,
    reusable: card !== null,
    signature: card === null ? null : `SIG_${digest.slice(10, 30)}`,
    account_name: null,
    ...(charge.channel === 'bank_transfer' && {
      sender_country: 'NG',
      sender_bank: 'Sandbox Bank',
      sender_bank_account_number: 'XXXXXXX553',
      sender_name: 'Sandbox Customer',
      narration: 'Sandbox transfer',
    }),
  };
}
