import type { SettlementIgnoreRule } from '@switchyard/db/client';
import { calendarDay } from '@switchyard/runtime/calendar-days';
import { readCalendar, refundsFromWallet } from '../account-calendar.ts';
import { addDays, type Calendar, SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { readActiveRules } from './ignore-rules.ts';
import type { Expectation } from './read-entries.ts';
import type { AccountLease } from './source-lease.ts';
import type { WrittenAccount } from './write-discrepancies.ts';

const DAY_MS = 24 * 3_600_000;
/** How far back payments are judged again each time; older ones while something about them is open, or is settled. */
const JUDGED_MS = 45 * DAY_MS;
/** A payment before the first settlement that is known may be due after it. */
const BEFORE_FIRST_MS = 10 * DAY_MS;

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
  /** When something last came by file or webhook before lines were linked. */
  readonly lastIntakeAt: Date | null;
  /** The day up to which settlements are known, `YYYY-MM-DD`. */
  readonly asOf: string;
}

/** Null while no settlement of the account is known. */
export async function openMatch(context: SettlementContext, lease: AccountLease): Promise<AccountMatch | null> {
  const { database, configuration } = context.resources;
  const { readFrom, readTo, lastIntakeAt } = await lease.read();
  const known = configuration.account(lease.key.accountId);
  if (known === undefined || readFrom === null || readTo === null) return null;
  const { mode, gateway } = known.account;
  const account = { ...lease.key, mode, gateway };
  const calendar = await readCalendar(database, account);
  const now = context.now();
  return {
    context,
    lease,
    account,
    calendar,
    expectation: {
      ...calendar,
      refundsFromWallet: refundsFromWallet(gateway),
      since: addDays(calendarDay(readFrom, SETTLEMENT_ZONE), 1),
      contracts: known.merchant.feeContracts,
    },
    rules: await readActiveRules(database, lease.key),
    judgedFrom: new Date(Math.max(now.getTime() - JUDGED_MS, readFrom.getTime() - BEFORE_FIRST_MS)),
    now,
    lastIntakeAt,
    asOf: calendarDay(readTo, SETTLEMENT_ZONE),
  };
}
