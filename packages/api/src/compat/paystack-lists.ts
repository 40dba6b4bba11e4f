import { countRefunds, countTransactions, listRefunds, listTransactions, readNumber, readTotals } from '@switchyard/compat';
import * as paystack from '@switchyard/compat/paystack';
import { type CompatEndpoint, findNamedPayment, parametersOf, scopeOf } from './compat-endpoint.ts';

/** `GET /transaction` */
export const getTransactions: CompatEndpoint = {
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
export const getTotals: CompatEndpoint = {
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
export const getRefunds: CompatEndpoint = {
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
