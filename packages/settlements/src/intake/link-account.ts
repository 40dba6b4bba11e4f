import type { SettlementIgnoreRule, SettlementSource } from '@switchyard/db/client';
import { settleDisputeFees } from '@switchyard/payments/reversals';
import { addDays, calendarDay, dateOf } from '@switchyard/runtime/calendar-days';
import { type Calendar, earliestDay, readCalendar, refundsFromWallet, SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { readActiveRules, type WrittenAccount } from '../discrepancies/write-discrepancies.ts';
import {
  type AttemptPlace,
  findByReference,
  findByTransaction,
  findDeductedPayments,
  readPaidPage,
} from '../ledger/ledger-queries.ts';
import {
  type NewLink,
  readDisputeFees,
  readLinesOf,
  readUnlinkedLines,
  type StoredLine,
  sumExplained,
  writeLinks,
} from '../ledger/line-queries.ts';
import type { LedgerEntry } from '../matching/entries.ts';
import { linkLines } from '../matching/link-lines.ts';
import { type AccountLease, BATCH, batches, LARGE_BATCH } from '../source-lease.ts';
import { type KnownDays, readFirstNewDay, readKnownDays } from './known-days.ts';
import { type Expectation, readEntries } from './read-entries.ts';

/** How far back payments are judged again each time; older ones while something about them is open, or is settled. */
const JUDGED_DAYS = 45;
/** A payment before the first payout that is known may be due with it. */
const BEFORE_FIRST_DAYS = 10;
/** How far the clocks of two processes may differ. */
const CLOCKS_MS = 3_600_000;

/** An account that is being matched. */
export interface AccountMatch {
  readonly context: SettlementContext;
  readonly lease: AccountLease;
  readonly account: WrittenAccount;
  readonly calendar: Calendar;
  readonly expectation: Expectation;
  readonly rules: readonly SettlementIgnoreRule[];
  /** Payments since this moment are judged whether they are settled or not. */
  readonly judgedFrom: Date;
  readonly now: Date;
  /** The moment since which changes are not judged yet; null where nothing was ever judged. */
  readonly judgedSince: Date | null;
  /** When something last came by file or webhook before lines were linked. */
  readonly lastIntakeAt: Date | null;
  /** The day up to which payouts are known, `YYYY-MM-DD`. */
  readonly asOf: string;
}

/** Null where the merchant has no such account. */
export async function openMatch(context: SettlementContext, lease: AccountLease): Promise<AccountMatch | null> {
  const { database, configuration } = context.resources;
  const source = await lease.read();
  const account = configuration.account(lease.key.accountId);
  if (account === undefined) return null;
  const { mode, gateway } = account.account;
  const key = { ...lease.key, mode, gateway };
  const calendar = await readCalendar(database, key);
  const now = context.now();
  const known = (await readKnownDays(context, [source])).get(source.accountId) ?? [];
  const asOf = known.at(-1)?.until ?? calendarDay(now, SETTLEMENT_ZONE);
  const judgedSince = source.judgedAt === null ? null : new Date(source.judgedAt.getTime() - CLOCKS_MS);
  return {
    context,
    lease,
    account: key,
    calendar,
    expectation: {
      ...calendar,
      refundsFromWallet: refundsFromWallet(gateway),
      known,
      contracts: account.merchant.feeContracts,
    },
    rules: await readActiveRules(database, lease.key),
    judgedFrom: dateOf(await firstJudgedDay(context, source, known, { asOf, judgedSince })),
    judgedSince,
    now,
    lastIntakeAt: source.lastIntakeAt,
    asOf,
  };
}

/** From when on all are judged. Payouts that came since the last time may be older, as those in a file of many: all that was due with them is judged once. */
async function firstJudgedDay(
  context: SettlementContext,
  source: SettlementSource,
  known: readonly KnownDays[],
  { asOf, judgedSince }: Pick<AccountMatch, 'asOf' | 'judgedSince'>,
): Promise<string> {
  const firstNew = await readFirstNewDay(context, source, judgedSince);
  const before = (day: string) => addDays(day, -BEFORE_FIRST_DAYS);
  const first = earliestDay(asOf, ...known.map(({ from }) => from));
  const recent = [addDays(asOf, -JUDGED_DAYS), before(first)].toSorted().at(-1) ?? asOf;
  return firstNew === null ? recent : earliestDay(recent, before(firstNew));
}

/** More lines than this wait for the next time: those of a file of 100,000 payments and their fees fit. */
const LINES_MAX = 300_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long a checkout may be open before it is paid. */
const OPEN_MAX_MS = 2 * DAY_MS;
/** How long a refund may wait until it is deducted. */
const DEDUCTED_MS = 60 * DAY_MS;
/** How long after its payment a line may name it by its transaction alone. */
const TRANSACTION_MS = 90 * DAY_MS;
const TRANSACTION_LIMITS = { timeout: 120_000, maxWait: 10_000 };

/** Links the account's lines, one settlement after another. Returns how many, and the payments they are of. */
export async function linkAccount(
  match: AccountMatch,
): Promise<{ readonly linked: number; readonly paymentIds: ReadonlySet<string> }> {
  const lines = await readUnlinked(match);
  const entries = await readCandidates(match, lines);
  const known = await readLinesOfAll(match, entries);
  const links = linkLines([...lines, ...known], entries, match.calendar);
  const bySubject = new Map(entries.map((entry) => [entry.subject, entry]));
  const paymentIds = new Set<string>();
  let linked = 0;
  for (const [settlementId, some] of Map.groupBy(lines, (line) => line.settlementId)) {
    const found = some.flatMap(({ lineId }): NewLink[] => {
      const link = links.get(lineId);
      if (link === undefined) return [];
      return [{ lineId, by: link.by, entries: link.subjects.flatMap((subject) => bySubject.get(subject) ?? []) }];
    });
    if (found.length === 0) continue;
    linked += await writeSettlementLinks(match, settlementId, found);
    for (const { entries: linkedTo } of found) for (const { paymentId } of linkedTo) paymentIds.add(paymentId);
  }
  return { linked, paymentIds };
}

async function readUnlinked({ context, account }: AccountMatch): Promise<StoredLine[]> {
  const lines: StoredLine[] = [];
  for (let after: string | null = null; lines.length < LINES_MAX; ) {
    const page: StoredLine[] = await readUnlinkedLines(context.resources.database, account, after, LARGE_BATCH);
    lines.push(...page);
    after = page.at(-1)?.lineId ?? null;
    if (page.length < LARGE_BATCH) break;
  }
  return lines;
}

/** The entries that lines may be of. */
async function readCandidates(match: AccountMatch, lines: readonly StoredLine[]): Promise<LedgerEntry[]> {
  const { context, account, expectation, lease } = match;
  const { database } = context.resources;
  const paymentIds = new Set(await findPayments(match, lines));
  const entries: LedgerEntry[] = [];
  for (const some of batches([...paymentIds], LARGE_BATCH)) {
    for (const entry of await readEntries(database, account, some, expectation)) entries.push(entry);
    await lease.renew();
  }
  return entries;
}

async function findPayments(match: AccountMatch, lines: readonly StoredLine[]): Promise<string[]> {
  const { context, account, now, calendar } = match;
  const { database } = context.resources;
  const found: string[] = [];
  const known = new Set<string>();
  for (const some of batches([...new Set(lines.flatMap(({ reference }) => reference ?? []))], LARGE_BATCH)) {
    for (const { paymentId, reference } of await findByReference(database, account, some)) {
      found.push(paymentId);
      known.add(reference);
    }
  }
  const unknown = lines.filter(({ reference }) => reference === null || !known.has(reference));
  const since = new Date(now.getTime() - TRANSACTION_MS);
  for (const some of batches([...new Set(unknown.flatMap(({ transactionId }) => transactionId ?? []))], LARGE_BATCH)) {
    for (const paymentId of await findByTransaction(database, account, some, since)) found.push(paymentId);
  }
  const nameless = lines.filter(
    ({ kind, reference, transactionId }) => kind !== 'RESIDUE' && reference === null && transactionId === null,
  );
  if (nameless.some(({ amount }) => amount.startsWith('-'))) {
    const deducted = await findDeductedPayments(database, account, new Date(now.getTime() - DEDUCTED_MS));
    for (const paymentId of deducted) found.push(paymentId);
  }
  const times = nameless.flatMap(({ kind, occurredAt }) =>
    kind === 'PAYMENT' && occurredAt !== null ? [occurredAt.getTime()] : [],
  );
  if (times.length === 0) return found;
  const reach = calendar.toleranceMinutes * MINUTE_MS;
  const from = new Date(times.reduce((a, b) => Math.min(a, b)) - reach - OPEN_MAX_MS);
  const to = new Date(times.reduce((a, b) => Math.max(a, b)) + reach);
  for await (const page of paidPages(match, { from, to })) found.push(...page);
  return found;
}

/** The payments that attempts made in `[from, to)` paid, a page at a time. */
export async function* paidPages(
  { context, account }: AccountMatch,
  span: { readonly from: Date; readonly to: Date },
): AsyncGenerator<string[]> {
  for (let after: AttemptPlace | null = null; ; ) {
    const page: (AttemptPlace & { readonly paymentId: string })[] = await readPaidPage(
      context.resources.database,
      account,
      span,
      after,
      BATCH,
    );
    yield page.map(({ paymentId }) => paymentId);
    after = page.at(-1) ?? null;
    if (page.length < BATCH) return;
  }
}

async function readLinesOfAll({ context, account }: AccountMatch, entries: readonly LedgerEntry[]): Promise<StoredLine[]> {
  const lines = new Map<string, StoredLine>();
  for (const some of batches(entries, LARGE_BATCH)) {
    for (const line of await readLinesOf(context.resources.database, account, some)) lines.set(line.lineId, line);
  }
  return [...lines.values()];
}

function writeSettlementLinks(
  { context, lease, account }: AccountMatch,
  settlementId: string,
  links: readonly NewLink[],
): Promise<number> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    await lease.confirm(transaction);
    const key = { merchantId: account.merchantId, settlementId };
    let written = 0;
    for (const some of batches(links, LARGE_BATCH)) written += await writeLinks(transaction, key, some);
    await sumExplained(transaction, account.merchantId, settlementId, context.now());
    const disputeIds = links.flatMap(({ entries }) => entries.flatMap(({ disputeId }) => disputeId ?? []));
    if (disputeIds.length > 0) {
      const fees = await readDisputeFees(transaction, account.merchantId, [...new Set(disputeIds)]);
      await settleDisputeFees(transaction, account.merchantId, fees, { now: context.now(), newId: context.newId });
    }
    return written;
  }, TRANSACTION_LIMITS);
}
