import type { Database } from '@switchyard/db';
import { type ListedPayment, type ListedRefund, type ListPage, type Outcome, readAllPages } from '@switchyard/gateways';
import type { OpenAccount } from '@switchyard/runtime';
import { namesIn } from './compare-refunds.ts';
import type { Day } from './days.ts';
import type { FoundDiscrepancy, Ledger, LedgerPayment, Statement } from './ledger.ts';
import {
  type LedgerKey,
  readLedgerAttempts,
  readLedgerDuplicates,
  readLedgerRefunds,
  readPaidAttempts,
} from './ledger-queries.ts';

/** Most milliseconds that a page of a gateway's list takes. */
export const PAGE_TIMEOUT_MS = 20_000;
const BATCH = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How late an entry of a day can appear on the gateway's statement. */
const LATE_MAX_MS = 4 * DAY_MS;

/** The gateway's statement could not be read completely. */
export class StatementUnreadable extends Error {}

/** Called with the row count of every page; throws to stop reading. */
export type OnPage = (rows: number) => Promise<void>;

type Span = Pick<Day, 'from' | 'to'>;

/** The gateway's statement of a day. Throws {@link StatementUnreadable} with why, in one sentence. */
export async function readStatement(account: OpenAccount, day: Span, onPage: OnPage): Promise<Statement> {
  const payments = await listPayments(account, day, onPage);
  const listed = account.gateway.capabilities.missingLookups?.includes('listRefunds') !== true;
  return { payments, refunds: listed ? await listRefunds(account, day, onPage) : null, elsewhere: new Set() };
}

async function listPayments({ gateway, access }: OpenAccount, span: Span, onPage: OnPage): Promise<readonly ListedPayment[]> {
  const read = (cursor: string | null) => gateway.listPayments(access, { ...span, cursor }, { timeoutMs: PAGE_TIMEOUT_MS });
  return readable(await readAllPages(counting(read, onPage), (row) => row.transactionId));
}

async function listRefunds({ gateway, access }: OpenAccount, span: Span, onPage: OnPage): Promise<readonly ListedRefund[]> {
  const all = { ...span, paymentReference: null, transactionId: null };
  const read = (cursor: string | null) => gateway.listRefunds(access, { ...all, cursor }, { timeoutMs: PAGE_TIMEOUT_MS });
  return readable(await readAllPages(counting(read, onPage), (row) => row.gatewayRefundId));
}

function counting<T>(read: (cursor: string | null) => Promise<Outcome<ListPage<T>>>, onPage: OnPage): typeof read {
  return async (cursor) => {
    const page = await read(cursor);
    if (page.outcome === 'yes') await onPage(page.value.rows.length);
    return page;
  };
}

function readable<T>(outcome: Outcome<T>): T {
  if (outcome.outcome === 'yes') return outcome.value;
  throw new StatementUnreadable(outcome.failure.message);
}

/** The ledger of a day, with the entries that the statement refers to. */
export async function readLedger(database: Database, key: LedgerKey, day: Span, statement: Statement): Promise<Ledger> {
  const references = [...new Set(statement.payments.flatMap(({ reference }) => reference ?? []))];
  const found = new Map<string, LedgerPayment>();
  for (const some of batches(references)) {
    for (const attempt of await readLedgerAttempts(database, key, some)) found.set(attempt.attemptId, attempt);
  }
  for (let after: LedgerPayment | null = null; ; ) {
    const page: LedgerPayment[] = await readPaidAttempts(database, key, day, after, BATCH);
    for (const attempt of page) found.set(attempt.attemptId, attempt);
    after = page.at(-1) ?? null;
    if (page.length < BATCH) break;
  }
  const duplicates = [];
  for (const some of batches(statement.payments.map(({ transactionId }) => transactionId))) {
    duplicates.push(...(await readLedgerDuplicates(database, key, some)));
  }
  const refunds = statement.refunds ?? [];
  const named = {
    gatewayRefundIds: refunds.map(({ gatewayRefundId }) => gatewayRefundId),
    references: refunds.flatMap(({ note }) => namesIn(note)),
  };
  return { payments: [...found.values()], duplicates, refunds: await readLedgerRefunds(database, key, day, named) };
}

function batches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) => all.slice(at * BATCH, (at + 1) * BATCH));
}

/**
 * Searches the neighbouring days for ledger entries that the statement lacks: some gateways date a payment by its checkout, some by
 * the customer's submission, and clocks differ at midnight. Returns the ids and references found there.
 */
export async function readNeighbouringDays(
  account: OpenAccount,
  day: Span,
  missing: readonly FoundDiscrepancy[],
  ledger: Ledger,
  asOf: Date,
  onPage: OnPage,
): Promise<ReadonlySet<string>> {
  const spans = neighbouringSpans(day, latestPayment(missing, ledger, day), asOf);
  const seen = new Set<string>();
  if (missing.some(({ about }) => about === 'payment')) {
    for (const span of spans) {
      for (const row of await listPayments(account, span, onPage)) {
        seen.add(row.transactionId);
        if (row.reference !== null) seen.add(row.reference);
      }
    }
  }
  if (missing.some(({ about }) => about === 'refund')) {
    for (const span of neighbouringSpans(day, new Date(day.to.getTime() + DAY_MS), asOf)) {
      for (const row of await listRefunds(account, span, onPage)) {
        for (const name of [row.gatewayRefundId, ...namesIn(row.note)]) seen.add(name);
      }
    }
  }
  return seen;
}

function latestPayment(missing: readonly FoundDiscrepancy[], ledger: Ledger, day: Span): Date {
  const sought = new Set(missing.map(({ reference }) => reference));
  const times = ledger.payments
    .filter(({ reference }) => sought.has(reference))
    .map(({ paidAt }) => (paidAt ?? new Date(day.to.getTime() + DAY_MS)).getTime() + HOUR_MS);
  return new Date(Math.min(Math.max(day.to.getTime() + HOUR_MS, ...times), day.to.getTime() + LATE_MAX_MS));
}

function neighbouringSpans(day: Span, until: Date, asOf: Date): Span[] {
  const end = until < asOf ? until : asOf;
  const before = { from: new Date(day.from.getTime() - HOUR_MS), to: day.from };
  return end > day.to ? [before, { from: day.to, to: end }] : [before];
}
