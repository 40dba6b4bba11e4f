import { getPage } from '../access.ts';
import { readDecimal } from '../amount.ts';
import type { Gateway, ListedPayment } from '../gateway.ts';
import { readPage, readRows, readTime } from '../list-answers.ts';
import { readWord, toListedStatus } from '../states.ts';
import { api, callNomba } from './api.ts';
import { methodOf, settings } from './settings.ts';
import { stateOf } from './verdict.ts';
import { transactionPageSchema, transactionRowSchema } from './wire.ts';

const path = '/v1/transactions/accounts';

/**
 * A page of `GET /v1/transactions/accounts`; see {@link Gateway.listPayments}. The list is of the whole account: rows that paid no checkout are
 * left out. It goes by cursors, "empty if there is no more page to scroll to".
 */
export const listPayments: Gateway['listPayments'] = (account, query, options) =>
  readPage(api, query, {
    path,
    mark: 'cursor',
    schema: transactionPageSchema,
    fetchPage({ token }) {
      const search = {
        limit: String(query.rowsPerPage ?? settings.rowsPerPage),
        dateFrom: query.from.toISOString(),
        dateTo: query.to.toISOString(),
        ...(token === null ? {} : { cursor: token }),
      };
      return callNomba(account, getPage(path, search, options));
    },
    read({ data: { results, cursor } }) {
      const rows = results.filter(({ type }) => type === settings.checkoutType);
      return { rows: readRows(rows, readPayment), next: (cursor ?? '') === '' ? null : { token: cursor ?? '' } };
    },
  });

function readPayment(row: unknown): ListedPayment | null {
  const parsed = transactionRowSchema.safeParse(row);
  if (!parsed.success) return null;
  const found = parsed.data;
  const amount = readDecimal(found.amount);
  const createdAt = readTime(found.timeCreated);
  if (amount === null || createdAt === null) return null;
  const status = toListedStatus(stateOf(found.status));
  return {
    reference: found.onlineCheckoutOrderReference ?? null,
    transactionId: found.id,
    status,
    amount,
    fee: readDecimal(found.fixedCharge),
    currency: found.currency,
    method: readWord(methodOf, found.onlineCheckoutPaymentMethod),
    createdAt,
    paidAt: status === 'paid' ? createdAt : null,
  };
}
