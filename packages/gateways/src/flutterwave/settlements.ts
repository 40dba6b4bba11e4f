import { get, getPage } from '../access.ts';
import { negateDecimal, readDecimal, sumDecimals } from '../amount.ts';
import { readLookup, toNotFound } from '../answers.ts';
import type { AccountAccess, CallOptions, Gateway, ListedSettlement, ListedSettlementLine, Outcome } from '../gateway.ts';
import { readDay, readPage, readRows, readTime, readWholePage } from '../list-answers.ts';
import type { Redactor } from '../redact.ts';
import { readSettlementStatus, unknown } from '../states.ts';
import { api, callFlutterwave } from './api.ts';
import { listAt, nextOf } from './lists.ts';
import {
  deductedRefundSchema,
  type SettledTransaction,
  type Settlement,
  settlementListSchema,
  settlementSchema,
  settlementStates,
} from './wire.ts';

/** A page of `GET /settlements` (https://developer.flutterwave.com/v3.0/reference/endpoints/settlements, "Get all settlements"). */
export const listSettlements: NonNullable<Gateway['listSettlements']> = (account, query, options) =>
  readPage(api, query, {
    ...listAt('/settlements', account, query, options),
    schema: settlementListSchema,
    read: ({ data, meta }, place, redactor) => ({
      rows: readRows(data, (row) => readSettlement(row, redactor)),
      next: nextOf(meta, place),
    }),
  });

/**
 * All lines of a settlement: `GET /settlements/{id}` ("Get a settlement" of the same page) is not in pages. Each transaction with its fees
 * and stamp duty, then what was taken off the whole. Refunds have one sum there and their ids in `refund_meta`: they are looked up, and
 * are lines of their own where they add up to the sum. Of chargebacks it has the sum alone.
 */
export const listSettlementLines: NonNullable<Gateway['listSettlementLines']> = async (account, query, options) => {
  const path = `/settlements/${encodeURIComponent(query.settlement.settlementId)}`;
  let refundIds: readonly string[] = [];
  const page = await readWholePage(api, query.cursor, {
    path,
    schema: settlementSchema,
    fetchPage: () => callFlutterwave(account, getPage(path, {}, options)),
    read({ data }) {
      refundIds = data.refund_meta;
      const transactions = readRows(data.transactions, readTransaction);
      const whole = readWholeSettlement(data);
      return { rows: transactions === null || whole === null ? null : [...transactions.flat(), ...whole], next: null };
    },
  });
  const sum = page.outcome === 'yes' ? page.value.rows.find(({ key }) => key === REFUNDS) : undefined;
  if (page.outcome !== 'yes' || sum === undefined || refundIds.length === 0) return page;
  const refunds: ListedSettlementLine[] = [];
  for (const id of refundIds) {
    const refund = await findDeductedRefund(account, id, options);
    if (refund.outcome === 'unknown') return refund;
    if (refund.outcome === 'yes') refunds.push(refund.value);
  }
  if (sumDecimals(refunds.map(({ amount }) => amount)) !== sum.amount) return page;
  const rows = page.value.rows.flatMap((line) => (line === sum ? refunds : [line]));
  return { ...page, value: { ...page.value, rows } };
};

/** Key of the sum of a settlement's refunds. */
const REFUNDS = 'refunds';

/** A refund that a settlement names: `GET /refunds/{id}`. */
async function findDeductedRefund(
  account: AccountAccess,
  id: string,
  options: CallOptions,
): Promise<Outcome<ListedSettlementLine>> {
  const request = get(`/refunds/${encodeURIComponent(id)}`, options);
  return readLookup(await callFlutterwave(account, request), {
    schema: deductedRefundSchema,
    read({ data }) {
      const amount = readDecimal(data.amount_refunded);
      if (amount === null || data.id !== id) {
        return unknown(
          'provider_fault',
          'malformed_answer',
          `${api.title} answered about another refund, or without its amount.`,
        );
      }
      const line: ListedSettlementLine = {
        key: `refund/${id}`,
        kind: 'refund',
        amount: negateDecimal(amount),
        reference: null,
        transactionId: data.transaction_id ?? data.tx_id ?? null,
        description: data.comment ?? data.comments ?? null,
        occurredAt: readTime(data.created_at),
      };
      return { outcome: 'yes', value: line } as const;
    },
    refused: (reply) => toNotFound(api, reply, 'refund'),
  });
}

function readSettlement(row: Settlement, redactor: Redactor): ListedSettlement | null {
  const gross = readDecimal(row.gross_amount);
  const fees = sumRead([row.app_fee, row.merchant_fee]);
  const deductions = sumRead([row.refund, row.chargeback, row.stampduty_charge]);
  const net = readDecimal(row.net_amount);
  const createdAt = readTime(row.created_at);
  if (gross === null || fees === null || deductions === null || net === null || createdAt === null) return null;
  return {
    settlementId: row.id,
    ...readSettlementStatus(settlementStates, row.status, { title: api.title, record: row, redactor }),
    currency: row.currency,
    gross,
    fees,
    deductions,
    net,
    settledOn: readDay(row.processed_date ?? row.due_date),
    createdAt,
  };
}

/** The sum of amounts of which any may be absent; null where one cannot be read. */
function sumRead(values: readonly (string | number | null | undefined)[]): string | null {
  const amounts = readRows(values, (value) => readDecimal(value ?? 0));
  return amounts === null ? null : sumDecimals(amounts);
}

function readTransaction(row: SettledTransaction): readonly ListedSettlementLine[] | null {
  const amount = readDecimal(row.charged_amount);
  const fee = sumRead([row.app_fee, row.merchant_fee]);
  const stampDuty = readDecimal(row.stampduty_charge ?? 0);
  if (amount === null || fee === null || stampDuty === null) return null;
  const about = { reference: row.tx_ref ?? null, transactionId: row.id, occurredAt: readTime(row.transaction_date) };
  const lines: readonly ListedSettlementLine[] = [
    { key: `payment/${row.id}`, kind: 'payment', amount, description: row.payment_entity ?? null, ...about },
    { key: `fee/${row.id}`, kind: 'fee', amount: negateDecimal(fee), description: null, ...about },
    { key: `stamp-duty/${row.id}`, kind: 'other', amount: negateDecimal(stampDuty), description: 'Stamp duty', ...about },
  ];
  return lines.filter((line) => line.amount !== '0');
}

/** Refunds and chargebacks, and stamp duty where the transactions do not have it. */
function readWholeSettlement(row: Settlement & { readonly transactions: readonly SettledTransaction[] }) {
  const refund = readDecimal(row.refund ?? 0);
  const chargeback = readDecimal(row.chargeback ?? 0);
  const stampDuty = readDecimal(row.stampduty_charge ?? 0);
  const listed = sumRead(row.transactions.map((transaction) => transaction.stampduty_charge));
  if (refund === null || chargeback === null || stampDuty === null || listed === null) return null;
  const rest = sumDecimals([listed, negateDecimal(stampDuty)]);
  const lines: readonly ListedSettlementLine[] = [
    wholeLine(REFUNDS, 'refund', negateDecimal(refund), 'Refunds'),
    wholeLine('chargebacks', 'chargeback', negateDecimal(chargeback), 'Chargebacks'),
    wholeLine('stamp-duty', 'other', rest, 'Stamp duty'),
  ];
  return lines.filter((line) => line.amount !== '0');
}

function wholeLine(key: string, kind: ListedSettlementLine['kind'], amount: string, description: string): ListedSettlementLine {
  return { key, kind, amount, reference: null, transactionId: null, description, occurredAt: null };
}
