import { z } from 'zod';
import { type Charge, type Checkout, decisiveCharge, paidCharge, type Refund } from '../ledger/records.ts';
import { json, type Reply } from '../server/router.ts';
import type { Simulator } from '../simulator.ts';

/** Kora's error envelope; `data` names the fields that were refused, or is null. */
export function problem(status: number, message: string, data: Record<string, unknown> | null = null): Reply {
  return json(status, { status: false, message, data });
}

/** Neither the status nor more than the messages of these is documented. */
export const chargeNotFound = (): Reply => problem(404, 'Charge not found');

/** The answer about an unknown refund reference. */
export const refundNotFound = (): Reply => problem(404, 'Refund not found');

/** The answer to a payment reference that was used before. */
export const duplicatePayment = (): Reply => problem(409, 'Duplicate payment reference');

/** The answer to a refund reference that was used before. */
export const duplicateRefund = (reference: string): Reply => problem(409, `Refund already exists with reference ${reference}`);

/** `data` holds a message for each field that was refused. */
export function invalidRequest(error: z.ZodError): Reply {
  const messages = error.issues.map(({ path, message }) => [path.map(String).join('.') || 'body', { message }] as const);
  return problem(400, 'Invalid request data', Object.fromEntries(messages));
}

/** The answer to a body that is no JSON. */
export const invalidJson = (): Reply => problem(400, 'Invalid request data', { body: { message: 'body must be valid JSON' } });

const supportedCurrencies = ['NGN', 'KES', 'GHS', 'ZAR', 'XAF', 'XOF', 'EGP', 'TZS', 'USD'] as const;
const koraChannels = ['card', 'bank_transfer', 'pay_with_bank', 'mobile_money'] as const;

/** The least by any method, and the most by the method that takes most: bank transfer. */
const minNaira = 100;
const maxNaira = 10_000_000;
const referenceMaxLength = 50;

/** Naira as a number, two decimals at most. */
const nairaSchema = z
  .number({ error: 'amount must be a number' })
  .positive({ error: 'amount must be a positive number' })
  .refine((amount) => Number(amount.toFixed(2)) === amount, { error: 'amount must have at most two decimals' });

const referenceSchema = z
  .string({ error: 'reference is required' })
  .min(8, { error: 'reference length must be at least 8 characters long' })
  .max(referenceMaxLength, { error: `reference length must be less than or equal to ${referenceMaxLength} characters long` });

const webAddress = z.url({ protocol: /^https?$/, error: 'must be a valid uri' });

/** At most five entries, none of them empty, keys of up to 20 letters, digits and hyphens. */
const metadataSchema = z
  .record(z.string().regex(/^[A-Za-z0-9-]{1,20}$/), z.json(), { error: 'metadata keys must be letters, digits or hyphens' })
  .refine((metadata) => Object.keys(metadata).length <= 5, { error: 'metadata must have at most 5 keys' })
  .refine((metadata) => Object.keys(metadata).length > 0, { error: 'metadata must not be empty' });

/** Body of `POST /charges/initialize`. */
export const initializeSchema = z
  .object({
    amount: nairaSchema
      .min(minNaira, { error: `amount must be at least NGN ${minNaira}` })
      .max(maxNaira, { error: `amount must be at most NGN ${maxNaira}` }),
    currency: z.enum(supportedCurrencies, { error: 'currency is not supported' }),
    reference: referenceSchema,
    customer: z.object(
      { email: z.email({ error: 'customer.email must be a valid email' }), name: z.string().min(1).nullish() },
      { error: 'customer is required' },
    ),
    redirect_url: webAddress.nullish(),
    notification_url: webAddress.nullish(),
    narration: z.string().nullish(),
    channels: z
      .array(z.enum(koraChannels, { error: 'channels is invalid' }))
      .min(1)
      .nullish(),
    default_channel: z.enum(koraChannels, { error: 'default_channel is invalid' }).nullish(),
    metadata: metadataSchema.nullish(),
    merchant_bears_cost: z.boolean({ error: 'merchant_bears_cost must be a boolean' }).nullish(),
  })
  .refine(
    ({ channels, default_channel: preferred }) =>
      preferred === null ||
      preferred === undefined ||
      channels === null ||
      channels === undefined ||
      channels.includes(preferred),
    { path: ['default_channel'], error: 'default_channel must be one of channels' },
  );

/** A parsed body of `POST /charges/initialize`. */
export type Initialize = z.infer<typeof initializeSchema>;

/** Body of `POST /refunds/initiate`; the last two are the sandbox's, at Kora too. */
export const refundRequestSchema = z.object({
  payment_reference: z.string({ error: 'payment_reference is required' }).min(1),
  reference: z
    .string({ error: 'reference is required' })
    .min(1, { error: 'reference is not allowed to be empty' })
    .max(referenceMaxLength, { error: `reference length must be less than or equal to ${referenceMaxLength} characters long` }),
  amount: nairaSchema.nullish(),
  reason: z.string().max(50, { error: 'reason length must be less than or equal to 50 characters long' }).nullish(),
  webhook_url: webAddress.nullish(),
  completion_status: z.enum(['success', 'failed'], { error: 'completion_status is invalid' }).nullish(),
  status_reason: z.string().max(200).nullish(),
});

/** `YYYY-MM-DD-HH-MM-SS`, taken as UTC, as milliseconds. */
const secondSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}-\d{2}-\d{2}-\d{2}$/, { error: 'must be written as YYYY-MM-DD-HH-MM-SS' })
  .transform((text) => Date.parse(`${text.slice(0, 10)}T${text.slice(11).replaceAll('-', ':')}Z`))
  .refine((time) => !Number.isNaN(time), { error: 'must be a date' });

/** `YYYY-MM-DD`, a day in UTC, as the milliseconds of its first second. */
const daySchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be written as YYYY-MM-DD' })
  .transform((text) => Date.parse(`${text}T00:00:00Z`))
  .refine((time) => !Number.isNaN(time), { error: 'must be a date' });

const paging = {
  currency: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(10),
  starting_after: z.string().min(1).optional(),
  ending_before: z.string().min(1).optional(),
};

function usesOnePointer(query: {
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
}): boolean {
  return query.starting_after === undefined || query.ending_before === undefined;
}

const onePointer = { path: ['starting_after'], error: 'starting_after and ending_before must be used separately' };

/** Query of the list of pay-ins. */
export const listQuerySchema = z
  .object({ ...paging, date_from: secondSchema.optional(), date_to: secondSchema.optional() })
  .refine(usesOnePointer, onePointer);

/** Query of the list of refunds, which takes whole days, the last included. */
export const refundListQuerySchema = z
  .object({ ...paging, date_from: daySchema.optional(), date_to: daySchema.transform((day) => day + 86_399_000).optional() })
  .refine(usesOnePointer, onePointer);

/** A parsed query of a list. */
export type ListQuery = z.infer<typeof listQuerySchema>;

/** A charge's status in Kora's terms. A page that is over without a try to pay has expired. */
export function koraStatus(simulator: Simulator, checkout: Checkout): string {
  const charge = decisiveCharge(checkout);
  if (charge === null) return isOver(simulator, checkout) ? 'expired' : 'pending';
  switch (charge.status) {
    case 'pending':
      return 'processing';
    case 'success':
      return 'success';
    case 'failed':
      return 'failed';
    default:
      return charge.status satisfies never;
  }
}

function isOver(simulator: Simulator, checkout: Checkout): boolean {
  return checkout.closed || (checkout.expiresAt !== null && Date.parse(checkout.expiresAt) <= simulator.now());
}

/** 1.5 %, NGN 2,000 at most, and 7.5 % VAT on it; in naira with two decimals. */
export function koraFee(amount: number): number {
  const fee = Math.min(2_000, amount * 0.015);
  return Math.round(fee * 107.5) / 100;
}

/**
 * "If you are accepting overpayments or underpayments, the accepted amount would be the exact amount your customer paid. If you are not […], this
 * would be the amount you passed to us": the account chooses what becomes of the excess.
 */
function acceptedOf({ ledger }: Simulator, { accountId, amount }: Checkout, paid: number): number {
  const returnsExcess = ledger.account(accountId)?.credentials.overpayments === 'returned';
  return returnsExcess ? Math.min(paid, amount) : paid;
}

/** The charge as a look-up shows it; money as text with two decimals. */
export function presentCharge(simulator: Simulator, checkout: Checkout): Record<string, unknown> {
  const charge = decisiveCharge(checkout);
  const paid = paidCharge(checkout);
  return {
    reference: checkout.reference,
    status: koraStatus(simulator, checkout),
    amount: naira(checkout.amount),
    amount_paid: naira(paid?.amount ?? 0),
    amount_accepted: naira(acceptedOf(simulator, checkout, paid?.amount ?? 0)),
    fee: naira(paid === null ? 0 : koraFee(paid.amount)),
    currency: checkout.currency,
    description: checkout.title ?? 'Payment to sandbox merchant',
    payment_method: charge?.channel ?? null,
    message: charge === null || charge.status === 'pending' ? null : charge.message,
    metadata: checkout.metadata,
    ...(charge?.card === null || charge === null ? {} : { card: presentCard(charge.card) }),
    ...(paid?.channel === 'bank_transfer' && {
      virtual_bank_account_details: {
        payer_bank_account: {
          bank_name: 'Sandbox Bank',
          account_name: 'Sandbox Customer',
          account_number: '******4872',
        },
      },
    }),
  };
}

/** The charge as `GET /pay-ins` shows it. */
export function presentPayIn(simulator: Simulator, checkout: Checkout): Record<string, unknown> {
  const charge = decisiveCharge(checkout);
  const { reference, status, amount, amount_paid, amount_accepted, fee, currency, description, payment_method, message } =
    presentCharge(simulator, checkout);
  return {
    pointer: pointerOf(checkout),
    reference,
    status,
    amount,
    amount_paid,
    amount_accepted,
    amount_expected: amount,
    fee,
    currency,
    description,
    payment_method,
    message,
    date_created: listTime(checkout.createdAt),
    date_completed: charge?.finishedAt === null || charge === null ? null : listTime(charge.finishedAt),
  };
}

/** `data` of the webhook about a successful charge; money as numbers. */
export function presentEvent(checkout: Checkout, charge: Charge): Record<string, unknown> {
  return {
    reference: checkout.reference,
    currency: checkout.currency,
    amount: charge.amount,
    amount_expected: checkout.amount,
    fee: koraFee(charge.amount),
    status: charge.status === 'success' ? 'success' : 'failed',
    payment_method: charge.channel,
    payment_reference: checkout.reference,
  };
}

/** The merchant's reference of a refund, or Kora's own for one that was made on its dashboard. */
export function refundReference(refund: Refund): string {
  return refund.reference ?? `KPY-RFD-${refund.id}`;
}

/** Kora's status of a refund. */
export function refundStatus(refund: Refund): 'processing' | 'success' | 'failed' {
  switch (refund.status) {
    case 'pending':
    case 'processing':
    case 'needs-attention':
      return 'processing';
    case 'processed':
      return 'success';
    case 'failed':
      return 'failed';
    default:
      return refund.status satisfies never;
  }
}

/** A refund as the request for it is answered. */
export function presentRefund(refund: Refund, checkout: Checkout): Record<string, unknown> {
  return {
    refund_reference: refundReference(refund),
    refund_date: refund.createdAt,
    status: refundStatus(refund),
    payment_reference: checkout.reference,
    reason: refund.merchantNote,
    amount_returned: refund.amount,
    currency: refund.currency,
  };
}

/** A refund as a look-up and the list show it; money as text with two decimals. */
export function presentFoundRefund(refund: Refund, checkout: Checkout): Record<string, unknown> {
  const charge = paidCharge(checkout);
  return {
    amount: naira(refund.amount),
    status: refundStatus(refund),
    currency: refund.currency,
    destination: 'customer',
    reference: refundReference(refund),
    reason: refund.merchantNote,
    payment_reference: checkout.reference,
    transaction_amount: naira(charge?.amount ?? checkout.amount),
    payment_method: charge?.channel ?? null,
    created_at: listTime(refund.createdAt),
    completed_at: refundStatus(refund) === 'processing' ? null : listTime(refund.updatedAt),
  };
}

/** A refund as the list shows it. */
export function presentListedRefund(refund: Refund, checkout: Checkout): Record<string, unknown> {
  const { destination: _, payment_method: __, ...row } = presentFoundRefund(refund, checkout);
  return { pointer: pointerOf(refund), ...row };
}

/** `data` of the webhook about a refund that has ended. */
export function presentRefundEvent(refund: Refund, checkout: Checkout): Record<string, unknown> {
  const succeeded = refund.status === 'processed';
  return {
    amount: refund.amount,
    status: succeeded ? 'success' : 'failed',
    status_reason: refund.customerNote ?? (succeeded ? 'Refund completed' : 'Refund rejected by the customer’s bank'),
    currency: refund.currency,
    reference: refundReference(refund),
    payment_reference: checkout.reference,
    created_at: refund.createdAt,
    completed_at: refund.updatedAt,
  };
}

/** The cursor that a list's `starting_after` and `ending_before` take. */
export function pointerOf(record: { readonly id: number }): string {
  return `cus_${record.id}`;
}

function presentCard(card: NonNullable<Charge['card']>): Record<string, unknown> {
  return {
    card_type: card.brand,
    first_six: card.bin,
    last_four: card.last4,
    expiry: `${card.expMonth}/${card.expYear.slice(-2)}`,
  };
}

function naira(amount: number): string {
  return amount.toFixed(2);
}

/** `2026-11-22 12:24:29`: lists show times without their zone; here it is UTC. */
function listTime(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}
