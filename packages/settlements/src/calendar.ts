import type { Database } from '@switchyard/db';
import type { SettlementCalendar } from '@switchyard/db/client';
import { findGateway } from '@switchyard/gateways';
import { addDays, dayText } from '@switchyard/runtime/calendar-days';
import type { AccountKey } from './context.ts';

const DAY_MS = 86_400_000;
const SATURDAY = 6;
const SUNDAY = 0;

/** The zone by which payments are dated. */
export const SETTLEMENT_ZONE = 'Africa/Lagos';

/** When an account's money is expected, and how exactly. */
export interface Calendar {
  /** Working days after the day of a payment. */
  readonly workingDays: number;
  /** Days without payouts beside Saturdays and Sundays, `YYYY-MM-DD`. */
  readonly holidays: readonly string[];
  /** Working days after the expected one until a payment is missing. */
  readonly graceDays: number;
  /** Amounts that differ by no more than this exact decimal of the main unit are settled. */
  readonly tolerance: string;
  /** How far a line without a reference may be from the payment of its amount. */
  readonly toleranceMinutes: number;
}

/** The day so many working days after another, both `YYYY-MM-DD`: the first working day from it on where there are none to add. */
export function addWorkingDays(day: string, count: number, holidays: readonly string[]): string {
  let at = day;
  for (let left = count; left > 0; left -= 1) at = firstWorkingDay(nextDay(at), holidays);
  return firstWorkingDay(at, holidays);
}

function firstWorkingDay(day: string, holidays: readonly string[]): string {
  let at = day;
  while (!isWorkingDay(at, holidays)) at = nextDay(at);
  return at;
}

/** True on Mondays to Fridays that are not holidays. */
export function isWorkingDay(day: string, holidays: readonly string[]): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== SATURDAY && weekday !== SUNDAY && !holidays.includes(day);
}

function nextDay(day: string): string {
  return addDays(day, 1);
}

/** The first of some days, `YYYY-MM-DD`. */
export function earliestDay(day: string, ...others: readonly string[]): string {
  return [day, ...others].toSorted()[0] ?? day;
}

/** Calendar days from one day to another, both `YYYY-MM-DD`. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** The first of two days. */
export function earlierDay(a: string, b: string): string {
  return a < b ? a : b;
}

/** The last of two days. */
export function laterDay(a: string, b: string): string {
  return a > b ? a : b;
}

/** The calendar of an account without one of its own: the gateway's working days, two days of grace, and nothing is tolerated. */
export function publishedCalendar(gateway: string): Calendar {
  const workingDays = findGateway(gateway)?.publishedSettlement.workingDays ?? 1;
  return { workingDays, holidays: [], graceDays: 2, tolerance: '0', toleranceMinutes: 10 };
}

/** True where a gateway pays refunds from the merchant's wallet, and so deducts them from no settlement. */
export function refundsFromWallet(gateway: string): boolean {
  return findGateway(gateway)?.publishedSettlement.refundsFromWallet === true;
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
