import { canonicalJson, type JsonValue } from '@switchyard/db';
import type { Mode, SettlementRoad } from '@switchyard/db/client';
import { addDecimals, compareDecimals } from '@switchyard/db/decimals';
import { findGateway, type Gateway } from '@switchyard/gateways';
import { dateOf, isDay } from '@switchyard/runtime/calendar-days';
import { appendEntry } from '../audit.ts';
import { type Calendar, publishedCalendar, toCalendar } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { accountNames } from './names.ts';

/** An account with how its settlements come and when its money is expected. */
export interface SettlementSourceItem {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  /** How its settlements come: from the gateway's list, from its webhooks, or from files. */
  readonly road: SettlementRoad;
  /** The last answer, webhook or file; null before any. */
  readonly heardAt: Date | null;
  /** Why the last reading failed; null when it did not. */
  readonly failure: string | null;
  readonly nextPollAt: Date | null;
  readonly calendar: Calendar & {
    /** True if the account has no calendar of its own. */
    readonly isDefault: boolean;
    /** The gateway's page that states its working days; null where none was found. */
    readonly publishedSource: string | null;
  };
}

const ROADS = { polled: 'POLLED', webhook: 'WEBHOOK', file: 'FILE' } as const satisfies Record<
  Gateway['settlementRoad'],
  SettlementRoad
>;

/** The accounts of these merchants, by merchant and label. */
export async function listSettlementSources(
  context: SettlementContext,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
): Promise<SettlementSourceItem[]> {
  const { database, configuration } = context.resources;
  const where = { merchantId: { in: [...merchantIds] } };
  const [sources, calendars] = await Promise.all([
    database.prisma.settlementSource.findMany({ where }),
    database.prisma.settlementCalendar.findMany({ where }),
  ]);
  const sourceOf = new Map(sources.map((row) => [row.accountId, row]));
  const calendarOf = new Map(calendars.map((row) => [row.accountId, row]));
  const items = merchantIds.flatMap((merchantId) => {
    const accounts = configuration.merchant(merchantId)?.accounts.filter((account) => account.mode === mode) ?? [];
    return accounts.map(({ id: accountId, gateway }): SettlementSourceItem => {
      const source = sourceOf.get(accountId);
      const known = calendarOf.get(accountId);
      const calendar = known === undefined ? publishedCalendar(gateway) : toCalendar(known);
      const connector = findGateway(gateway);
      return {
        merchantId,
        accountId,
        ...accountNames(context, { accountId, gateway }),
        road: ROADS[connector?.settlementRoad ?? 'file'],
        heardAt: source?.heardAt ?? null,
        failure: source?.failure ?? null,
        nextPollAt: source?.nextPollAt ?? null,
        calendar: { ...calendar, isDefault: known === undefined, publishedSource: connector?.publishedSettlement.source ?? null },
      };
    });
  });
  return items.toSorted((a, b) => a.merchantName.localeCompare(b.merchantName) || a.accountLabel.localeCompare(b.accountLabel));
}

/** Bounds of a calendar. */
export const CALENDAR_LIMITS = {
  workingDaysMax: 30,
  graceDaysMax: 30,
  holidaysMax: 200,
  toleranceMax: 1_000_000,
  toleranceMinutesMax: 1_440,
} as const;

/** Result of changing a calendar, or the reason why it was refused. */
export type SettlementCalendarOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly field: keyof Calendar; readonly why: string };

/** Sets an account's calendar; null returns to what the gateway publishes. Its discrepancies follow when it is next matched, within minutes. */
export async function changeSettlementCalendar(
  context: SettlementContext,
  {
    merchantId,
    accountId,
    calendar,
    actor,
  }: {
    readonly merchantId: string;
    readonly accountId: string;
    readonly calendar: Calendar | null;
    /** `staff:<id>`. */
    readonly actor: string;
  },
): Promise<SettlementCalendarOutcome> {
  const { database, configuration } = context.resources;
  const known = configuration.account(accountId);
  if (known === undefined || known.merchant.merchant.id !== merchantId) return { kind: 'not_found' };
  const refusal = calendar === null ? null : refusalOf(calendar);
  if (refusal !== null) return { kind: 'refused', ...refusal };
  return database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const key = { merchantId, accountId };
    const row = await transaction.settlementCalendar.findUnique({ where: { merchantId_accountId: key } });
    const before = row === null ? null : toCalendar(row);
    const after = calendar === null ? null : { ...calendar, holidays: [...new Set(calendar.holidays)].toSorted() };
    if (canonicalJson(jsonOf(before)) === canonicalJson(jsonOf(after))) return { kind: 'unchanged' };
    if (after === null) await transaction.settlementCalendar.deleteMany({ where: key });
    else {
      const data = { ...after, holidays: after.holidays.map(dateOf) };
      await transaction.settlementCalendar.upsert({
        where: { merchantId_accountId: key },
        create: { ...key, ...data },
        update: data,
      });
    }
    await transaction.settlementSource.updateMany({ where: key, data: { matchedAt: null } });
    const object = { objectType: 'gateway_account', objectId: accountId, before: jsonOf(before), after: jsonOf(after) };
    const entry = { tenantId: merchantId, entryId: context.newId(), actor, action: 'settlements.calendar_changed', ...object };
    await appendEntry(context, transaction, entry, now);
    return { kind: 'changed' };
  });
}

function jsonOf(calendar: Calendar | null): JsonValue {
  if (calendar === null) return null;
  const { workingDays, holidays, graceDays, tolerance, toleranceMinutes } = calendar;
  return { workingDays, holidays: [...holidays], graceDays, tolerance: addDecimals(tolerance), toleranceMinutes };
}

const AMOUNT = /^\d{1,7}(?:\.\d{1,6})?$/;

function refusalOf(calendar: Calendar): { readonly field: keyof Calendar; readonly why: string } | null {
  const { workingDays, holidays, graceDays, tolerance, toleranceMinutes } = calendar;
  const { workingDaysMax, graceDaysMax, holidaysMax, toleranceMax, toleranceMinutesMax } = CALENDAR_LIMITS;
  if (!isCount(workingDays, workingDaysMax)) return { field: 'workingDays', why: `Enter 0 to ${workingDaysMax} days.` };
  if (!isCount(graceDays, graceDaysMax)) return { field: 'graceDays', why: `Enter 0 to ${graceDaysMax} days.` };
  if (holidays.length > holidaysMax) return { field: 'holidays', why: `Enter ${holidaysMax} holidays at most.` };
  const wrong = holidays.find((day) => !isDay(day));
  if (wrong !== undefined) return { field: 'holidays', why: `${wrong} is not a day.` };
  if (!AMOUNT.test(tolerance) || compareDecimals(tolerance, String(toleranceMax)) > 0) {
    return { field: 'tolerance', why: `Enter an amount up to ${toleranceMax}, with six decimals at most.` };
  }
  if (!isCount(toleranceMinutes, toleranceMinutesMax)) {
    return { field: 'toleranceMinutes', why: `Enter 0 to ${toleranceMinutesMax} minutes.` };
  }
  return null;
}

function isCount(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max;
}
