import { readNaira } from '../amounts.ts';
import { splitName, withCustomerName } from '../customer-name.ts';
import { MAPPINGS } from '../mappings.ts';
import { type Fields, findUnmapped, isAbsent, isFields, type TranslatedOrder } from '../order.ts';
import { type Problem, type Read, read, refused } from '../problem.ts';
import { OPTIONS } from './options.ts';

/** A body of `POST /v3/payments`. */
export function readPayment(sent: Fields): Read<TranslatedOrder> {
  for (const field of ['tx_ref', 'amount']) if (isAbsent(sent[field])) return refused({ kind: 'missing_field', field });
  const customer = isFields(sent.customer) ? sent.customer : {};
  if (isAbsent(customer.email)) return refused({ kind: 'missing_field', field: 'customer.email' });
  const unmapped = findUnmapped(sent, MAPPINGS.flutterwave.refusedFields, 'POST /v3/payments');
  if (unmapped !== null) return refused(unmapped);
  const amount = readNaira(sent.amount);
  if (typeof amount === 'string') return refused(amountProblem(amount));
  const method = readOptions(sent.payment_options);
  if (method.kind === 'refused') return method;
  const phone = [customer.phonenumber, customer.phone_number, customer.phone].find((value) => !isAbsent(value));
  const metadata = withCustomerName(isAbsent(sent.meta) ? undefined : sent.meta, splitName(customer.name));
  return read({
    merchantOrderId: String(sent.tx_ref),
    amount,
    currency: isAbsent(sent.currency) ? 'NGN' : sent.currency,
    customer: { email: customer.email, ...(phone !== undefined && { phone: String(phone) }) },
    ...(metadata !== undefined && { metadata }),
    ...(!isAbsent(sent.redirect_url) && { redirectUrl: sent.redirect_url }),
    ...(method.value !== null && { paymentMethod: method.value }),
  });
}

/** Flutterwave's names of the fields of an order, for problems found by the rules of the contract. */
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  merchantOrderId: 'tx_ref',
  'customer.phone': 'customer.phonenumber',
  redirectUrl: 'redirect_url',
  paymentMethod: 'payment_options',
  metadata: 'meta',
};

/** A body of `POST /v3/transactions/:id/refund`. */
export interface RefundBody {
  /** Whole naira; null for all that is left. */
  readonly amount: number | null;
  readonly comments: string | null;
}

const COMMENTS_MAX = 200;

/** Reads a body of `POST /v3/transactions/:id/refund`. */
export function readRefund(sent: Fields): Read<RefundBody> {
  const amount = isAbsent(sent.amount) ? null : readNaira(sent.amount);
  if (typeof amount === 'string') return refused(amountProblem(amount));
  const { comments } = sent;
  if (isAbsent(comments)) return read({ amount, comments: null });
  if (
    typeof comments === 'string' &&
    [...comments].length <= COMMENTS_MAX &&
    !comments.includes('\0') &&
    comments.isWellFormed()
  ) {
    return read({ amount, comments });
  }
  return refused({ kind: 'invalid_field', field: 'comments', rule: `must be text of at most ${COMMENTS_MAX} characters` });
}

function amountProblem(why: 'not_an_amount' | 'not_whole_naira'): Problem {
  const rule = why === 'not_an_amount' ? 'must be a positive number of naira' : 'must be whole naira';
  return { kind: 'invalid_field', field: 'amount', rule };
}

/** The payment method of one option; null for none and for several. */
function readOptions(value: unknown): Read<string | null> {
  if (isAbsent(value)) return read(null);
  if (typeof value !== 'string') {
    return refused({ kind: 'invalid_field', field: 'payment_options', rule: 'must be text, options separated by commas' });
  }
  const [only, ...more] = value.split(',').map((option) => option.trim().toLowerCase());
  if (only === undefined || only === '' || more.length > 0) return read(null);
  const method = Object.hasOwn(OPTIONS, only) ? OPTIONS[only] : undefined;
  if (method !== undefined) return read(method);
  const rule = `must name one of ${Object.keys(OPTIONS).join(', ')}`;
  return refused({ kind: 'invalid_field', field: 'payment_options', rule });
}
