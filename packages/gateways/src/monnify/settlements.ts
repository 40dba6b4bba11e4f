import { getPage } from '../access.ts';
import { negateDecimal, readDecimal, sumDecimals } from '../amount.ts';
import type { Gateway, ListedSettlementLine } from '../gateway.ts';
import { nextNumber, readRows, readWholePage } from '../list-answers.ts';
import { api, callMonnify } from './api.ts';
import { settings } from './settings.ts';
import { readMonnifyTime, type SettledTransactionRow, settledTransactionPageSchema } from './wire.ts';

/**
 * A page of `GET /api/v1/transactions/find-by-settlement-reference` (https://developers.monnify.com/api, Settlements): each transaction, and
 * its fee where the answer has what is left after it. Monnify counts pages from 0. What it took off the whole is listed nowhere.
 */
export const listSettlementLines: NonNullable<Gateway['listSettlementLines']> = (account, { settlement, cursor }, options) => {
  const path = '/api/v1/transactions/find-by-settlement-reference';
  return readWholePage(api, cursor, {
    path,
    schema: settledTransactionPageSchema,
    fetchPage({ page }) {
      const search = { reference: settlement.settlementId, page: String(page - 1), size: String(settings.rowsPerPage) };
      return callMonnify(account, getPage(path, search, options));
    },
    read: ({ responseBody: { content, number, totalPages } }, place) => ({
      rows: readRows(content, readTransaction)?.flat() ?? null,
      next: nextNumber(place, number + 1, totalPages),
    }),
  });
};

function readTransaction(row: SettledTransactionRow): readonly ListedSettlementLine[] | null {
  const amount = readDecimal(row.amountPaid);
  const left = row.settlementAmount === null || row.settlementAmount === undefined ? amount : readDecimal(row.settlementAmount);
  if (amount === null || left === null) return null;
  const transactionId = row.transactionReference;
  const about = { reference: row.paymentReference ?? null, transactionId, occurredAt: readMonnifyTime(row.paidOn) };
  const description = row.paymentMethod ?? null;
  const payment = { key: `payment/${transactionId}`, kind: 'payment', amount, description, ...about } as const;
  const fee = sumDecimals([left, negateDecimal(amount)]);
  if (fee === '0') return [payment];
  return [payment, { key: `fee/${transactionId}`, kind: 'fee', amount: fee, description: null, ...about }];
}
