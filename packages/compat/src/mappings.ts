import type { Dialect } from './problem.ts';

/** A call of a gateway that is answered, on our paths. */
export interface AnsweredCall {
  readonly call: string;
  readonly becomes: string;
}

/** A field that is refused with the gateway's own error. */
export interface RefusedField {
  readonly call: string;
  /** Names joined by points. */
  readonly field: string;
  /** Ends a sentence: why it cannot be mapped, or what to do. */
  readonly why: string;
  /** Values that ask for nothing: SDKs send them as defaults. */
  readonly harmless?: readonly unknown[];
}

/** A difference between the answer here and the gateway's. */
export interface Difference {
  readonly what: string;
  readonly here: string;
}

/** All that a dialect maps, refuses or does otherwise. The page `/docs/migrating` shows it. */
export interface Mappings {
  /** Part of the path after `/compat/`. */
  readonly base: string;
  readonly answered: readonly AnsweredCall[];
  readonly refusedFields: readonly RefusedField[];
  /** Calls that are refused, beside all others that are not answered. */
  readonly refusedCalls: readonly { readonly call: string; readonly why: string }[];
  readonly differences: readonly Difference[];
}

const INITIALIZE = 'POST /transaction/initialize';
const LIST = 'GET /transaction';
const NO_TERMINALS = 'no terminal takes payments here';
const SPLITS = 'money is divided at one gateway only, and the payment may go to another';

const NO_CURRENCY = { what: '`currency`', here: 'NGN; any other is refused' };
const LEFT_OUT = 'is refused';
const ONCE = {
  what: '`Idempotency-Key`',
  here: 'makes every POST safe to repeat: the same key and body get the first answer, another body 422',
};
const NO_QUERY = { what: 'the query of a POST', here: 'is refused: fields are sent in the body' };
const BODY = 'of up to 64 KiB, whose fields nest up to 19 levels';

/** The rule for an amount that may be left out for the whole, in either dialect. */
const partOrWhole = (known: string) =>
  `may be left out for all that is left; then any field but ${known} is refused. An empty one is refused`;
const ORDER_REFERENCE = 'text of up to 128 characters, or a whole number of any length';
const PHONE = 'text or a whole number of up to 32 characters';
const RETURN_ADDRESS = 'an absolute `https:` address of up to 2,048 characters, in test mode also `http:`';
const METADATA_LIMITS =
  'of up to five levels and 16 KiB; numbers that lose digits, such as integers beyond 9007199254740991, are refused: send text';

const paystack: Mappings = {
  base: 'paystack',
  answered: [
    { call: INITIALIZE, becomes: 'begins a payment: `reference` is its `merchantOrderId`, kobo become naira' },
    { call: 'GET /transaction/verify/:reference', becomes: 'verifies the payment at the gateway that took it' },
    { call: 'GET /transaction', becomes: 'lists payments, newest first, by numbered pages or by cursors' },
    { call: 'GET /transaction/totals', becomes: 'adds up paid payments of a period' },
    { call: 'GET /transaction/:id', becomes: 'reads the payment by its numeric id, without asking a gateway' },
    { call: 'POST /refund', becomes: 'requests a refund of a payment by reference or numeric id' },
    { call: 'GET /refund', becomes: 'lists refunds, newest first; those of one payment by `reference` or `transaction`' },
    { call: 'GET /refund/:id', becomes: 'reads a refund by its numeric id' },
  ],
  refusedFields: [
    { call: INITIALIZE, field: 'plan', why: 'subscriptions are not part of a payment switch' },
    { call: INITIALIZE, field: 'split_code', why: SPLITS },
    { call: INITIALIZE, field: 'split', why: SPLITS },
    { call: INITIALIZE, field: 'subaccount', why: SPLITS },
    { call: INITIALIZE, field: 'transaction_charge', why: SPLITS, harmless: [0, '0'] },
    { call: INITIALIZE, field: 'bearer', why: SPLITS, harmless: ['account'] },
    { call: INITIALIZE, field: 'invoice_limit', why: 'subscriptions are not part of a payment switch', harmless: [0, '0'] },
    {
      call: INITIALIZE,
      field: 'metadata.custom_filters',
      why: 'not every gateway can limit a checkout to banks or card brands',
    },
    { call: LIST, field: 'settlement', why: 'each gateway pays out for itself; payouts are at `GET /v1/settlements`' },
    {
      call: LIST,
      field: 'source',
      why: 'no terminal, page or invoice begins a payment here',
      harmless: ['merchantApi', 'checkout'],
    },
    { call: LIST, field: 'terminalid', why: NO_TERMINALS },
    { call: LIST, field: 'terminal_id', why: NO_TERMINALS },
    { call: LIST, field: 'virtual_account_number', why: 'the account that a customer pays to belongs to one gateway' },
    { call: LIST, field: 'subaccount_code', why: SPLITS },
    { call: LIST, field: 'split_code', why: SPLITS },
  ],
  refusedCalls: [
    { call: 'POST /transaction/charge_authorization', why: 'stored cards belong to one gateway' },
    { call: 'POST /transaction/partial_debit', why: 'stored cards belong to one gateway' },
    { call: 'POST /charge', why: 'customers pay on hosted pages only' },
    { call: 'GET /transaction/export', why: 'exports are in the dashboard' },
    { call: 'GET /transaction/timeline/:id', why: 'what a customer did on a page belongs to one gateway' },
    { call: 'POST /plan, /subscription, /subaccount, /split, /transfer, /customer', why: 'these are not payments' },
    { call: 'POST /refund/retry_with_customer_details/:id', why: 'not every gateway takes bank details for a refund' },
  ],
  differences: [
    {
      what: '`amount`',
      here: 'must be whole naira; other kobo are refused with `Invalid Amount Sent`',
    },
    NO_CURRENCY,
    { what: '`amount` of a refund', here: partOrWhole('`transaction`, `currency` and the two notes') },
    { what: '`reference` and `transaction`', here: ORDER_REFERENCE },
    { what: '`phone`', here: PHONE },
    { what: '`callback_url` and `metadata.cancel_action`', here: `are each ${RETURN_ADDRESS}` },
    { what: '`metadata`', here: `is an object or JSON text of one, ${METADATA_LIMITS}. A list and other text are refused` },
    {
      what: '`channels`',
      here: 'one of card, bank, bank_transfer, ussd, qr, mobile_money and direct_debit is the payment method, any other is refused; with several the customer chooses among all that the gateway offers',
    },
    {
      what: '`access_code`',
      here: 'begins with `use_authorization_url_`: send the customer to `authorization_url`',
    },
    { what: '`authorization`', here: 'has no `authorization_code` and is never reusable' },
    {
      what: '`customer`',
      here: 'is an e-mail address; names are those sent to `POST /transaction/initialize`, else null',
    },
    { what: '`customer`, a filter', here: 'takes the `id`, the `customer_code` and the e-mail address' },
    { what: '`from` and `to`', here: 'are inclusive; days are of Lagos, times without a zone UTC' },
    { what: '`perPage`', here: 'is 50 by default, at most 100' },
    {
      what: 'an undocumented or repeated filter, and an empty `amount`, `customer`, `transaction` or `reference`',
      here: LEFT_OUT,
    },
    ONCE,
    NO_QUERY,
    { what: 'a body', here: `is JSON or a form ${BODY}` },
    { what: 'any other field of `POST /transaction/initialize`', here: 'has no effect' },
    {
      what: 'a numbered page after 100,000 others, or a filter that takes longer than a second to count',
      here: 'is refused: send `from` and `to`, or `use_cursor=true`',
    },
    { what: '`total_volume` of a page', here: 'is the sum of what the page shows' },
    {
      what: 'totals',
      here: 'are of paid transactions, refunded or not; `pending_transfers` is 0',
    },
    { what: '`log` and `ip_address`', here: 'are null' },
    { what: '`label`', here: 'has no effect' },
    { what: '`fees`', here: 'are those of the gateway that took the payment' },
    { what: '`gateway_response`', here: 'is what the gateway that took the payment said' },
    {
      what: '`charge.dispute.*` events',
      here: "are not sent; use Switchyard's `dispute.opened`, `dispute.closed` and `payment.reversed`",
    },
  ],
};

const PAYMENTS = 'POST /v3/payments';

const flutterwave: Mappings = {
  base: 'flutterwave',
  answered: [
    { call: PAYMENTS, becomes: 'begins a payment: `tx_ref` is its `merchantOrderId`' },
    { call: 'GET /v3/transactions', becomes: 'lists payments, newest first, 10 a page' },
    { call: 'GET /v3/transactions/:id/verify', becomes: 'verifies the payment at the gateway that took it' },
    { call: 'GET /v3/transactions/verify_by_reference?tx_ref=', becomes: 'verifies the payment by its reference' },
    { call: 'POST /v3/transactions/:id/refund', becomes: 'requests a refund' },
    { call: 'GET /v3/refunds', becomes: 'lists refunds, newest first, 20 a page; those of one payment by its `id`' },
    { call: 'GET /v3/refunds/:id', becomes: 'reads a refund by its numeric id' },
  ],
  refusedFields: [
    { call: PAYMENTS, field: 'subaccounts', why: SPLITS },
    { call: PAYMENTS, field: 'payment_plan', why: 'subscriptions are not part of a payment switch', harmless: [0, '0'] },
    { call: PAYMENTS, field: 'payload_hash', why: 'the hash is made with a key of Flutterwave, which is not known here' },
    { call: 'GET /v3/transactions', field: 'customer_fullname', why: 'customers are found by `customer_email`' },
    { call: 'GET /v3/refunds', field: 'flw_ref', why: 'refunds of one transaction are found by its `id`' },
  ],
  refusedCalls: [
    { call: 'POST /v3/charges', why: 'customers pay on hosted pages only' },
    { call: 'POST /v3/tokenized-charges', why: 'stored cards belong to one gateway' },
    { call: 'POST /v3/transactions/:id/resend-hook', why: 'deliveries are resent in the dashboard' },
    { call: 'POST /v3/payments/link/disable', why: 'not every gateway can close a checkout' },
    { call: 'POST /v3/transfers, /payment-plans, /subaccounts, /virtual-account-numbers, /bills', why: 'these are not payments' },
  ],
  differences: [
    { what: '`amount`', here: 'must be whole naira, of payments and refunds: kobo are refused' },
    NO_CURRENCY,
    { what: '`amount` of a refund', here: `${partOrWhole('`comments`')}, and so is a request without a body` },
    { what: '`tx_ref`', here: ORDER_REFERENCE },
    { what: '`customer.phonenumber`', here: PHONE },
    { what: '`redirect_url`', here: `is ${RETURN_ADDRESS}` },
    {
      what: '`meta`',
      here: `is an object or a list, ${METADATA_LIMITS}. A list may have four levels, and is kept as \`switchyard_list\``,
    },
    {
      what: '`payment_options`',
      here: 'one of card, banktransfer, account, ussd, nqr, qr, opay and mobilemoney is the payment method, any other is refused; with several or `all` the customer chooses among all that the gateway offers',
    },
    {
      what: 'a repeated `tx_ref`',
      here: 'gives the same link while it can be paid, for the same amount, e-mail address and `redirect_url`, else it is refused. A second request waits for the first, and gets 409 with `Retry-After` after 20 seconds',
    },
    {
      what: '`customizations`, `session_duration`, `max_retry_attempt`, `link_expiration`, `configuration`, and any other field',
      here: 'have no effect',
    },
    {
      what: 'an undocumented or repeated filter, and an empty `tx_ref`, `id` or `customer_email`',
      here: LEFT_OUT,
    },
    ONCE,
    NO_QUERY,
    { what: 'a body', here: `is JSON ${BODY}` },
    { what: '`customer`', here: 'is an e-mail address; `name` is that of `POST /v3/payments`, else `Anonymous customer`' },
    { what: '`from` and `to`', here: 'are inclusive; days are of Lagos, times without a zone UTC' },
    {
      what: 'a page after 100,000 transactions, or a filter that takes longer than a second to count',
      here: 'is refused: send `from` and `to`',
    },
    { what: 'a link that was never opened', here: 'is a transaction with status `pending`' },
    { what: 'a fully refunded or reversed payment', here: 'has the status `reversed`' },
    { what: '`card`', here: 'has no digits, no issuer and no token' },
    { what: '`account`', here: 'is left out' },
    { what: '`app_fee`', here: 'is the fee of the gateway that took the payment' },
  ],
};

/** The mappings of every dialect. */
export const MAPPINGS: Readonly<Record<Dialect, Mappings>> = { paystack, flutterwave };
