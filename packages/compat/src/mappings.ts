import type { Dialect } from './dialect.ts';

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

/** All that a dialect maps, refuses or does otherwise. `docs/migrating.md` lists it; a test compares the two. */
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

const paystack: Mappings = {
  base: 'paystack',
  answered: [
    { call: INITIALIZE, becomes: 'begins a payment: `reference` is its `merchantOrderId`, kobo become naira' },
    { call: 'GET /transaction/verify/:reference', becomes: 'verifies the payment at the gateway that took it' },
    { call: 'GET /transaction', becomes: 'lists payments, newest first, by numbered pages or by cursors' },
    { call: 'GET /transaction/totals', becomes: 'adds up what was paid of the payments of a time' },
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
      here: 'must be whole naira, of payments, refunds and filters: kobo that 100 does not divide are refused with `Invalid Amount Sent`',
    },
    { what: '`currency`', here: 'NGN; any other is refused' },
    {
      what: '`channels`',
      here: 'one channel is the payment method; of several the customer may choose any that the gateway offers',
    },
    {
      what: '`access_code`',
      here: 'begins with `use_authorization_url_` and opens no Paystack popup: send the customer to `authorization_url`',
    },
    { what: '`authorization`', here: 'has no `authorization_code` and is never reusable' },
    {
      what: '`customer`',
      here: 'is an e-mail address; `first_name` and `last_name` are those that `POST /transaction/initialize` was sent, else null',
    },
    { what: '`customer`, a filter', here: 'takes the `id`, the `customer_code` and the e-mail address' },
    { what: '`from` and `to`', here: 'are inclusive; a day is a whole one of Lagos, and a time without a zone is in UTC' },
    { what: '`perPage`', here: 'is 50, and 100 at most; `meta.perPage` says how many it was' },
    {
      what: 'a numbered page after 100,000 others, or a filter that takes longer than a second to count',
      here: 'is refused: send `from` and `to`, or `use_cursor=true`',
    },
    { what: '`total_volume` of a page', here: 'is the sum of what the page shows' },
    {
      what: 'totals',
      here: 'are of paid transactions, refunded since or not; `pending_transfers` is 0, because each gateway pays out for itself',
    },
    { what: '`log` and `ip_address`', here: 'are null: what a customer did on a page is known to its gateway alone' },
    { what: '`label`', here: 'is taken and has no effect' },
    { what: '`fees`', here: 'are those of the gateway that took the payment' },
    { what: '`gateway_response`', here: 'is what the gateway that took the payment said' },
    {
      what: '`charge.dispute.*` events',
      here: "are not sent; `dispute.opened`, `dispute.closed` and `payment.reversed` in Switchyard's own form say what became of it",
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
    { call: PAYMENTS, field: 'payment_plan', why: 'subscriptions are not part of a payment switch' },
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
    { what: '`currency`', here: 'NGN; any other is refused' },
    {
      what: '`payment_options`',
      here: 'one is the payment method; of several the customer may choose any that the gateway offers',
    },
    {
      what: 'a repeated `tx_ref`',
      here: 'gives the same link again while it can be paid, for the same amount; otherwise it is refused',
    },
    { what: '`customizations`, `session_duration`, `link_expiration`, `configuration`', here: 'are taken and have no effect' },
    { what: '`customer`', here: 'is an e-mail address; `name` is that of `POST /v3/payments`, else `Anonymous customer`' },
    { what: '`from` and `to`', here: 'are inclusive; a day is a whole one of Lagos, and a time without a zone is in UTC' },
    {
      what: 'a page after 100,000 transactions, or a filter that takes longer than a second to count',
      here: 'is refused: send `from` and `to`',
    },
    { what: 'a link that was never opened', here: 'is a transaction of the status `pending`, not an error' },
    { what: 'a payment that was refunded whole, or whose money its gateway took back', here: 'has the status `reversed`' },
    { what: '`card`', here: 'has no digits, no issuer and no token' },
    { what: '`account`', here: 'is left out: the bank account that paid is not known here' },
    { what: '`app_fee`', here: 'is the fee of the gateway that took the payment' },
  ],
};

/** The mappings of every dialect. */
export const MAPPINGS: Readonly<Record<Dialect, Mappings>> = { paystack, flutterwave };
