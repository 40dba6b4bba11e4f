import { readNaira } from '../amounts.ts';
import { splitName, withCustomerName } from '../customer-name.ts';
import { MAPPINGS } from '../mappings.ts';
import { readMetadata } from '../metadata.ts';
import { type Fields, findUnmapped, isAbsent, isFields, readText, type TranslatedOrder } from '../order.ts';
import { type Problem, type Read, read, refused } from '../problem.ts';
import { type AskedNaira, readRefundAmount } from '../refund-amount.ts';
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
  const reference = readText('tx_ref', sent.tx_ref);
  if (reference.kind === 'refused') return reference;
  const sentPhone = [customer.phonenumber, customer.phone_number, customer.phone].find((value) => !isAbsent(value));
  const phone = sentPhone === undefined ? null : readText('customer.phonenumber', sentPhone);
  if (phone?.kind === 'refused') return phone;
  const meta = readMetadata('meta', sent.meta, { takesLists: true });
  if (meta.kind === 'refused') return meta;
  const metadata = withCustomerName(meta.value, splitName(customer.name));
  return read({
    merchantOrderId: reference.value,
    amount,
    currency: isAbsent(sent.currency) ? 'NGN' : sent.currency,
    customer: { email: customer.email, ...(phone !== null && { phone: phone.value }) },
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
  readonly amount: AskedNaira;
  readonly comments: string | null;
}

const COMMENTS_MAX = 200;
/** The official package for Node sends the id of the path and the method as well. */
const REFUND_FIELDS = ['comments', 'id', 'method'];

/** Reads a body of `POST /v3/transactions/:id/refund`; `transaction` is the id in the path. */
export function readRefund(sent: Fields, transaction: string): Read<RefundBody> {
  if (!isAbsent(sent.id)) {
    const id = readText('id', sent.id);
    if (id.kind === 'refused') return id;
    if (id.value !== transaction) return refused({ kind: 'invalid_field', field: 'id', rule: 'must be that of the path' });
  }
  const asked = readRefundAmount(sent, REFUND_FIELDS, readNaira, amountProblem);
  if (asked.kind === 'refused') return asked;
  const amount = asked.value;
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

/** Leaves the choice to the customer, as leaving the field out does. */
const EVERY_OPTION = 'all';

/** The payment method of one option; null for none and for several. */
function readOptions(value: unknown): Read<string | null> {
  if (isAbsent(value)) return read(null);
  if (typeof value !== 'string') {
    return refused({ kind: 'invalid_field', field: 'payment_options', rule: 'must be text, options separated by commas' });
  }
  const named = value.split(',').map((option) => option.trim().toLowerCase());
  const [only, ...more] = new Set(named.filter((option) => option !== ''));
  if (only === undefined || only === EVERY_OPTION || more.length > 0) return read(null);
  const method = Object.hasOwn(OPTIONS, only) ? OPTIONS[only] : undefined;
  if (method !== undefined) return read(method);
  const rule = `must name one of ${Object.keys(OPTIONS).join(', ')}`;
  return refused({ kind: 'invalid_field', field: 'payment_options', rule });
}
