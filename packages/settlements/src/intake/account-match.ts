import type { SettlementIgnoreRule, SettlementSource } from '@switchyard/db/client';
import { addDays, calendarDay, dateOf } from '@switchyard/runtime/calendar-days';
import { type Calendar, earliestDay, readCalendar, refundsFromWallet, SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { readActiveRules, type WrittenAccount } from '../discrepancies/write-discrepancies.ts';
import type { AccountLease } from '../source-lease.ts';
import { type KnownDays, readFirstNewDay, readKnownDays } from './known-days.ts';
import type { Expectation } from './read-entries.ts';

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
