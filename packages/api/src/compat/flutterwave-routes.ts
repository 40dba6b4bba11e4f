import {
  countRefunds,
  countTransactions,
  findNumbered,
  listRefunds,
  listTransactions,
  numberRefund,
  readNumber,
} from '@switchyard/compat';
import * as flutterwave from '@switchyard/compat/flutterwave';
import { findRefundOf } from '@switchyard/payments/refund-lists';
import { idOfRequest } from '../rest/idempotency.ts';
import type { RouteLine } from '../rest/route-table.ts';
import { beginPayment } from './begin-payment.ts';
import {
  type CompatEndpoint,
  describeRecordedPayment,
  findCallersPayment,
  parametersOf,
  refundOwn,
  refundProblem,
  scopeOf,
  servePosted,
  verifyCallersPayment,
} from './compat-endpoint.ts';

/** `GET /v3/transactions` */
const getTransactions: CompatEndpoint = {
  method: 'GET',
  scope: 'payments:read',
  async serve({ payments, resources: { database } }, call) {
    const sent = parametersOf(call, 'flutterwave');
    const asked = sent.kind === 'refused' ? sent : flutterwave.readTransactionList(sent.value);
    if (asked.kind === 'refused') return flutterwave.refuse(asked.problem);
    const { filter, page } = asked.value;
    const scope = scopeOf(call);
    const place = { kind: 'skip', rows: page.skipped } as const;
    const found = await listTransactions(database, scope, { filter, place, limit: page.perPage }, payments.now());
    const total = await countTransactions(database, scope, filter);
    if (total === null) return flutterwave.refuse({ kind: 'list_too_long' });
    const data = (found?.items ?? []).map(flutterwave.writeListedTransaction);
    return flutterwave.succeed('Transactions fetched', data, flutterwave.writeMeta(page, total));
  },
};

/** `GET /v3/refunds` */
const getRefunds: CompatEndpoint = {
  method: 'GET',
  scope: 'refunds:read',
  async serve(switchyard, call) {
    const { database } = switchyard.resources;
    const sent = parametersOf(call, 'flutterwave');
    const asked = sent.kind === 'refused' ? sent : flutterwave.readRefundList(sent.value);
    if (asked.kind === 'refused') return flutterwave.refuse(asked.problem);
    const { transaction: number, page, ...rest } = asked.value;
    const payment = number === null ? null : await findCallersPayment(switchyard, call, { number });
    if (payment === undefined) return flutterwave.refuse({ kind: 'transaction_not_found', by: 'other' });
    const scope = scopeOf(call);
    const filter = { ...rest, paymentId: payment?.paymentId ?? null };
    const part = { filter, skipped: page.skipped, limit: page.perPage };
    const found = await listRefunds(database, scope, part, switchyard.payments.now());
    const total = await countRefunds(database, scope, filter);
    if (total === null) return flutterwave.refuse({ kind: 'list_too_long' });
    const data = found.map(({ refund, transaction }) => flutterwave.writeListedRefund(refund, transaction));
    return flutterwave.succeed('Refunds fetched', data, flutterwave.writeMeta(page, total));
  },
};

const createPayment: CompatEndpoint = {
  method: 'POST',
  scope: 'payments:write',
  serve: (switchyard, call) =>
    servePosted(switchyard, call, { dialect: 'flutterwave', idOf: null }, async (fields, run) => {
      const order = flutterwave.readPayment(fields);
      if (order.kind === 'refused') return flutterwave.refuse(order.problem);
      const beginner = { dialect: 'flutterwave', fieldNames: flutterwave.FIELD_NAMES, repeats: true } as const;
      const begun = await beginPayment(switchyard, call, order.value, beginner, run);
      if (begun.kind === 'refused') return flutterwave.refuse(begun.problem);
      return flutterwave.succeed('Hosted Link', { link: begun.value.session.redirectUrl });
    }),
};

const verifyByReference: CompatEndpoint = {
  method: 'GET',
  scope: 'payments:write',
  async serve(switchyard, call) {
    const [reference = '', ...more] = new URLSearchParams(call.request.query).getAll('tx_ref');
    if (reference === '') return flutterwave.refuse({ kind: 'missing_field', field: 'tx_ref' });
    if (more.length > 0) return flutterwave.refuse({ kind: 'invalid_field', field: 'tx_ref', rule: 'must be given once' });
    const payment = await findCallersPayment(switchyard, call, { reference });
    if (payment === undefined) return flutterwave.refuse({ kind: 'transaction_not_found', by: 'verify' });
    const transaction = await verifyCallersPayment(switchyard, call, payment);
    return flutterwave.succeed('Transaction fetched successfully', flutterwave.writeTransaction(transaction));
  },
};

const verifyByNumber: CompatEndpoint = {
  method: 'GET',
  scope: 'payments:write',
  async serve(switchyard, call) {
    const payment = await findCallersPayment(switchyard, call, { number: readNumber(call.params.number) ?? 0 });
    if (payment === undefined) return flutterwave.refuse({ kind: 'transaction_not_found', by: 'verify' });
    const transaction = await verifyCallersPayment(switchyard, call, payment);
    return flutterwave.succeed('Transaction fetched successfully', flutterwave.writeTransaction(transaction));
  },
};

const NO_BODY = { kind: 'invalid_field', field: 'body', rule: 'must be a JSON object; {} refunds all that is left' } as const;

const createRefund: CompatEndpoint = {
  method: 'POST',
  scope: 'refunds:write',
  serve: (switchyard, call) =>
    servePosted(switchyard, call, { dialect: 'flutterwave', idOf: idOfRequest }, async (fields, run) => {
      // A body that was lost on the way is not a refund of everything.
      const { body } = call.request;
      if (body.kind === 'bytes' && body.bytes.length === 0) return flutterwave.refuse(NO_BODY);
      const asked = flutterwave.readRefund(fields, call.params.number ?? '');
      if (asked.kind === 'refused') return flutterwave.refuse(asked.problem);
      const payment = await findCallersPayment(switchyard, call, { number: readNumber(call.params.number) ?? 0 });
      if (payment === undefined) return flutterwave.refuse({ kind: 'transaction_not_found', by: 'other' });
      const { amount, comments: reason } = asked.value;
      const outcome = await refundOwn(switchyard, payment, { amount, reason }, run);
      if (outcome.kind !== 'requested') return flutterwave.refuse(refundProblem(outcome));
      const refund = await numberRefund(switchyard.resources.database, outcome.refund, switchyard.payments.now());
      const data = flutterwave.writeRefund(refund, await describeRecordedPayment(switchyard, payment));
      return flutterwave.succeed('Transaction refund initiated', data);
    }),
};

const fetchRefund: CompatEndpoint = {
  method: 'GET',
  scope: 'refunds:read',
  async serve(switchyard, call) {
    const { resources, payments } = switchyard;
    const merchantId = call.caller.configuration.merchant.id;
    const number = readNumber(call.params.id) ?? 0;
    const refundId = await findNumbered(resources.database, merchantId, 'refund', number);
    const refund = refundId === null ? undefined : await findRefundOf(payments, call.caller, refundId, call.timings);
    if (refund === undefined) return flutterwave.refuse({ kind: 'refund_not_found' });
    const numbered = await numberRefund(resources.database, refund, payments.now());
    return flutterwave.succeed(
      'Refund fetched',
      flutterwave.writeRefund(numbered, await describeRecordedPayment(switchyard, refund)),
    );
  },
};

/** The calls of Flutterwave that are answered. */
export const FLUTTERWAVE_ROUTES: readonly RouteLine<CompatEndpoint>[] = [
  { path: '/v3/payments', endpoints: [createPayment] },
  { path: '/v3/transactions', endpoints: [getTransactions] },
  { path: '/v3/transactions/verify_by_reference', endpoints: [verifyByReference] },
  { path: '/v3/transactions/{number}/verify', endpoints: [verifyByNumber] },
  { path: '/v3/transactions/{number}/refund', endpoints: [createRefund] },
  { path: '/v3/refunds', endpoints: [getRefunds] },
  { path: '/v3/refunds/{id}', endpoints: [fetchRefund] },
];
