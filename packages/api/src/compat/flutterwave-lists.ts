import { countRefunds, countTransactions, listRefunds, listTransactions } from '@switchyard/compat';
import * as flutterwave from '@switchyard/compat/flutterwave';
import { type CompatEndpoint, findCallersPayment, parametersOf, scopeOf } from './compat-endpoint.ts';

/** `GET /v3/transactions` */
export const getTransactions: CompatEndpoint = {
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
export const getRefunds: CompatEndpoint = {
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
