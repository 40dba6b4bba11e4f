import type { SettlementSource } from '@switchyard/db/client';
import { calendarDay } from '@switchyard/runtime/calendar-days';
import type { AccountKey } from '../account.ts';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { openFeeAudit } from '../fees/audit-fees.ts';
import { auditPayments } from '../fees/audit-payments.ts';
import { openMatch } from './account-match.ts';
import { checkUnmatchedLines } from './check-unmatched-lines.ts';
import { checkUnrecognised } from './check-unrecognised.ts';
import { readOpenSubjects } from './discrepancy-queries.ts';
import { judgeAccount } from './judge-account.ts';
import { readWithdrawnPayments } from './line-queries.ts';
import { linkAccount } from './link-account.ts';
import { isQuiet } from './quiet.ts';
import { type AccountLease, LostLease, SourceLease } from './source-lease.ts';
import { writeDiscrepancies } from './write-discrepancies.ts';

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
export function isMatchDue({ matchedAt, readTo, leasedUntil }: SettlementSource, now: Date): boolean {
  if (readTo === null) return false;
  if (matchedAt === null || (leasedUntil !== null && leasedUntil < now)) return true;
  return calendarDay(matchedAt, SETTLEMENT_ZONE) < calendarDay(now, SETTLEMENT_ZONE);
}

/** Matches an account for the process that has its lease. While more is coming in, lines are linked and nothing is judged: the rest may be next. */
export async function matchLeased(
  context: SettlementContext,
  lease: AccountLease,
): Promise<{ readonly linked: number; readonly found: number; readonly resolved: number }> {
  const { prisma } = context.resources.database;
  const match = await openMatch(context, lease);
  if (match === null) {
    await resolveUnknown(context, lease.key);
    return { linked: 0, found: 0, resolved: 0 };
  }
  // At the beginning, so that lines that are stored meanwhile make it due again.
  await lease.write(prisma, { matchedAt: match.now });
  try {
    const { linked, paymentIds } = await linkAccount(match);
    if (!isQuiet(match.lastIntakeAt, context.now())) {
      await lease.write(prisma, { matchedAt: null });
      return { linked, found: 0, resolved: 0 };
    }
    const entries = await judgeAccount(match, paymentIds);
    const lines = await checkUnmatchedLines(match);
    const payouts = await checkUnrecognised(match);
    // The first audit is of all payments.
    const audit = (await lease.read()).feesAt === null ? null : await openFeeAudit(context, lease);
    const withdrawn = await readWithdrawnPayments(context.resources.database, match.account, match.judgedFrom);
    const charged = [...new Set([...paymentIds, ...withdrawn])];
    const fees = audit === null ? { found: 0, resolved: 0 } : await auditPayments(audit, charged);
    const sum = (key: 'found' | 'resolved') => entries[key] + lines[key] + payouts[key] + fees[key];
    return { linked, found: sum('found'), resolved: sum('resolved') };
  } catch (error) {
    if (!(error instanceof LostLease)) await lease.write(prisma, { matchedAt: null });
    throw error;
  }
}

/** The subjects that are judged by settlements of their account. */
const JUDGED = ['payment/', 'duplicate/', 'refund/', 'reversal/', 'dispute/', 'line/'] as const;

/** Resolves what was open of an account of which no settlement is known any more. */
export async function resolveUnknown(context: SettlementContext, key: AccountKey): Promise<void> {
  const { database, configuration } = context.resources;
  const known = configuration.account(key.accountId);
  const subjects = known === undefined ? [] : await readOpenSubjects(database, key, JUDGED);
  if (known === undefined || subjects.length === 0) return;
  const { mode, gateway } = known.account;
  await database.prisma.$transaction((transaction) =>
    writeDiscrepancies(context, transaction, { ...key, mode, gateway }, { subjects, found: [], rules: [] }),
  );
}
