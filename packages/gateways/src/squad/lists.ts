import { callWithKey, getPage } from '../access.ts';
import { minorToDecimal, readMinor } from '../amount.ts';
import type { Gateway, ListedPayment } from '../gateway.ts';
import { dayOf, nextUnlessEmpty, readPage, readRows } from '../list-answers.ts';
import { readWord, toListedStatus } from '../states.ts';
import { api } from './api.ts';
import { methodOf, settings } from './settings.ts';
import { readSquadTime, type TransactionRow, transactionListSchema, transactionStateOf } from './wire.ts';

const path = '/transaction';
const dayMs = 86_400_000;

/**
 * A page of `GET /transaction`; see {@link Gateway.listPayments}. Squad takes a period of one month at most. Whole days, a day more at
 * the end: in which zone Squad's days begin, and whether the last is included, is not documented.
 */
export const listPayments: Gateway['listPayments'] = (account, query, options) =>
  readPage(api, query, {
    path,
    schema: transactionListSchema,
    fetchPage({ page }) {
      const search = {
        start_date: dayOf(query.from),
        end_date: dayOf(new Date(query.to.getTime() + dayMs)),
        page: String(page),
        [settings.pageSizeParameter]: String(query.rowsPerPage ?? settings.rowsPerPage),
      };
      return callWithKey(api, account, getPage(path, search, options));
    },
    read: ({ data }, place) => ({ rows: readRows(data, readPayment), next: nextUnlessEmpty(place, data) }),
  });

function readPayment(row: TransactionRow): ListedPayment | null {
  const minor = readMinor(row.transaction_amount);
  const createdAt = readSquadTime(row.created_at);
  if (minor === null || createdAt === null) return null;
  const status = toListedStatus(transactionStateOf(row.transaction_status));
  return {
    reference: row.transaction_ref ?? null,
    // Verify does not show the row's number, so a payment goes by its reference.
    transactionId: row.transaction_ref ?? row.id,
    status,
    amount: minorToDecimal(minor),
    fee: status === 'paid' ? feeOf(row, minor) : null,
    currency: row.transaction_currency_id,
    method: readWord(methodOf, row.transaction_type?.toLowerCase()),
    createdAt,
    paidAt: null,
  };
}

/** Part of the amount that the merchant does not get. `transaction_charges` is 0 in the documentation's sample, where 1 % is missing. */
function feeOf(row: TransactionRow, amount: bigint): string | null {
  const net = readMinor(row.merchant_amount);
  return net === null || net > amount ? null : minorToDecimal(amount - net);
}
