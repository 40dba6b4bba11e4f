import {
  entryDiscrepancy,
  lineDiscrepancy,
  type WrittenCounts,
  writeDiscrepancies,
} from '../discrepancies/write-discrepancies.ts';
import { findDeductedPayments } from '../ledger/ledger-queries.ts';
import {
  type OpenUnmatched,
  readDisputedPayments,
  readKnownSubjects,
  readLinesOf,
  readOpenUnmatched,
  readUnmatchedLines,
  readWithdrawnPayments,
  type StoredLine,
  type UnmatchedLine,
} from '../ledger/line-queries.ts';
import { groupBySubject, judgeEntry } from '../matching/match-settlement-lines.ts';
import { BATCH, batches } from '../source-lease.ts';
import { type AccountMatch, paidPages } from './link-account.ts';
import { readEntries } from './read-entries.ts';

const TRANSACTION_LIMITS = { timeout: 30_000, maxWait: 10_000 };

/**
 * Judges the account's payments, with their refunds and disputes, and writes what is open: the recent ones, those that lines were
 * linked to or withdrawn of since, and those about which something is open.
 */
export async function judgeAccount(match: AccountMatch, settled: ReadonlySet<string>): Promise<WrittenCounts> {
  const { database } = match.context.resources;
  const seen = new Set<string>();
  let counts: WrittenCounts = { found: 0, resolved: 0 };
  const judge = async (paymentIds: readonly string[]) => {
    const fresh = [...new Set(paymentIds)].filter((id) => !seen.has(id));
    const { found, resolved } = await judgePayments(match, fresh);
    counts = { found: counts.found + found, resolved: counts.resolved + resolved };
    for (const id of fresh) seen.add(id);
  };
  for await (const page of paidPages(match, { from: match.judgedFrom, to: match.now })) await judge(page);
  await judge(await findDeductedPayments(database, match.account, match.judgedFrom));
  await judge(await readDisputedPayments(database, match.account));
  await judge([...settled, ...(await readWithdrawnPayments(database, match.account, match.judgedFrom))]);
  return counts;
}

/** Judges these payments, with their refunds and disputes, and writes what is open. */
export async function judgePayments(match: AccountMatch, paymentIds: readonly string[]): Promise<WrittenCounts> {
  let counts: WrittenCounts = { found: 0, resolved: 0 };
  for (const some of batches(paymentIds)) {
    const { found, resolved } = await judgeSome(match, some);
    counts = { found: counts.found + found, resolved: counts.resolved + resolved };
  }
  return counts;
}

async function judgeSome(match: AccountMatch, paymentIds: readonly string[]): Promise<WrittenCounts> {
  const { context, account, calendar, expectation, rules, asOf, lease, lastIntakeAt } = match;
  const { database } = context.resources;
  const entries = await readEntries(database, account, paymentIds, expectation);
  const lines: Map<string, StoredLine[]> = groupBySubject(await readLinesOf(database, account, entries));
  const found = entries.flatMap((entry) => {
    const settled = lines.get(entry.subject) ?? [];
    return entryDiscrepancy(judgeEntry(entry, settled, { ...calendar, asOf }), settled) ?? [];
  });
  await lease.renew();
  return database.prisma.$transaction(async (transaction) => {
    await lease.confirmQuiet(transaction, lastIntakeAt);
    const subjects = entries.map(({ subject }) => subject);
    return writeDiscrepancies(context, transaction, account, { subjects, found, rules });
  }, TRANSACTION_LIMITS);
}

/** Writes a discrepancy for each line that nothing explains, and resolves those of lines that are explained since. */
export async function checkUnmatchedLines(match: AccountMatch): Promise<WrittenCounts> {
  const { database } = match.context.resources;
  let resolved = 0;
  for (let after: string | null = null; ; ) {
    const page: OpenUnmatched[] = await readOpenUnmatched(database, match.account, after, BATCH);
    const unmatched = page.filter((line) => line.unmatched);
    resolved += (await write(match, page, unmatched)).resolved;
    after = page.at(-1)?.discrepancyId ?? null;
    if (page.length < BATCH) break;
  }
  let found = 0;
  for (let after: string | null = null; ; ) {
    const page: UnmatchedLine[] = await readUnmatchedLines(database, match.account, after, BATCH);
    const known = await readKnownSubjects(
      database,
      match.account,
      page.map(({ lineId }) => `line/${lineId}`),
    );
    const fresh = page.filter(({ lineId }) => !known.has(`line/${lineId}`));
    found += (await write(match, fresh, fresh)).found;
    after = page.at(-1)?.lineId ?? null;
    if (page.length < BATCH) return { found, resolved };
  }
}

async function write(
  { context, lease, account, rules, lastIntakeAt }: AccountMatch,
  looked: readonly UnmatchedLine[],
  unmatched: readonly UnmatchedLine[],
): Promise<WrittenCounts> {
  if (looked.length === 0) return { found: 0, resolved: 0 };
  await lease.renew();
  return context.resources.database.prisma.$transaction(async (transaction) => {
    await lease.confirmQuiet(transaction, lastIntakeAt);
    const subjects = looked.map(({ lineId }) => `line/${lineId}`);
    return writeDiscrepancies(context, transaction, account, { subjects, found: unmatched.map(lineDiscrepancy), rules });
  }, TRANSACTION_LIMITS);
}
