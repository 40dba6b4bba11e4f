import type { Settlement, SettlementSource } from '@switchyard/db/client';
import { calendarDay, dayText } from '@switchyard/runtime/calendar-days';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import type { AccountKey, SettlementContext } from '../context.ts';
import { type FoundDiscrepancy, type WrittenCounts, writeDiscrepancies } from '../discrepancies/write-discrepancies.ts';
import { auditPayments, openFeeAudit } from '../fees/audit-fees.ts';
import { readSettledPayments, readWithdrawnPayments } from '../ledger/line-queries.ts';
import { type AccountLease, isQuiet, LostLease, SourceLease } from '../source-lease.ts';
import { checkUnmatchedLines, judgeAccount } from './judge-account.ts';
import { type AccountMatch, linkAccount, openMatch } from './link-account.ts';

/** How long a payout may have a status that is not recognised before people have to look, as of payments. */
const OPEN_MAX_MS = 7 * 24 * 3_600_000;
const PAYOUTS_MAX = 500;
const SUBJECT = 'status/';
const TRANSACTION_LIMITS = { timeout: 30_000, maxWait: 10_000 };

/** Writes a discrepancy for each payout whose status the gateway's documentation does not list, and resolves those of others. */
async function checkUnrecognised({ context, lease, account, rules, now, lastIntakeAt }: AccountMatch): Promise<WrittenCounts> {
  const { merchantId, accountId } = account;
  const { prisma } = context.resources.database;
  const before = new Date(now.getTime() - OPEN_MAX_MS);
  const payouts = await prisma.settlement.findMany({
    where: { merchantId, accountId, status: 'PENDING', unrecognised: { not: null }, createdAt: { lte: before } },
    orderBy: { createdAt: 'asc' },
    take: PAYOUTS_MAX,
  });
  const open = await prisma.settlementDiscrepancy.findMany({
    where: { merchantId, accountId, subject: { startsWith: SUBJECT }, state: 'OPEN' },
    select: { subject: true },
    take: PAYOUTS_MAX,
  });
  const found = payouts.map(payoutDiscrepancy);
  const subjects = [...new Set([...open, ...found].map(({ subject }) => subject))];
  if (subjects.length === 0) return { found: 0, resolved: 0 };
  await lease.renew();
  return prisma.$transaction(async (transaction) => {
    await lease.confirmQuiet(transaction, lastIntakeAt);
    return writeDiscrepancies(context, transaction, account, { subjects, found, rules });
  }, TRANSACTION_LIMITS);
}

/** A payout that may have been paid, or not: its whole amount is in question. */
function payoutDiscrepancy({ id, currency, net, settledOn, createdAt }: Settlement): FoundDiscrepancy {
  return {
    subject: `${SUBJECT}${id}`,
    kind: 'MISSING',
    currency,
    expected: net.toFixed(),
    settled: null,
    expectedOn: settledOn === null ? calendarDay(createdAt, SETTLEMENT_ZONE) : dayText(settledOn),
    settlementId: id,
    lineId: null,
    lineKind: null,
    paymentId: null,
    refundId: null,
    disputeId: null,
  };
}

/** Result of matching an account. */
export type MatchOutcome =
  | { readonly kind: 'matched'; readonly linked: number; readonly found: number; readonly resolved: number }
  /** Another process reads or matches the account. */
  | { readonly kind: 'busy' }
  /** The merchant has no such account. */
  | { readonly kind: 'not_found' };

/** Links an account's unmatched lines to its payments, refunds and disputes, and writes what is open between them. */
export async function matchAccount(context: SettlementContext, key: AccountKey): Promise<MatchOutcome> {
  await context.resources.configuration.ready();
  const known = context.resources.configuration.account(key.accountId);
  if (known === undefined || known.merchant.merchant.id !== key.merchantId) return { kind: 'not_found' };
  const lease = await SourceLease.take(context, key);
  if (lease === null) return { kind: 'busy' };
  try {
    return { kind: 'matched', ...(await matchLeased(context, lease)) };
  } catch (error) {
    if (error instanceof LostLease) return { kind: 'busy' };
    throw error;
  } finally {
    await lease.release();
  }
}

/** True if lines came since an account was matched, or a day began, or the process that matched it has ended. */
export function isMatchDue({ matchedAt, readTo, heardAt, leasedUntil }: SettlementSource, now: Date): boolean {
  if (readTo === null && heardAt === null) return false;
  if (matchedAt === null || (leasedUntil !== null && leasedUntil < now)) return true;
  return calendarDay(matchedAt, SETTLEMENT_ZONE) < calendarDay(now, SETTLEMENT_ZONE);
}

/** Matches an account for the process that has its lease. While more is coming in, lines are linked and nothing is judged: the rest may be next. */
export async function matchLeased(
  context: SettlementContext,
  lease: AccountLease,
): Promise<{ readonly linked: number; readonly found: number; readonly resolved: number }> {
  const { database } = context.resources;
  const { prisma } = database;
  const match = await openMatch(context, lease);
  if (match === null) return { linked: 0, found: 0, resolved: 0 };
  // At the beginning, so that lines that are stored meanwhile make it due again.
  await lease.write(prisma, { matchedAt: match.now });
  try {
    const { linked, paymentIds } = await linkAccount(match);
    if (!isQuiet(match.lastIntakeAt, context.now())) {
      await lease.write(prisma, { matchedAt: null });
      return { linked, found: 0, resolved: 0 };
    }
    // Lines may have been linked while more came in.
    const settled = new Set([...paymentIds, ...(await readSettledPayments(database, match.account, match.judgedSince))]);
    const entries = await judgeAccount(match, settled);
    const lines = await checkUnmatchedLines(match);
    const payouts = await checkUnrecognised(match);
    // The first audit is of all payments.
    const audit = (await lease.read()).feesAt === null ? null : await openFeeAudit(context, lease);
    const withdrawn = await readWithdrawnPayments(database, match.account, match.judgedFrom);
    const charged = [...new Set([...settled, ...withdrawn])];
    const fees = audit === null ? { found: 0, resolved: 0 } : await auditPayments(audit, charged);
    await lease.write(prisma, { judgedAt: match.now });
    const sum = (key: 'found' | 'resolved') => entries[key] + lines[key] + payouts[key] + fees[key];
    return { linked, found: sum('found'), resolved: sum('resolved') };
  } catch (error) {
    if (!(error instanceof LostLease)) await lease.write(prisma, { matchedAt: null });
    throw error;
  }
}
