import type { Database } from '@switchyard/db';
import type { SettlementCalendar } from '@switchyard/db/client';
import { gatewayFacts } from '@switchyard/gateways/facts';
import { dayText } from '@switchyard/runtime/calendar-days';
import type { Calendar } from './calendar.ts';
import type { AccountKey } from './context.ts';

/** Of an account without a calendar of its own: the gateway's working days, two days of grace, and nothing is tolerated. */
export function publishedCalendar(gateway: string): Calendar {
  const workingDays = gatewayFacts(gateway)?.settlement.workingDays ?? 1;
  return { workingDays, holidays: [], graceDays: 2, tolerance: '0', toleranceMinutes: 10 };
}

/** True where a gateway pays refunds from the merchant's wallet, and so deducts them from no settlement. */
export function refundsFromWallet(gateway: string): boolean {
  return gatewayFacts(gateway)?.settlement.refundsFromWallet === true;
}

/** A calendar as it is stored. */
export function toCalendar(row: SettlementCalendar): Calendar {
  const { workingDays, graceDays, toleranceMinutes } = row;
  const holidays = row.holidays.map(dayText);
  return { workingDays, holidays, graceDays, tolerance: row.tolerance.toFixed(), toleranceMinutes };
}

/** When an account's money is expected. */
export async function readCalendar({ prisma }: Database, key: AccountKey & { readonly gateway: string }): Promise<Calendar> {
  const { merchantId, accountId, gateway } = key;
  const row = await prisma.settlementCalendar.findUnique({ where: { merchantId_accountId: { merchantId, accountId } } });
  return row === null ? publishedCalendar(gateway) : toCalendar(row);
}

/** The database, or a copy of it that reports read. */
export interface CalendarSource {
  readonly prisma: Pick<Database['prisma'], 'settlementCalendar'>;
}

/** The calendars of several accounts, by account. */
export async function readCalendars(
  { prisma }: CalendarSource,
  accounts: readonly (AccountKey & { readonly gateway: string })[],
): Promise<ReadonlyMap<string, Calendar>> {
  const key = (name: 'merchantId' | 'accountId') => ({ in: [...new Set(accounts.map((account) => account[name]))] });
  const rows = await prisma.settlementCalendar.findMany({
    where: { merchantId: key('merchantId'), accountId: key('accountId') },
  });
  const own = new Map(rows.map((row) => [row.accountId, toCalendar(row)]));
  return new Map(accounts.map(({ accountId, gateway }) => [accountId, own.get(accountId) ?? publishedCalendar(gateway)]));
}
