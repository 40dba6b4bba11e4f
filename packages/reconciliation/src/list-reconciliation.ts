import { subtractDecimals } from '@switchyard/db/decimals';
import { gatewayTitle } from '@switchyard/gateways';
import { dayText } from '@switchyard/runtime/calendar-days';
import { z } from 'zod';
import type { ReconciliationContext } from './context.ts';
import {
  type AgedDiscrepancies,
  countByAge,
  countDiscrepancies,
  type DiscrepancyKey,
  type DiscrepancySort,
  findDiscrepancyRow,
  type ListedDiscrepancy,
  readDiscrepancies,
} from './discrepancies-queries.ts';
import type { DiscrepancyFilter } from './discrepancy-noun.ts';
import type { CurrencyTotals } from './ledger.ts';
import { type ListedRun, type RunFilter, type RunKey, readReconciliationRuns } from './runs-queries.ts';

const PAGE_MAX = 500;

/** A reconciled or requested day of one account, with its open and closed discrepancies counted. */
export interface RunItem extends Pick<ListedRun, 'merchantId' | 'mode' | 'accountId' | 'state' | 'rowsRead' | 'open' | 'closed'> {
  readonly runId: string;
  /** `YYYY-MM-DD` in `zone`. */
  readonly day: string;
  readonly zone: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  readonly merchantName: string;
  readonly startedAt: Date | null;
  readonly comparedAt: Date | null;
  readonly requestedAt: Date;
  /** Why the last attempt failed; null when it succeeded. */
  readonly failure: string | null;
  /** As last reconciled; empty before the first time. */
  readonly totals: readonly CurrencyTotals[];
}

/** A page of runs; `next` is null on the last one. */
export interface RunPage {
  readonly items: readonly RunItem[];
  readonly next: RunKey | null;
}

/** Reconciled and requested days, the latest first. */
export async function listRuns(
  context: ReconciliationContext,
  query: RunFilter & { readonly after: RunKey | null; readonly limit: number },
): Promise<RunPage> {
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  const rows = await readReconciliationRuns(context.resources.database, query, query.after, limit + 1);
  const items = rows.slice(0, limit).map((row) => runItem(context, row));
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? { day: last.day, runId: last.runId } : null };
}

function runItem(context: ReconciliationContext, row: ListedRun): RunItem {
  const { merchantId, mode, accountId, state, rowsRead, open, closed, zone, startedAt, comparedAt, requestedAt, failure } = row;
  return {
    merchantId,
    mode,
    accountId,
    state,
    rowsRead,
    open,
    closed,
    zone,
    startedAt,
    comparedAt,
    requestedAt,
    failure,
    runId: row.id,
    day: dayText(row.day),
    totals: totalsSchema.parse(row.totals ?? []),
    ...namesOf(context, row),
  };
}

/** One day of one account in one currency, flat enough for a line of a file. Amounts are exact decimals of the main unit. */
export interface TotalsLine {
  readonly day: string;
  readonly merchant: string;
  readonly account: string;
  readonly gateway: string;
  readonly currency: string;
  readonly ledgerCount: number;
  readonly ledgerAmount: string;
  readonly statementCount: number;
  readonly statementAmount: string;
  /** Statement total minus ledger total. */
  readonly difference: string;
  readonly fees: string;
  readonly ledgerRefunded: string;
  readonly statementRefunded: string;
  readonly openDiscrepancies: number;
  readonly closedDiscrepancies: number;
}

/** Totals of reconciled days, a line each, the latest first; at most 500 days' worth. */
export async function listTotals(context: ReconciliationContext, filter: RunFilter): Promise<TotalsLine[]> {
  const { items } = await listRuns(context, { ...filter, after: null, limit: PAGE_MAX });
  return items.flatMap((run) => run.totals.map((sums) => totalsLine(run, sums)));
}

function totalsLine(run: RunItem, { currency, ledger, statement, fees, ...refunded }: CurrencyTotals): TotalsLine {
  return {
    day: run.day,
    merchant: run.merchantName,
    account: run.accountLabel,
    gateway: run.gateway,
    currency,
    ledgerCount: ledger.count,
    ledgerAmount: ledger.amount,
    statementCount: statement.count,
    statementAmount: statement.amount,
    difference: subtractDecimals(statement.amount, ledger.amount),
    fees,
    ledgerRefunded: refunded.ledgerRefunded.amount,
    statementRefunded: refunded.statementRefunded.amount,
    openDiscrepancies: run.open,
    closedDiscrepancies: run.closed,
  };
}

const sum = z.object({ count: z.number(), amount: z.string() });
const totalsSchema = z.array(
  z.object({ currency: z.string(), ledger: sum, statement: sum, fees: z.string(), ledgerRefunded: sum, statementRefunded: sum }),
);

const sideSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable();

/** A discrepancy with both sides. */
export interface DiscrepancyItem
  extends Pick<
    ListedDiscrepancy,
    | 'merchantId'
    | 'mode'
    | 'accountId'
    | 'kind'
    | 'state'
    | 'paymentId'
    | 'refundId'
    | 'reference'
    | 'transactionId'
    | 'ownerId'
    | 'ownerName'
    | 'note'
    | 'resolvedBy'
    | 'resolvedByName'
    | 'resolvedAt'
    | 'resolution'
    | 'createdAt'
    | 'amount'
  > {
  readonly discrepancyId: string;
  readonly day: string;
  readonly about: 'payment' | 'refund';
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  readonly merchantName: string;
  /** The ledger's side, by field; null without an entry. Amounts are exact decimals of the main unit. */
  readonly ledger: Readonly<Record<string, string | number | boolean | null>> | null;
  readonly statement: Readonly<Record<string, string | number | boolean | null>> | null;
}

/** A page of discrepancies; `next` is null on the last one. */
export interface DiscrepancyPage {
  readonly items: readonly DiscrepancyItem[];
  readonly next: DiscrepancyKey | null;
}

/** A page of discrepancies. */
export async function listDiscrepancies(
  context: ReconciliationContext,
  query: DiscrepancyFilter & { readonly sort: DiscrepancySort; readonly after: DiscrepancyKey | null; readonly limit: number },
): Promise<DiscrepancyPage> {
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  const rows = await readDiscrepancies(context.resources.database, query, query.sort, query.after, limit + 1);
  const items = rows.slice(0, limit).map((row) => discrepancyItem(context, row));
  const last = items.at(-1);
  if (rows.length <= limit || last === undefined) return { items, next: null };
  const { day, amount, discrepancyId } = last;
  return { items, next: { day, amount, discrepancyId } };
}

/** One discrepancy with both sides; null when none of these merchants has it. */
export async function findDiscrepancy(
  context: ReconciliationContext,
  query: { readonly merchantIds: readonly string[]; readonly discrepancyId: string },
): Promise<DiscrepancyItem | null> {
  const row = await findDiscrepancyRow(context.resources.database, query.merchantIds, query.discrepancyId);
  return row === null ? null : discrepancyItem(context, row);
}

/** The number of discrepancies of each kind and state. */
export function countAllDiscrepancies(context: ReconciliationContext, filter: DiscrepancyFilter) {
  return countDiscrepancies(context.resources.database, filter);
}

/** The oldest age of each group but the last, in days since the reconciled day. */
const AGE_BOUNDS = [2, 7, 30] as const;

/** Discrepancies of one age and currency. */
export interface AgeGroup extends Omit<AgedDiscrepancies, 'bucket'> {
  /** Days since the reconciled day, both inclusive; `maxDays` null for no limit. */
  readonly minDays: number;
  readonly maxDays: number | null;
}

/** Discrepancies counted by age and currency, on the day `today` (`YYYY-MM-DD`); groups without any are left out. */
export async function countDiscrepanciesByAge(
  context: ReconciliationContext,
  filter: DiscrepancyFilter,
  today: string,
): Promise<AgeGroup[]> {
  const groups = await countByAge(context.resources.database, filter, { today, bounds: AGE_BOUNDS });
  return groups.map(({ bucket, ...group }) => {
    const before = AGE_BOUNDS[bucket - 1];
    return { ...group, minDays: before === undefined ? 0 : before + 1, maxDays: AGE_BOUNDS[bucket] ?? null };
  });
}

function discrepancyItem(context: ReconciliationContext, row: ListedDiscrepancy): DiscrepancyItem {
  const { id, day, subject, ledger, statement, gateway: _, ...rest } = row;
  return {
    ...rest,
    discrepancyId: id,
    day: dayText(day),
    about: subject.startsWith('refund') ? 'refund' : 'payment',
    ...namesOf(context, row),
    ledger: sideSchema.parse(ledger),
    statement: sideSchema.parse(statement),
  };
}

function namesOf({ resources }: ReconciliationContext, row: { readonly accountId: string; readonly gateway: string }) {
  const known = resources.configuration.account(row.accountId);
  return {
    accountLabel: known?.account.label ?? row.accountId,
    merchantName: known?.merchant.merchant.name ?? '',
    gateway: row.gateway,
    gatewayTitle: gatewayTitle(row.gateway),
  };
}
