import { parseExactJson } from '@switchyard/db/exact-json';
import type { PaymentMethod } from '@switchyard/routing';
import { type AskedNaira, koboToNaira, readRefundAmount } from '../amounts.ts';
import { readMetadata, textOf, withCustomerName } from '../customer-name.ts';
import { MAPPINGS } from '../mappings.ts';
import { readNumber } from '../numbers/numbers.ts';
import { type Fields, findUnmapped, isAbsent, isFields, readText, type TranslatedOrder } from '../order.ts';
import { type Problem, type Read, read, refused } from '../problem.ts';

/** A body of `POST /transaction/initialize`. `newReference` names a transaction that was sent without a reference. */
export function readInitialize(sent: Fields, newReference: () => string): Read<TranslatedOrder> {
  for (const field of ['email', 'amount']) if (isAbsent(sent[field])) return refused({ kind: 'missing_field', field });
  const metadata = readMetadata('metadata', parseText(sent.metadata), { takesLists: false });
  if (metadata.kind === 'refused') return metadata;
  const fields = { ...sent, metadata: metadata.value };
  const unmapped = findUnmapped(fields, MAPPINGS.paystack.refusedFields, 'POST /transaction/initialize');
  if (unmapped !== null) return refused(unmapped);
  const amount = koboToNaira(sent.amount);
  if (typeof amount === 'string') return refused(amountProblem(amount));
  const method = readChannels(sent.channels);
  if (method.kind === 'refused') return method;
  const reference = isAbsent(sent.reference) ? read(newReference()) : readText('reference', sent.reference);
  if (reference.kind === 'refused') return reference;
  const phone = isAbsent(sent.phone) ? null : readText('phone', sent.phone);
  if (phone?.kind === 'refused') return phone;
  const name = { first: textOf(sent.first_name), last: textOf(sent.last_name) };
  const kept = withCustomerName(metadata.value, name);
  return read({
    merchantOrderId: reference.value,
    amount,
    currency: isAbsent(sent.currency) ? 'NGN' : sent.currency,
    customer: { email: sent.email, ...(phone !== null && { phone: phone.value }) },
    ...(kept !== undefined && { metadata: kept }),
    ...(!isAbsent(sent.callback_url) && { redirectUrl: sent.callback_url }),
    ...(method.value !== null && { paymentMethod: method.value }),
  });
}

/** Paystack's names of the fields of an order, for problems found by the rules of the contract. */
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  merchantOrderId: 'reference',
  'customer.email': 'email',
  'customer.phone': 'phone',
  redirectUrl: 'callback_url',
  paymentMethod: 'channels',
};

/** A body of `POST /refund`. */
export interface RefundBody {
  /** A reference or a numeric id, as it was sent: a number is an id first, text a reference. */
  readonly transaction: { readonly reference: string; readonly number: number | null; readonly isNumber: boolean };
  readonly amount: AskedNaira;
  readonly reason: string | null;
  readonly customerNote: string | null;
  readonly merchantNote: string | null;
}

const NOTE_MAX = 200;

const REFUND_FIELDS = ['transaction', 'currency', 'customer_note', 'merchant_note'];

/** Reads a body of `POST /refund`. */
export function readRefund(sent: Fields): Read<RefundBody> {
  if (isAbsent(sent.transaction)) return refused({ kind: 'missing_field', field: 'transaction' });
  const transaction = readText('transaction', sent.transaction);
  if (transaction.kind === 'refused') return transaction;
  if (!isAbsent(sent.currency) && sent.currency !== 'NGN') {
    return refused({ kind: 'invalid_field', field: 'currency', rule: 'must be NGN' });
  }
  const amount = readRefundAmount(sent, REFUND_FIELDS, koboToNaira, amountProblem);
  if (amount.kind === 'refused') return amount;
  const merchantNote = readNote(sent.merchant_note);
  const customerNote = readNote(sent.customer_note);
  for (const [field, note] of Object.entries({ merchant_note: merchantNote, customer_note: customerNote })) {
    if (note === undefined) {
      return refused({ kind: 'invalid_field', field, rule: `must be text of at most ${NOTE_MAX} characters` });
    }
  }
  return read({
    transaction: {
      reference: transaction.value,
      number: readNumber(transaction.value),
      isNumber: typeof sent.transaction !== 'string',
    },
    amount: amount.value,
    reason: merchantNote ?? customerNote ?? null,
    customerNote: customerNote ?? null,
    merchantNote: merchantNote ?? null,
  });
}

/** A note, null for none, undefined for one that cannot be kept. */
function readNote(value: unknown): string | null | undefined {
  if (isAbsent(value)) return null;
  if (typeof value !== 'string' || [...value].length > NOTE_MAX) return undefined;
  return value.includes('\0') || !value.isWellFormed() ? undefined : value;
}

/** Why an amount is refused. */
export function amountProblem(why: 'not_an_amount' | 'not_whole_naira'): Problem {
  const rule =
    why === 'not_an_amount' ? 'must be a positive integer of kobo' : 'must be whole naira: a number of kobo that 100 divides';
  return { kind: 'invalid_field', field: 'amount', rule };
}

/** The payment method of one channel; null for none and for several. */
function readChannels(value: unknown): Read<string | null> {
  if (isAbsent(value)) return read(null);
  const parsed = parseText(value);
  // A form counts the items of a list.
  const list: readonly unknown[] | null = Array.isArray(parsed) ? parsed : isFields(parsed) ? Object.values(parsed) : null;
  if (list === null || !list.every((channel) => typeof channel === 'string')) {
    return refused({ kind: 'invalid_field', field: 'channels', rule: 'must be a list of channels' });
  }
  const [only, ...more] = list;
  if (only === undefined || more.length > 0) return read(null);
  const method = typeof only === 'string' && Object.hasOwn(CHANNELS, only) ? CHANNELS[only] : undefined;
  if (method !== undefined) return read(method);
  return refused({ kind: 'invalid_field', field: 'channels', rule: `must name one of ${Object.keys(CHANNELS).join(', ')}` });
}

/** The value of a JSON text; any other value, and text that is no JSON, as it is. */
function parseText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseExactJson(value);
  } catch {
    return value;
  }
}

/** Paystack's names of the payment methods. */
export const CHANNELS: Readonly<Record<string, PaymentMethod>> = {
  card: 'CARD',
  bank: 'BANK',
  bank_transfer: 'TRANSFER',
  ussd: 'USSD',
  qr: 'QR',
  mobile_money: 'MOBILE_MONEY',
  direct_debit: 'DIRECT_DEBIT',
};

const NAMES = new Map<string, string>(Object.entries(CHANNELS).map(([channel, method]) => [method, channel]));

/** Paystack's name of a payment method; null for one it has none for. */
export function channelOf(method: string | null): string | null {
  return method === null ? null : (NAMES.get(method) ?? null);
}
