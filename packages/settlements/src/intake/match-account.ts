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
import { judgeAccount } from './judge-account.ts';
import { readSettledPayments, readWithdrawnPayments } from './line-queries.ts';
import { linkAccount } from './link-account.ts';
import { isQuiet } from './quiet.ts';
import { type AccountLease, LostLease, SourceLease } from './source-lease.ts';

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
