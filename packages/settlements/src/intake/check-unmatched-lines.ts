import type { AccountMatch } from './account-match.ts';
import { BATCH } from './batches.ts';
import { type OpenUnmatched, readKnownSubjects, readOpenUnmatched } from './discrepancy-queries.ts';
import { lineDiscrepancy } from './found.ts';
import { readUnmatchedLines, type UnmatchedLine } from './line-queries.ts';
import { type WrittenCounts, writeDiscrepancies } from './write-discrepancies.ts';

const TRANSACTION_LIMITS = { timeout: 30_000, maxWait: 10_000 };

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
