import {
  countRefunds,
  countTransactions,
  findNumbered,
  listRefunds,
  listTransactions,
  numberRefund,
  readNumber,
  readTotals,
} from '@switchyard/compat';
import * as paystack from '@switchyard/compat/paystack';
import { findRefundOf } from '@switchyard/payments/refund-lists';
import { idOfRequest } from '../rest/idempotency.ts';
import type { RouteLine } from '../rest/route-table.ts';
import { beginPayment, isRedirectUrl } from './begin-payment.ts';
import {
  type CompatEndpoint,
  describeRecordedPayment,
  findCallersPayment,
  findNamedPayment,
  parametersOf,
  refundOwn,
  refundProblem,
  scopeOf,
  servePosted,
  verifyCallersPayment,
} from './compat-endpoint.ts';

/** `GET /transaction` */
const getTransactions: CompatEndpoint = {
  method: 'GET',
  scope: 'payments:read',
  async serve({ payments, resources: { database } }, call) {
    const sent = parametersOf(call, 'paystack');
    const asked = sent.kind === 'refused' ? sent : paystack.readTransactionList(sent.value);
    if (asked.kind === 'refused') return paystack.refuse(asked.problem);
    const { filter, place, perPage, page } = asked.value;
    const scope = scopeOf(call);
    const found = await listTransactions(database, scope, { filter, place, limit: perPage }, payments.now());
    if (found === null) {
      const field = place.kind === 'before' ? 'previous' : 'next';
      return paystack.refuse({ kind: 'invalid_field', field, rule: 'must be a cursor of an earlier answer' });
    }
    const data = found.items.map(paystack.writeTransaction);
    if (page === null) return paystack.succeed('Transactions retrieved', data, paystack.writeCursorMeta(found, perPage));
    const total = await countTransactions(database, scope, filter);
    if (total === null) return paystack.refuse({ kind: 'list_too_long' });
    return paystack.succeed('Transactions retrieved', data, paystack.writeTransactionMeta(page, total, found.items));
  },
};

/** `GET /transaction/totals` */
const getTotals: CompatEndpoint = {
  method: 'GET',
  scope: 'payments:read',
  async serve({ resources }, call) {
    const sent = parametersOf(call, 'paystack');
    const asked = sent.kind === 'refused' ? sent : paystack.readTotalsQuery(sent.value);
    if (asked.kind === 'refused') return paystack.refuse(asked.problem);
    const totals = await readTotals(resources.database, scopeOf(call), asked.value);
    return paystack.succeed('Transaction totals', paystack.writeTotals(totals));
  },
};

/** `GET /refund` */
const getRefunds: CompatEndpoint = {
  method: 'GET',
  scope: 'refunds:read',
  async serve(switchyard, call) {
    const { database } = switchyard.resources;
    const sent = parametersOf(call, 'paystack');
    const asked = sent.kind === 'refused' ? sent : paystack.readRefundList(sent.value);
    if (asked.kind === 'refused') return paystack.refuse(asked.problem);
    const { transaction: named, page, isOtherCurrency, createdFrom, createdTo } = asked.value;
    const key = named === null ? null : { reference: named, number: readNumber(named), isNumber: false };
    const payment = key === null ? null : await findNamedPayment(switchyard, call, key);
    if (payment === undefined) return paystack.refuse({ kind: 'transaction_not_found', by: 'other' });
    const scope = scopeOf(call);
    const filter = { createdFrom, createdTo, states: isOtherCurrency ? [] : null, paymentId: payment?.paymentId ?? null };
    const part = { filter, skipped: page.skipped, limit: page.perPage };
    const found = await listRefunds(database, scope, part, switchyard.payments.now());
    const total = await countRefunds(database, scope, filter);
    if (total === null) return paystack.refuse({ kind: 'list_too_long' });
    const data = found.map(({ refund, transaction }) => paystack.writeRefund(refund, transaction, { whole: false }));
    return paystack.succeed('Refunds retrieved', data, paystack.writeMeta(page, total));
  },
};

const REFERENCE_DIGITS = 20;

const initialize: CompatEndpoint = {
  method: 'POST',
  scope: 'payments:write',
  serve: (switchyard, call) =>
    servePosted(switchyard, call, { dialect: 'paystack', idOf: null }, async (fields, run) => {
      // A run that goes on with a payment of its own names it as before.
      const newReference = () => run.resourceId.replaceAll('-', '').slice(-REFERENCE_DIGITS);
      const order = paystack.readInitialize(fields, newReference);
      if (order.kind === 'refused') return paystack.refuse(order.problem);
      const cancelAction = paystack.cancelActionOf(order.value.metadata);
      if (cancelAction !== null && !isRedirectUrl(cancelAction, call.caller.mode)) {
        return paystack.refuse({ kind: 'invalid_field', field: 'metadata.cancel_action', rule: 'must be an https URL' });
      }
      const beginner = { dialect: 'paystack', fieldNames: paystack.FIELD_NAMES, repeats: false } as const;
      const begun = await beginPayment(switchyard, call, order.value, beginner, run);
      if (begun.kind === 'refused') return paystack.refuse(begun.problem);
      const { payment, session } = begun.value;
      const data = paystack.writeInitialized({
        redirectUrl: session.redirectUrl,
        paymentId: payment.paymentId,
        reference: payment.merchantOrderId,
      });
      return paystack.succeed('Authorization URL created', data);
    }),
};

const verifyTransaction: CompatEndpoint = {
  method: 'GET',
  scope: 'payments:write',
  async serve(switchyard, call) {
    const payment = await findCallersPayment(switchyard, call, { reference: decode(call.params.reference ?? '') });
    if (payment === undefined) return paystack.refuse({ kind: 'transaction_not_found', by: 'verify' });
    return paystack.succeed(
      'Verification successful',
      paystack.writeTransaction(await verifyCallersPayment(switchyard, call, payment)),
    );
  },
};

const fetchTransaction: CompatEndpoint = {
  method: 'GET',
  scope: 'payments:read',
  async serve(switchyard, call) {
    const payment = await findCallersPayment(switchyard, call, { number: readNumber(call.params.number) ?? 0 });
    if (payment === undefined) return paystack.refuse({ kind: 'transaction_not_found', by: 'other' });
    return paystack.succeed(
      'Transaction retrieved',
      paystack.writeTransaction(await describeRecordedPayment(switchyard, payment)),
    );
  },
};

const createRefund: CompatEndpoint = {
  method: 'POST',
  scope: 'refunds:write',
  serve: (switchyard, call) =>
    servePosted(switchyard, call, { dialect: 'paystack', idOf: idOfRequest }, async (fields, run) => {
      const asked = paystack.readRefund(fields);
      if (asked.kind === 'refused') return paystack.refuse(asked.problem);
      const { transaction, customerNote, merchantNote } = asked.value;
      const payment = await findNamedPayment(switchyard, call, transaction);
      if (payment === undefined) return paystack.refuse({ kind: 'transaction_not_found', by: 'other' });
      const outcome = await refundOwn(switchyard, payment, asked.value, run);
      if (outcome.kind !== 'requested') return paystack.refuse(refundProblem(outcome));
      const refund = await numberRefund(switchyard.resources.database, outcome.refund, switchyard.payments.now());
      const shown = { whole: true, customerNote, merchantNote };
      const data = paystack.writeRefund(refund, await describeRecordedPayment(switchyard, payment), shown);
      return paystack.succeed('Refund has been queued for processing', data);
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
    if (refund === undefined) return paystack.refuse({ kind: 'refund_not_found' });
    const payment = await describeRecordedPayment(switchyard, refund);
    const numbered = await numberRefund(resources.database, refund, payments.now());
    return paystack.succeed('Refund retrieved', paystack.writeRefund(numbered, payment, { whole: false }));
  },
};

/** A part of a path; one that is badly encoded is taken as it is, and names nothing. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The calls of Paystack that are answered. */
export const PAYSTACK_ROUTES: readonly RouteLine<CompatEndpoint>[] = [
  { path: '/transaction/initialize', endpoints: [initialize] },
  {
    path: '/transaction/verify/{reference}',
    pattern: /^\/transaction\/verify\/(?<reference>[^/]*)$/,
    endpoints: [verifyTransaction],
  },
  { path: '/transaction', endpoints: [getTransactions] },
  { path: '/transaction/totals', endpoints: [getTotals] },
  // Other calls of Paystack have a word in this place.
  { path: '/transaction/{number}', pattern: /^\/transaction\/(?<number>\d{1,16})$/, endpoints: [fetchTransaction] },
  { path: '/refund', endpoints: [getRefunds, createRefund] },
  { path: '/refund/{id}', endpoints: [fetchRefund] },
];
