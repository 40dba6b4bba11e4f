import type { RefundState } from '@switchyard/db/client';
import { type AskedNaira, readNaira, readRefundAmount } from '../amounts.ts';
import { readMetadata, splitName, withCustomerName } from '../customer-name.ts';
import {
  findUnusable,
  isOtherCurrency,
  type ListParameters,
  type NumberedPage,
  pagesOf,
  readNumberedPage,
  readPeriod,
} from '../list-query.ts';
import { MAPPINGS } from '../mappings.ts';
import { readNumber } from '../numbers/numbers.ts';
import { type Fields, findUnmapped, isAbsent, isFields, readText, type TranslatedOrder } from '../order.ts';
import { type DialectAnswer, type Problem, type Read, read, refused } from '../problem.ts';
import type { Period, TransactionFilter } from '../transactions/list-transactions.ts';
import type { TransactionState } from '../transactions/transaction.ts';
import { OPTIONS } from './write.ts';

export { succeed, writeListedRefund, writeListedTransaction, writeRefund, writeTransaction } from './write.ts';

/*
 * Queries and `meta` of lists, as https://developer.flutterwave.com/v3.0.0/reference/get-all-transactions and /get-all-refunds have them.
 * Pages have no size that can be chosen: it is that of the documented answers.
 */

const TRANSACTIONS_PER_PAGE = 10;
const REFUNDS_PER_PAGE = 20;

/** A query of `GET /v3/transactions`. */
interface TransactionListQuery {
  readonly filter: TransactionFilter;
  readonly page: NumberedPage;
}

const STATES: Readonly<Record<string, readonly TransactionState[]>> = {
  successful: ['paid'],
  failed: ['failed'],
  pending: ['open', 'under_review'],
  reversed: ['reversed'],
};

const TRANSACTIONS: ListParameters = {
  call: 'GET /v3/transactions',
  // The official package for Node sends only `email`.
  naming: [['tx_ref'], ['customer_email', 'email']],
  others: ['from', 'to', 'page', 'status', 'currency'],
};

/** Reads a query of `GET /v3/transactions`. */
export function readTransactionList(sent: Fields): Read<TransactionListQuery> {
  const unusable = findUnusable(sent, MAPPINGS.flutterwave.refusedFields, TRANSACTIONS);
  if (unusable !== null) return refused(unusable);
  const period = readPeriod(sent);
  if (period.kind === 'refused') return period;
  const page = readNumberedPage(sent.page, TRANSACTIONS_PER_PAGE);
  if (page.kind === 'refused') return page;
  const states = readWord(sent.status, STATES);
  if (states.kind === 'refused') return states;
  const { tx_ref: reference } = sent;
  const email = isAbsent(sent.customer_email) ? sent.email : sent.customer_email;
  const filter: TransactionFilter = {
    ...period.value,
    states: isOtherCurrency(sent) ? [] : states.value,
    customer: isAbsent(email) ? null : { email: String(email) },
    amount: null,
    method: null,
    reference: isAbsent(reference) ? null : String(reference),
  };
  return read({ filter, page: page.value });
}

/** A query of `GET /v3/refunds`. */
interface RefundListQuery extends Period {
  readonly states: readonly RefundState[] | null;
  readonly page: NumberedPage;
  /** The numeric id of the only transaction wanted; null for all. */
  readonly transaction: number | null;
}

/** `completed` has a word for each way of it, as `completed-mpgs`; both that begin so are read. */
const REFUND_STATES: Readonly<Record<string, readonly RefundState[]>> = {
  completed: ['SUCCEEDED'],
  successful: ['SUCCEEDED'],
  failed: ['FAILED'],
  processing: ['REQUESTED', 'PROCESSING'],
  pending: ['NEEDS_ATTENTION'],
};

const REFUNDS: ListParameters = {
  call: 'GET /v3/refunds',
  naming: [['id']],
  others: ['from', 'to', 'page', 'status', 'currency'],
};

/** Reads a query of `GET /v3/refunds`. */
export function readRefundList(sent: Fields): Read<RefundListQuery> {
  const unusable = findUnusable(sent, MAPPINGS.flutterwave.refusedFields, REFUNDS);
  if (unusable !== null) return refused(unusable);
  const period = readPeriod(sent);
  if (period.kind === 'refused') return period;
  const page = readNumberedPage(sent.page, REFUNDS_PER_PAGE);
  if (page.kind === 'refused') return page;
  const states = readWord(String(sent.status ?? '').replace(/^(completed|pending)-.*$/, '$1'), REFUND_STATES);
  if (states.kind === 'refused') return states;
  const transaction = isAbsent(sent.id) ? null : readNumber(sent.id);
  if (transaction === null && !isAbsent(sent.id)) {
    return refused({ kind: 'invalid_field', field: 'id', rule: 'must be the id of a transaction' });
  }
  return read({ ...period.value, states: isOtherCurrency(sent) ? [] : states.value, page: page.value, transaction });
}

function readWord<State>(status: unknown, words: Readonly<Record<string, readonly State[]>>): Read<readonly State[] | null> {
  if (isAbsent(status)) return read(null);
  const word = String(status).toLowerCase();
  const states = Object.hasOwn(words, word) ? words[word] : undefined;
  if (states !== undefined) return read(states);
  return refused({ kind: 'invalid_field', field: 'status', rule: `must be one of ${Object.keys(words).join(', ')}` });
}

/** `meta` of a list. */
export function writeMeta({ page, perPage }: NumberedPage, total: number) {
  return { page_info: { total, current_page: page, total_pages: pagesOf(total, perPage), page_size: perPage } };
}

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
interface RefundBody {
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

const RETRY_AFTER_S = '2';

/** A refusal in Flutterwave's form: `{status: 'error', message, data: null}`. */
export function refuse(problem: Problem): DialectAnswer {
  switch (problem.kind) {
    case 'invalid_key':
      return error(401, 'Invalid authorization key', { 'www-authenticate': 'Bearer' });
    case 'address_not_allowed':
      return error(403, `This key must not be used from ${problem.address ?? 'an unknown address'}`);
    case 'missing_scope':
      return error(403, `This key lacks the scope ${problem.scope}`);
    case 'too_many_requests':
      return error(429, 'Too many requests', { 'retry-after': String(Math.max(1, Math.ceil(problem.retryAfterS))) });
    case 'path_not_mapped':
      return error(404, 'Cannot find this call; /docs/migrating lists those that are answered here');
    case 'method_not_allowed':
      return error(405, `Method not allowed; use ${problem.allow.join(' or ')}`, { allow: problem.allow.join(', ') });
    case 'body_too_large':
      return error(413, 'Request body is too large: at most 64 KiB');
    case 'body_encoded':
      return error(415, 'Send the request body without Content-Encoding');
    case 'body_unreadable':
      return error(400, 'Invalid JSON in request body');
    case 'missing_field':
      return error(400, `${problem.field} is required`);
    case 'invalid_field':
      return error(400, `${problem.field} ${problem.rule}`);
    case 'field_not_mapped':
      return error(400, `${problem.field} is not supported: ${problem.why}`);
    case 'duplicate_reference':
      return error(400, 'Duplicate tx_ref: use one that no other transaction has');
    case 'in_flight':
      return error(409, `The first request with this ${problem.field} is still being worked on; try again shortly`, {
        'retry-after': RETRY_AFTER_S,
      });
    case 'key_reused':
      return error(422, 'This Idempotency-Key was used for another request');
    case 'transaction_not_found':
      return error(400, 'No transaction was found for this id');
    case 'refund_not_found':
      return error(404, 'No refund was found for this id');
    case 'no_gateway_opened':
      return error(400, 'No gateway could open a checkout for this payment; try again with a new tx_ref');
    case 'not_paid':
      return error(400, 'Only a successful transaction can be refunded');
    case 'refund_too_large':
      return error(400, `Refund amount is more than is left to refund: ${problem.left}`);
    case 'list_too_long':
      return error(400, 'Too many records to page through: send from and to for a shorter period');
    case 'unavailable':
      return error(503, 'Service unavailable; try again shortly', { 'retry-after': RETRY_AFTER_S });
    case 'internal':
      return error(500, `An error occurred; contact support with the request id ${problem.requestId}`);
    default:
      return problem satisfies never;
  }
}

function error(status: number, message: string, headers: Readonly<Record<string, string>> = {}): DialectAnswer {
  return { status, headers, body: JSON.stringify({ status: 'error', message, data: null }) };
}
