import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Account, type Charge, type Checkout, decisiveCharge } from '../ledger/records.ts';
import { json, type Reply } from '../server/router.ts';
import type { Simulator } from '../simulator.ts';

/** The envelope of most answers. */
export function success(data: unknown): Reply {
  return json(200, { status: 200, success: true, message: 'Success', data });
}

/** The usual refusal. */
export function problem(status: number, message: string): Reply {
  return json(status, { status, success: false, message, data: {} });
}

/** The refusal of a key: without a status in the body. */
export function refusedKey(status: 401 | 403, message: string): Reply {
  return json(status, { success: false, message, data: {} });
}

/** The refusal of a key by initiate, which has an envelope of its own. */
export function initiateUnauthorised(): Reply {
  return json(401, { status: 401, message: 'Initiate transaction Unauthorized', data: null });
}

/** A body that breaks the rules of initiate: problem details as RFC 7231 points to, with the messages of each field. */
export function validationProblem(errors: Readonly<Record<string, readonly string[]>>): Reply {
  return json(400, {
    type: 'https://tools.ietf.org/html/rfc7231#section-6.5.1',
    title: 'One or more validation errors occurred.',
    status: 400,
    traceId: `|${randomBytes(4).toString('hex')}-${randomBytes(8).toString('hex')}.`,
    errors,
  });
}

/** The answer about an unknown transaction reference. */
export const invalidReference = (): Reply => problem(400, 'Invalid transaction reference');

/** Kobo as an integer or a numeric string. */
export const koboSchema = z
  .union([z.number(), z.string().regex(/^\d{1,15}$/)])
  .transform(Number)
  .pipe(z.int().positive());

const textOrMissing = z.string().nullish();

/** Payment methods of a transaction, in the words of `payment_channels`. */
export const paymentChannels = ['card', 'bank', 'ussd', 'transfer'] as const;

/** The body of `POST /transaction/initiate`. The amount is in kobo. */
export const initiateSchema = z.object({
  email: z.email(),
  amount: koboSchema,
  currency: z.enum(['NGN', 'USD']),
  initiate_type: z.literal('inline'),
  // Documented as alphanumeric; references with hyphens and underscores are in use.
  transaction_ref: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .nullish(),
  customer_name: textOrMissing,
  callback_url: z.url({ protocol: /^https?$/ }).nullish(),
  payment_channels: z.array(z.enum(paymentChannels)).nullish(),
  metadata: z.json().nullish(),
  pass_charge: z.boolean().nullish(),
  is_recurring: z.boolean().nullish(),
});

/** A parsed request to open a payment page. */
export type Initiate = z.infer<typeof initiateSchema>;

/** The answer to a body that breaks the rules of initiate. */
export function initiateProblem(body: unknown, error: z.ZodError): Reply {
  const sent = z.record(z.string(), z.unknown()).safeParse(body);
  if (!sent.success) return validationProblem({ $: ['The JSON value could not be converted.'] });
  const errors: Record<string, string[]> = {};
  for (const { path } of error.issues) {
    const field = String(path[0] ?? '$');
    const value = sent.data[field];
    const missing = value === undefined || value === null || value === '';
    errors[field] = [missing ? `The ${field} field is required.` : `The ${field} field is not valid.`];
  }
  return validationProblem(errors);
}

/** The body of a refund. The amount is in kobo. */
export const refundRequestSchema = z.object({
  gateway_transaction_ref: z.string().min(1),
  transaction_ref: z.string().min(1),
  refund_type: z.enum(['Full', 'Partial']),
  reason_for_refund: z.string().min(1),
  refund_amount: koboSchema.nullish(),
});

/** A transaction's status in Squad's terms. A page without a payment is abandoned. */
export function squadStatus(_simulator: Simulator, checkout: Checkout): 'Success' | 'Failed' | 'Pending' | 'Abandoned' {
  const charge = decisiveCharge(checkout);
  if (charge === null) return 'Abandoned';
  switch (charge.status) {
    case 'success':
      return 'Success';
    case 'failed':
      return 'Failed';
    case 'pending':
      return 'Pending';
    default:
      return charge.status satisfies never;
  }
}

/** 1 %, as in the documentation's samples, NGN 1,500 at most; in kobo. */
export function chargesKobo(amountKobo: number): number {
  return Math.min(150_000, Math.ceil(amountKobo * 0.01));
}

/** The reference of one try: the transaction's, the number of its channel and the number of the try. */
export function gatewayReference(checkout: Checkout, charge: Charge): string {
  const attempt = checkout.charges.findIndex(({ id }) => id === charge.id) + 1;
  return `${checkout.reference}_${charge.channel === 'card' ? 1 : 2}_${Math.max(1, attempt)}`;
}

/** The transaction as verify shows it. */
export function presentVerified(simulator: Simulator, account: Account, checkout: Checkout): Record<string, unknown> {
  const charge = decisiveCharge(checkout);
  return {
    transaction_amount: charge?.status === 'success' ? charge.amount : checkout.amount,
    transaction_ref: checkout.reference,
    email: checkout.email,
    transaction_status: squadStatus(simulator, checkout),
    transaction_currency_id: checkout.currency,
    created_at: withoutZone(charge?.createdAt ?? checkout.createdAt),
    transaction_type: transactionType(charge),
    merchant_name: 'Sandbox Merchant',
    merchant_business_name: 'Sandbox Merchant',
    gateway_transaction_ref: charge === null ? null : gatewayReference(checkout, charge),
    recurring: null,
    merchant_email: merchantEmail(account),
    plan_code: null,
  };
}

/** The transaction as the list shows it: another selection of fields than verify's, and no reference of the try. */
export function presentListed(simulator: Simulator, account: Account, checkout: Checkout): Record<string, unknown> {
  const charge = decisiveCharge(checkout);
  const amount = charge?.status === 'success' ? charge.amount : checkout.amount;
  return {
    id: checkout.id,
    transaction_amount: amount,
    transaction_ref: checkout.reference,
    email: merchantEmail(account),
    merchant_id: merchantId(account),
    merchant_amount: amount - chargesKobo(amount),
    merchant_name: 'Sandbox Merchant',
    merchant_business_name: 'Sandbox Merchant',
    merchant_email: merchantEmail(account),
    customer_email: checkout.email,
    customer_name: checkout.customerName,
    meta_data: JSON.stringify(checkout.metadata ?? {}),
    meta: checkout.metadata ?? {},
    transaction_status: squadStatus(simulator, checkout).toLowerCase(),
    transaction_charges: 0,
    transaction_currency_id: checkout.currency,
    transaction_gateway_id: '',
    transaction_type: transactionType(charge),
    flat_charge: 0,
    is_suspicious: false,
    is_refund: false,
    created_at: checkout.createdAt.replace('Z', '+00:00'),
  };
}

/** The body of `charge_successful`. */
export function presentEvent(account: Account, checkout: Checkout, charge: Charge): Record<string, unknown> {
  return {
    amount: charge.amount,
    transaction_ref: checkout.reference,
    gateway_ref: gatewayReference(checkout, charge),
    transaction_status: 'Success',
    email: checkout.email,
    merchant_id: merchantId(account),
    currency: checkout.currency,
    transaction_type: transactionType(charge),
    merchant_amount: charge.amount - chargesKobo(charge.amount),
    created_at: withoutZone(charge.createdAt),
    customer_mobile: checkout.phone,
    meta: checkout.metadata ?? {},
    payment_information: paymentInformation(charge),
    is_recurring: false,
  };
}

/** The answer to a refund. Squad documents `pending` alone, and one reference for each try: refunds of one payment share it. */
export function presentRefund(checkout: Checkout, charge: Charge): Record<string, unknown> {
  return {
    gateway_refund_status: 'pending',
    refund_status: 2,
    refund_reference: `REFUND-${gatewayReference(checkout, charge)}`,
  };
}

/** Squad's id of a merchant: the same for an account at every call. */
export function merchantId(account: Account): string {
  return `SB${createHash('sha256').update(account.id).digest('hex').slice(0, 8).toUpperCase()}`;
}

function merchantEmail(account: Account): string {
  return `${merchantId(account).toLowerCase()}@example.com`;
}

function transactionType(charge: Charge | null): string | null {
  if (charge === null) return null;
  return charge.channel === 'card' ? 'Card' : 'Transfer';
}

function paymentInformation(charge: Charge): Record<string, unknown> {
  if (charge.card === null) return { payment_type: 'transfer' };
  const { bin, last4, brand } = charge.card;
  return { payment_type: 'card', pan: `${bin}******${last4}`, card_type: brand, token_id: null, recurring_id: null };
}

/** Squad's times of a single transaction carry no zone; they are taken to be UTC. */
function withoutZone(time: string): string {
  return time.replace('Z', '');
}
