import { callWithKey, getPage } from '../access.ts';
import { minorToDecimal, negateDecimal, readMinor, readMinorAsDecimal, signedMinorToDecimal, sumDecimals } from '../amount.ts';
import type {
  AccountAccess,
  CallOptions,
  Gateway,
  ListedSettlement,
  ListedSettlementLine,
  ListPage,
  Outcome,
  SettlementLineQuery,
} from '../gateway.ts';
import { type ListPlace, readAllPages, readDay, readPage, readRows, readTime, readWholePage } from '../list-answers.ts';
import type { Redactor } from '../redact.ts';
import { readSettlementStatus } from '../states.ts';
import { api } from './api.ts';
import { nextOf } from './lists.ts';
import { settings } from './settings.ts';
import { otherModeOf } from './verdict.ts';
import {
  type DeductedRefundRow,
  deductedRefundListSchema,
  type SettledTransactionRow,
  type SettlementRow,
  settledTransactionListSchema,
  settlementListSchema,
  settlementStates,
} from './wire.ts';

/**
 * A page of `GET /settlement` (https://paystack.com/docs/api/settlement/#list), of the account itself without its subaccounts. The
 * documentation does not say which of its times `from` and `to` go by; `settlement_date` is the midnight before `createdAt`, and after it
 * where the day has begun in Lagos and not in UTC. So a day more is asked for at both ends.
 */
export const listSettlements: NonNullable<Gateway['listSettlements']> = (account, query, options) =>
  readPage(api, query, {
    path: '/settlement',
    schema: settlementListSchema,
    fetchPage({ page }) {
      const from = new Date(query.from.getTime() - settings.settlementDayMs).toISOString();
      const to = new Date(query.to.getTime() + settings.settlementDayMs).toISOString();
      const search = { subaccount: 'none', from, to, ...numbered(page) };
      return callWithKey(api, account, getPage('/settlement', search, options));
    },
    read({ data, meta }, place, redactor) {
      const failure = otherModeOf(account, data);
      if (failure !== null) return { failure };
      return { rows: readRows(data, (row) => readSettlement(row, redactor)), next: nextOf(meta, place, data) };
    },
  });

/** The page after the last one of transactions, which holds what was taken off the settlement as a whole. */
const deductionsCursor = 'deductions';

/**
 * A page of `GET /settlement/{id}/transactions` (https://paystack.com/docs/api/settlement/#transactions): each transaction, and its fee.
 * The generated clients' `/transaction` is not what the documentation says. After them, the deductions.
 */
export const listSettlementLines: NonNullable<Gateway['listSettlementLines']> = async (account, query, options) => {
  if (query.cursor === deductionsCursor) return readDeductions(account, query, options);
  const path = `/settlement/${encodeURIComponent(query.settlement.settlementId)}/transactions`;
  const page = await readWholePage(api, query.cursor, {
    path,
    schema: settledTransactionListSchema,
    fetchPage: ({ page }) => callWithKey(api, account, getPage(path, numbered(page), options)),
    read({ data, meta }, place) {
      const failure = otherModeOf(account, data);
      return failure === null
        ? { rows: readRows(data, readTransaction)?.flat() ?? null, next: nextOf(meta, place, data) }
        : { failure };
    },
  });
  if (page.outcome !== 'yes' || page.value.nextCursor !== null || query.settlement.deductions === '0') return page;
  return { ...page, value: { ...page.value, nextCursor: deductionsCursor } };
};

/**
 * Refunds that name the settlement they were taken from (`settlement`, `dispute` of `GET /refund`,
 * https://paystack.com/docs/api/refund/#list), and the rest of the deductions as one line.
 */
async function readDeductions(
  account: AccountAccess,
  { settlement }: SettlementLineQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedSettlementLine>>> {
  const from = new Date(settlement.createdAt.getTime() - settings.refundsBeforeSettlementMs).toISOString();
  const found = await readAllPages(
    (cursor) =>
      readWholePage(api, cursor, {
        path: '/refund',
        schema: deductedRefundListSchema,
        fetchPage({ page }: ListPlace) {
          const search = { from, to: settlement.createdAt.toISOString(), ...numbered(page) };
          return callWithKey(api, account, getPage('/refund', search, options));
        },
        read({ data, meta }, place) {
          const failure = otherModeOf(account, data);
          return failure === null ? { rows: readRows(data, readDeductedRefund), next: nextOf(meta, place, data) } : { failure };
        },
      }),
    ({ line }) => line.key,
  );
  if (found.outcome !== 'yes') return found;
  const refunds = found.value.filter((refund) => refund.settlementId === settlement.settlementId);
  const lines = refunds.map(({ line }) => line);
  const rest = sumDecimals([negateDecimal(settlement.deductions), ...lines.map(({ amount }) => negateDecimal(amount))]);
  const rows = rest === '0' ? lines : [...lines, deductionLine(rest)];
  return { outcome: 'yes', value: { rows, nextCursor: null }, call: found.call };
}

function deductionLine(amount: string): ListedSettlementLine {
  return {
    key: 'deductions',
    kind: 'adjustment',
    amount,
    reference: null,
    transactionId: null,
    description: 'Deductions',
    occurredAt: null,
  };
}

function numbered(page: number): { readonly perPage: string; readonly page: string } {
  return { perPage: String(settings.rowsPerPage), page: String(page) };
}

/** `effective_amount` is what is paid out. In the samples it is `total_processed` without `total_fees`; less is a deduction. */
function readSettlement(row: SettlementRow, redactor: Redactor): ListedSettlement | null {
  const gross = readMinor(row.total_processed);
  const fees = readMinor(row.total_fees);
  const net = readMinor(row.effective_amount);
  const createdAt = readTime(row.createdAt);
  if (gross === null || fees === null || net === null || createdAt === null) return null;
  return {
    settlementId: row.id,
    ...readSettlementStatus(settlementStates, row.status, { title: api.title, record: row, redactor }),
    currency: row.currency,
    gross: minorToDecimal(gross),
    fees: minorToDecimal(fees),
    deductions: signedMinorToDecimal(gross - fees - net),
    net: minorToDecimal(net),
    settledOn: readDay(row.settlement_date),
    createdAt,
  };
}

function readTransaction(row: SettledTransactionRow): readonly ListedSettlementLine[] | null {
  const amount = readMinorAsDecimal(row.amount);
  const fees = readMinor(row.fees ?? 0);
  if (amount === null || fees === null) return null;
  const about = { reference: row.reference ?? null, transactionId: row.id, occurredAt: readTime(row.paid_at) };
  const payment = { key: `payment/${row.id}`, kind: 'payment', amount, description: row.channel ?? null, ...about } as const;
  if (fees === 0n) return [payment];
  return [payment, { key: `fee/${row.id}`, kind: 'fee', amount: signedMinorToDecimal(-fees), description: null, ...about }];
}

/** A refund as a line, with the settlement that it names. */
interface DeductedRefund {
  readonly settlementId: string | null;
  readonly line: ListedSettlementLine;
}

function readDeductedRefund(row: DeductedRefundRow): DeductedRefund | null {
  const minor = readMinor(row.amount);
  if (minor === null) return null;
  const { id: transactionId, reference } =
    typeof row.transaction === 'string' ? { id: row.transaction, reference: null } : row.transaction;
  const line: ListedSettlementLine = {
    key: `refund/${row.id}`,
    kind: row.dispute === null ? 'refund' : 'chargeback',
    amount: signedMinorToDecimal(-minor),
    reference: reference ?? row.transaction_reference ?? null,
    transactionId,
    description: row.merchant_note ?? null,
    occurredAt: readTime(row.refunded_at ?? row.created_at ?? row.createdAt),
  };
  return { settlementId: row.settlement, line };
}
