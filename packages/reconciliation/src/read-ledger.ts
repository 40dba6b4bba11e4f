import type { Database } from '@switchyard/db';
import { type ListedPayment, type ListedRefund, type ListPage, type Outcome, readAllPages } from '@switchyard/gateways';
import type { OpenAccount } from '@switchyard/merchants';
import { namesIn } from './compare-refunds.ts';
import type { Day } from './days.ts';
import {
  type LedgerKey,
  readLedgerAttempts,
  readLedgerDuplicates,
  readLedgerRefunds,
  readPaidAttempts,
} from './facts-queries.ts';
import type { FoundDifference, Ledger, LedgerPayment, Statement } from './ledger.ts';

const PAGE_MS = 20_000;
const AT_ONCE = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long after a day something of its can appear in the gateway's list. */
const BESIDE_MAX_MS = 4 * DAY_MS;

/** A gateway whose list could not be read to its end. */
export class GatewayUnreadable extends Error {}

/** Told of every page, with how many rows it had; throws to stop the reading. */
export type OnPage = (rows: number) => Promise<void>;

type Span = Pick<Day, 'from' | 'to'>;

/** Everything the gateway lists of a day. Throws {@link GatewayUnreadable} with why, in one sentence. */
export async function readStatement(account: OpenAccount, day: Span, onPage: OnPage): Promise<Statement> {
  const payments = await listPayments(account, day, onPage);
  return { payments, refunds: await listRefunds(account, day, onPage), elsewhere: new Set() };
}

async function listPayments({ gateway, access }: OpenAccount, span: Span, onPage: OnPage): Promise<readonly ListedPayment[]> {
  const read = (cursor: string | null) => gateway.listPayments(access, { ...span, cursor }, { timeoutMs: PAGE_MS });
  return readable(await readAllPages(counting(read, onPage), (row) => row.transactionId));
}

async function listRefunds({ gateway, access }: OpenAccount, span: Span, onPage: OnPage): Promise<readonly ListedRefund[]> {
  const all = { ...span, paymentReference: null, transactionId: null };
  const read = (cursor: string | null) => gateway.listRefunds(access, { ...all, cursor }, { timeoutMs: PAGE_MS });
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
  throw new GatewayUnreadable(outcome.failure.message);
}

/** What we hold of a day, and of whatever the gateway lists of it. */
export async function readLedger(database: Database, key: LedgerKey, day: Span, theirs: Statement): Promise<Ledger> {
  const references = [...new Set(theirs.payments.flatMap(({ reference }) => reference ?? []))];
  const found = new Map<string, LedgerPayment>();
  for (const some of portions(references)) {
    for (const attempt of await readLedgerAttempts(database, key, some)) found.set(attempt.attemptId, attempt);
  }
  for (let after: LedgerPayment | null = null; ; ) {
    const page: LedgerPayment[] = await readPaidAttempts(database, key, day, after, AT_ONCE);
    for (const attempt of page) found.set(attempt.attemptId, attempt);
    after = page.at(-1) ?? null;
    if (page.length < AT_ONCE) break;
  }
  const duplicates = [];
  for (const some of portions(theirs.payments.map(({ transactionId }) => transactionId))) {
    duplicates.push(...(await readLedgerDuplicates(database, key, some)));
  }
  const named = {
    gatewayRefundIds: theirs.refunds.map(({ gatewayRefundId }) => gatewayRefundId),
    references: theirs.refunds.flatMap(({ note }) => namesIn(note)),
  };
  return { payments: [...found.values()], duplicates, refunds: await readLedgerRefunds(database, key, day, named) };
}

function portions<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, at) => all.slice(at * AT_ONCE, (at + 1) * AT_ONCE));
}

/**
 * Looks beside the day for what of ours is not listed in it: some gateways date a payment by its checkout, some by the customer's
 * submission, and no two clocks agree at midnight. Gives the ids and references found there.
 */
export async function lookBeside(
  account: OpenAccount,
  day: Span,
  missing: readonly FoundDifference[],
  books: Ledger,
  asOf: Date,
  onPage: OnPage,
): Promise<ReadonlySet<string>> {
  const spans = besides(day, latestPayment(missing, books, day), asOf);
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
    for (const span of besides(day, new Date(day.to.getTime() + DAY_MS), asOf)) {
      for (const row of await listRefunds(account, span, onPage)) {
        for (const name of [row.gatewayRefundId, ...namesIn(row.note)]) seen.add(name);
      }
    }
  }
  return seen;
}

function latestPayment(missing: readonly FoundDifference[], books: Ledger, day: Span): Date {
  const sought = new Set(missing.map(({ reference }) => reference));
  const times = books.payments
    .filter(({ reference }) => sought.has(reference))
    .map(({ paidAt }) => (paidAt ?? new Date(day.to.getTime() + DAY_MS)).getTime() + HOUR_MS);
  return new Date(Math.min(Math.max(day.to.getTime() + HOUR_MS, ...times), day.to.getTime() + BESIDE_MAX_MS));
}

function besides(day: Span, until: Date, asOf: Date): Span[] {
  const end = until < asOf ? until : asOf;
  const before = { from: new Date(day.from.getTime() - HOUR_MS), to: day.from };
  return end > day.to ? [before, { from: day.to, to: end }] : [before];
}
