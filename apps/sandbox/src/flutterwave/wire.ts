import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Account, type Charge, type Checkout, decisiveCharge, type Refund } from '../ledger/records.ts';
import { json, type Reply } from '../server/router.ts';
import type { Simulator } from '../simulator.ts';

/** Flutterwave's error envelope. */
export function problem(status: number, message: string, extra: Record<string, unknown> = {}): Reply {
  return json(status, { status: 'error', message, data: null, ...extra });
}

/** The answer about an unknown transaction: 400, as at Flutterwave. */
export const transactionNotFound = (): Reply => problem(400, 'No transaction was found for this id');

/** Currencies that a payment link takes. */
export const supportedCurrencies = [
  'NGN',
  'GHS',
  'KES',
  'UGX',
  'TZS',
  'ZAR',
  'RWF',
  'ZMW',
  'XAF',
  'XOF',
  'EGP',
  'USD',
  'EUR',
  'GBP',
] as const;

/** Naira as a number or a numeric string, two decimals at most. */
export const nairaSchema = z
  .union([z.number(), z.string().regex(/^\d{1,13}(\.\d{1,2})?$/)])
  .transform(Number)
  .pipe(z.number().positive().max(10_000_000_000_000))
  .refine((amount) => Number(amount.toFixed(2)) === amount);

const textOrMissing = z.string().nullish();
const tries = z.coerce.number().int().min(1).max(100);
const minutes = z.coerce.number().int().min(1).max(1440);

/** The body of `POST /v3/payments`. Times are minutes. */
export const paymentSchema = z.object({
  tx_ref: z.string().min(1).max(100),
  amount: nairaSchema,
  currency: z.enum(supportedCurrencies).nullish(),
  redirect_url: z.url({ protocol: /^https?$/ }).nullish(),
  customer: z.object({ email: z.email(), name: textOrMissing, phonenumber: textOrMissing, phone_number: textOrMissing }),
  payment_options: textOrMissing,
  session_duration: minutes.nullish(),
  max_retry_attempt: tries.nullish(),
  configuration: z.object({ session_duration: minutes.nullish(), max_retry_attempt: tries.nullish() }).nullish(),
  link_expiration: z.iso.datetime({ offset: true, local: true }).nullish(),
  customizations: z.object({ title: textOrMissing, description: textOrMissing, logo: textOrMissing }).nullish(),
  meta: z.json().nullish(),
});

/** A parsed request for a payment link. */
export type Payment = z.infer<typeof paymentSchema>;

/** The body of a refund; without an amount all that is left is refunded. */
export const refundRequestSchema = z.object({ amount: nairaSchema.nullish(), comments: textOrMissing });

/** The answer to a body that breaks the rules of a payment: the first problem, in a sentence. */
export function paymentProblem(body: unknown, error: z.ZodError): Reply {
  const issue = error.issues[0];
  const path = issue?.path.map(String) ?? [];
  const missing = valueAt(body, path) === undefined;
  const name = path.join('.');
  if (name === '') return problem(400, 'Invalid request body');
  if (missing) return problem(400, `${name} is required`);
  if (name === 'currency') return problem(400, 'Currency is not supported');
  return problem(400, `${name} is invalid`);
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    const record = z.record(z.string(), z.unknown()).safeParse(value);
    return record.success ? record.data[key] : undefined;
  }, body);
}

/** Flutterwave's status of a charge. */
export function chargeStatus(charge: Charge): 'successful' | 'pending' | 'failed' {
  switch (charge.status) {
    case 'success':
      return 'successful';
    case 'pending':
      return 'pending';
    case 'failed':
      return 'failed';
    default:
      return charge.status satisfies never;
  }
}

/** There is no transaction until the customer submits something. */
export function checkoutStatus(_desk: Simulator, checkout: Checkout): string {
  const charge = decisiveCharge(checkout);
  return charge === null ? 'not_started' : chargeStatus(charge);
}

/** 1.4 %, NGN 2,000 at most; in naira with two decimals. */
export function appFee(amount: number): number {
  return Math.min(2_000, Math.round(amount * 1.4) / 100);
}

/** The transaction as verify and list show it. */
export function presentTransaction(account: Account, checkout: Checkout, charge: Charge): Record<string, unknown> {
  const fee = charge.fee ?? appFee(charge.amount);
  return {
    ...presentCharge(account, checkout, charge),
    meta: metaOf(checkout, charge),
    amount_settled: charge.status === 'success' ? Number((charge.amount - fee).toFixed(2)) : 0,
    customer: presentCustomer(checkout),
  };
}

/** Values that the merchant sent, and of a transfer that was received the account it came from. */
function metaOf({ metadata }: Checkout, charge: Charge): unknown {
  const originator = charge.status === 'success' ? presentOriginator(charge) : null;
  if (originator === null) return metadata;
  return typeof metadata === 'object' && !Array.isArray(metadata) ? { ...metadata, ...originator } : originator;
}

/** A transaction as the list shows it: ids are texts there, and the customer is not nested. */
export function presentListed(account: Account, checkout: Checkout, charge: Charge): Record<string, unknown> {
  const { card: _, meta: __, customer: ___, ...row } = presentTransaction(account, checkout, charge);
  const customer = { customer_name: checkout.customerName ?? 'Anonymous customer', customer_email: checkout.email };
  return { ...row, id: String(charge.id), account_id: String(account.number), ...customer };
}

/** The part that verify and the webhook have in common. */
export function presentCharge(account: Account, checkout: Checkout, charge: Charge): Record<string, unknown> {
  return {
    id: charge.id,
    tx_ref: checkout.reference,
    flw_ref: flwRef(charge),
    device_fingerprint: digestOf(charge.ip).slice(0, 32),
    amount: charge.amount,
    currency: checkout.currency,
    charged_amount: charge.amount,
    app_fee: charge.fee ?? appFee(charge.amount),
    merchant_fee: 0,
    processor_response: processorResponse(charge),
    auth_model: authModel(charge),
    ip: charge.ip,
    narration: checkout.title ?? 'Sandbox merchant',
    status: chargeStatus(charge),
    payment_type: charge.channel,
    created_at: charge.createdAt,
    account_id: account.number,
    ...(charge.card === null ? {} : { card: presentCard(charge.card) }),
  };
}

/** The account that a transfer came from, masked. */
export function presentOriginator(charge: Charge): Record<string, unknown> | null {
  if (charge.channel !== 'bank_transfer') return null;
  return {
    originatorname: 'SANDBOX CUSTOMER',
    bankname: 'Sandbox Bank',
    originatoramount: 'N/A',
    originatoraccountnumber: '123*******90',
  };
}

/** The timeline of a transaction. */
export function presentEvents(checkout: Checkout, charge: Charge): Record<string, unknown>[] {
  const event = (action: string, note: string, created_at: string): Record<string, unknown> => {
    return { note, actor: checkout.email, object: 'modal', action, context: 'web', created_at };
  };
  const way = charge.channel === 'card' ? 'card' : 'bank transfer';
  return [
    event('loaded', 'Loaded the payment page', checkout.createdAt),
    event('click', `Pay button clicked: ${way}`, charge.createdAt),
    ...(charge.finishedAt === null
      ? []
      : [event('charge request', `Charge ${chargeStatus(charge)}: ${charge.message}`, charge.finishedAt)]),
  ];
}

/** The customer in Flutterwave's form; the same e-mail address always has the same id. */
export function presentCustomer(checkout: Checkout): Record<string, unknown> {
  return {
    id: Number.parseInt(digestOf(checkout.email).slice(0, 7), 16),
    name: checkout.customerName ?? 'Anonymous customer',
    phone_number: checkout.phone ?? 'N/A',
    email: checkout.email,
    created_at: checkout.createdAt,
  };
}

/**
 * Flutterwave's status of a refund: by the way it was paid out at the end, and before that `processing`, or a bare `completed`, "initiated
 * and pending disbursement", for an account that chooses so.
 */
export function refundStatus(account: Account, refund: Refund, charge: Charge): string {
  switch (refund.status) {
    case 'pending':
    case 'processing':
    case 'needs-attention':
      return account.credentials.refundAnswer === 'completed' ? 'completed' : 'processing';
    case 'processed':
      return charge.channel === 'card' ? 'completed-mpgs' : 'completed-bank-transfer';
    case 'failed':
      return 'failed';
    default:
      return refund.status satisfies never;
  }
}

/** A refund as answers about one show it; amounts in main units. */
export function presentRefund(account: Account, refund: Refund, charge: Charge): Record<string, unknown> {
  return {
    id: refund.id,
    account_id: account.number,
    tx_id: charge.id,
    flw_ref: flwRef(charge),
    wallet_id: account.number,
    amount_refunded: refund.amount,
    status: refundStatus(account, refund, charge),
    destination: 'payment_source',
    comments: refund.merchantNote,
    meta: { source: 'availablebalance' },
    created_at: refund.createdAt,
  };
}

/** A refund as the list shows it, under names of the list's own, with `meta` as text. */
export function presentListedRefund(account: Account, refund: Refund, charge: Charge): Record<string, unknown> {
  return {
    id: refund.id,
    amount_refunded: refund.amount,
    status: refundStatus(account, refund, charge),
    flw_ref: flwRef(charge),
    comment: refund.merchantNote,
    settlement_id: 'NEW',
    meta: JSON.stringify({ source: 'availablebalance' }),
    created_at: refund.createdAt,
    account_id: account.number,
    transaction_id: charge.id,
  };
}

/** Flutterwave's own reference of a charge: the same for a charge at every call. */
export function flwRef(charge: Charge): string {
  return `FLW-MOCK-${digestOf(String(charge.id)).slice(0, 32)}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function processorResponse(charge: Charge): string {
  return charge.status === 'pending' ? 'Pending validation' : charge.message;
}

function authModel(charge: Charge): string {
  if (charge.channel === 'bank_transfer') return 'AUTH';
  if (charge.testCard?.includes('3D Secure') === true) return 'VBVSECURECODE';
  return charge.testCard?.includes('PIN') === true ? 'PIN' : 'noauth';
}

function presentCard(card: NonNullable<Charge['card']>): Record<string, unknown> {
  return {
    first_6digits: card.bin,
    last_4digits: card.last4,
    issuer: `${card.brand.toUpperCase()} TEST BANK`,
    country: 'NIGERIA NG',
    type: card.brand.toUpperCase(),
    token: `flw-t1nf-${digestOf(card.bin + card.last4).slice(0, 32)}-m03k`,
    expiry: `${card.expMonth}/${card.expYear.slice(-2)}`,
  };
}
