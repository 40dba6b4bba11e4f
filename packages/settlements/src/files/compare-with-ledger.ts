import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { addDecimals, compareDecimals, sameDecimal, sumDecimals } from '@switchyard/db/decimals';
import type { ListedSettlementLine } from '@switchyard/gateways';
import { calendarDay } from '@switchyard/runtime/calendar-days';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import { accountNames } from '../console/names.ts';
import type { AccountKey, SettlementContext } from '../context.ts';
import {
  findByReference,
  findElsewhere,
  findSettled,
  findTransactions,
  type ReceivedRow,
  readReceived,
} from '../ledger/ledger-queries.ts';
import type { FileSettlement } from '../reading/read-settlement-file.ts';
import { batches, LARGE_BATCH } from '../source-lease.ts';

/** A file that is about to be taken in, beside the ledger: whether it is of this account, this unit and these payments. */
export type LedgerFinding =
  /** How many of the payments that the file names are payments of this account. */
  | { readonly kind: 'references'; readonly known: number; readonly of: number; readonly isSerious: boolean }
  /** Payments that are of another account of the merchant. */
  | {
      readonly kind: 'other_account';
      readonly accountId: string;
      readonly accountLabel: string;
      readonly gatewayTitle: string;
      readonly mode: Mode;
      readonly count: number;
      readonly isSerious: boolean;
    }
  /** Amounts that are so many times those of the payments: kobo taken for naira, or the other way round. */
  | {
      readonly kind: 'amounts_scaled';
      readonly factor: '100' | '0.01';
      readonly count: number;
      readonly of: number;
      readonly isSerious: true;
    }
  /** Amounts that are neither those of the payments nor a part of them: the column of another amount. */
  | { readonly kind: 'amounts_differ'; readonly count: number; readonly of: number; readonly isSerious: boolean }
  | {
      readonly kind: 'other_currency';
      readonly currency: string;
      readonly expected: string;
      readonly count: number;
      readonly isSerious: true;
    }
  /** Payments that another payout has already. */
  | {
      readonly kind: 'settled_already';
      readonly count: number;
      /** The file's sums of them, by currency. */
      readonly sums: readonly { readonly currency: string; readonly amount: string }[];
      /** The first of those payouts. */
      readonly payouts: readonly string[];
      readonly isSerious: boolean;
    }
  /** Payments that were paid after the day of the payout which is to have settled them. */
  | { readonly kind: 'paid_afterwards'; readonly count: number; readonly isSerious: true };

/** How long after its payment a line may name it by its transaction alone. */
const TRANSACTION_MS = 90 * 24 * 3_600_000;
const PAYOUTS_SHOWN = 3;

/** A payment that a file names, as the file has it. */
interface NamedLine {
  readonly settlementId: string;
  readonly settledOn: string | null;
  readonly currency: string;
  readonly amount: string;
  readonly reference: string | null;
  readonly transactionId: string | null;
}

/** Compares what would be stored of a file with the ledger; empty where it names no payment. Changes nothing. */
export async function compareWithLedger(
  context: SettlementContext,
  account: AccountKey,
  settlements: readonly FileSettlement[],
): Promise<LedgerFinding[]> {
  const { database } = context.resources;
  const named = settlements.flatMap(({ settlement, lines }) =>
    lines.filter(isNamedPayment).map(({ amount, reference, transactionId }): NamedLine => {
      const { settlementId, settledOn, currency } = settlement;
      return { settlementId, settledOn, currency, amount, reference, transactionId };
    }),
  );
  if (named.length === 0) return [];
  const since = new Date(context.now().getTime() - TRANSACTION_MS);
  const payments = await findPayments(database, account, named, since);
  const isKnown = (line: NamedLine) => payments.has(nameOf(line));
  const names = new Map(named.map((line) => [nameOf(line), line]));
  const known = [...names.values()].filter(isKnown);
  const findings: LedgerFinding[] = [
    { kind: 'references', known: known.length, of: names.size, isSerious: known.length * 2 < names.size },
    ...(await elsewhere(
      context,
      account,
      [...names.values()].filter((line) => !isKnown(line)),
      names.size,
    )),
  ];
  if (known.length === 0) return findings;
  const received = await readPayments(database, account, [...new Set(known.flatMap((line) => payments.get(nameOf(line)) ?? []))]);
  const compared = named.flatMap((line) => {
    const payment = received.get(payments.get(nameOf(line)) ?? '');
    return payment === undefined ? [] : [{ line, payment }];
  });
  findings.push(...amountsOf(compared), ...currenciesOf(compared));
  const late = compared.filter(
    ({ line, payment }) => line.settledOn !== null && calendarDay(payment.paidAt, SETTLEMENT_ZONE) > line.settledOn,
  );
  if (late.length > 0) findings.push({ kind: 'paid_afterwards', count: late.length, isSerious: true });
  findings.push(...(await settledAlready(database, account, compared)));
  return findings;
}

function isNamedPayment({ kind, reference, transactionId }: ListedSettlementLine): boolean {
  return kind === 'payment' && (reference !== null || transactionId !== null);
}

function nameOf({ reference, transactionId }: NamedLine): string {
  return reference ?? `transaction ${transactionId}`;
}

/** The payments that lines name, by {@link nameOf}. */
async function findPayments(
  database: Database,
  account: AccountKey,
  lines: readonly NamedLine[],
  since: Date,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const some of batches([...new Set(lines.flatMap(({ reference }) => reference ?? []))], LARGE_BATCH)) {
    for (const { reference, paymentId } of await findByReference(database, account, some)) found.set(reference, paymentId);
  }
  const unknown = lines.filter((line) => line.transactionId !== null && !found.has(nameOf(line)));
  const byTransaction = new Map<string, string>();
  for (const some of batches([...new Set(unknown.flatMap(({ transactionId }) => transactionId ?? []))], LARGE_BATCH)) {
    for (const { transactionId, paymentId } of await findTransactions(database, account, some, since)) {
      byTransaction.set(transactionId, paymentId);
    }
  }
  for (const line of unknown) {
    const paymentId = byTransaction.get(line.transactionId ?? '');
    if (paymentId !== undefined) found.set(nameOf(line), paymentId);
  }
  return found;
}

/** The accounts of which payments are that this one does not have. */
async function elsewhere(
  context: SettlementContext,
  { merchantId, accountId }: AccountKey,
  unknown: readonly NamedLine[],
  of: number,
): Promise<LedgerFinding[]> {
  const counts = new Map<string, number>();
  for (const some of batches([...new Set(unknown.flatMap(({ reference }) => reference ?? []))], LARGE_BATCH)) {
    for (const other of await findElsewhere(context.resources.database, { merchantId, accountId }, some)) {
      counts.set(other.accountId, (counts.get(other.accountId) ?? 0) + other.count);
    }
  }
  return [...counts].flatMap(([other, count]): LedgerFinding[] => {
    const known = context.resources.configuration.account(other)?.account;
    if (known === undefined) return [];
    const { accountLabel, gatewayTitle } = accountNames(context, { accountId: other, gateway: known.gateway });
    const isSerious = count * 2 > of;
    return [{ kind: 'other_account', accountId: other, accountLabel, gatewayTitle, mode: known.mode, count, isSerious }];
  });
}

/** The money that payments received at the account. */
async function readPayments(
  database: Database,
  account: AccountKey,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, ReceivedRow>> {
  const received = new Map<string, ReceivedRow>();
  for (const some of batches(paymentIds, LARGE_BATCH)) {
    for (const row of await readReceived(database, account, some)) if (!row.duplicate) received.set(row.paymentId, row);
  }
  return received;
}

interface Compared {
  readonly line: NamedLine;
  readonly payment: ReceivedRow;
}

function amountsOf(all: readonly Compared[]): LedgerFinding[] {
  const compared = all.filter(({ line, payment }) => line.currency === payment.currency);
  const of = compared.length;
  const timesHundred = (amount: string) => scaled(amount, 2);
  const larger = compared.filter(({ line, payment }) => sameDecimal(line.amount, timesHundred(payment.amount))).length;
  const smaller = compared.filter(({ line, payment }) => sameDecimal(timesHundred(line.amount), payment.amount)).length;
  if (larger * 2 > of) return [{ kind: 'amounts_scaled', factor: '100', count: larger, of, isSerious: true }];
  if (smaller * 2 > of) return [{ kind: 'amounts_scaled', factor: '0.01', count: smaller, of, isSerious: true }];
  const differing = compared.filter(({ line, payment }) => !isAmountOf(line.amount, payment)).length;
  return differing === 0 ? [] : [{ kind: 'amounts_differ', count: differing, of, isSerious: differing * 2 > of }];
}

/** True for the whole amount, with the fee on top where the customer bore it. */
function isAmountOf(amount: string, { amount: received, fee }: ReceivedRow): boolean {
  return sameDecimal(amount, received) || (fee !== null && sameDecimal(amount, addDecimals(received, fee)));
}

/** An exact decimal with its point moved to the right. */
function scaled(amount: string, places: number): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  const digits = fraction.padEnd(places, '0');
  return addDecimals(`${whole}${digits.slice(0, places)}.${digits.slice(places) || '0'}`);
}

function currenciesOf(compared: readonly Compared[]): LedgerFinding[] {
  const other = compared.filter(({ line, payment }) => line.currency !== payment.currency);
  const groups = Map.groupBy(other, ({ line, payment }) => `${line.currency} ${payment.currency}`);
  return [...groups.values()].flatMap((own): LedgerFinding[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { line, payment } = first;
    return [{ kind: 'other_currency', currency: line.currency, expected: payment.currency, count: own.length, isSerious: true }];
  });
}

async function settledAlready(database: Database, account: AccountKey, compared: readonly Compared[]): Promise<LedgerFinding[]> {
  const own = new Set(compared.map(({ line }) => line.settlementId));
  const settled = new Map<string, string>();
  for (const some of batches([...new Set(compared.map(({ payment }) => payment.paymentId))], LARGE_BATCH)) {
    for (const { paymentId, payout } of await findSettled(database, account, some)) {
      if (!own.has(payout)) settled.set(paymentId, payout);
    }
  }
  const again = compared.filter(({ line, payment }) => settled.has(payment.paymentId) && compareDecimals(line.amount, '0') > 0);
  if (again.length === 0) return [];
  const byCurrency = Map.groupBy(again, ({ line }) => line.currency);
  const payouts = [...new Set(again.flatMap(({ payment }) => settled.get(payment.paymentId) ?? []))].toSorted();
  return [
    {
      kind: 'settled_already',
      count: again.length,
      sums: [...byCurrency].map(([currency, some]) => ({ currency, amount: sumDecimals(some.map(({ line }) => line.amount)) })),
      payouts: payouts.slice(0, PAYOUTS_SHOWN),
      isSerious: again.length * 2 > compared.length,
    },
  ];
}
