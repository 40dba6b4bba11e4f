import { findGateway } from '@switchyard/gateways';
import type { DisputeDue } from '@switchyard/payments/reversals';
import { addDays, calendarDay, startOfDay } from '@switchyard/runtime/calendar-days';
import { addWorkingDays, type Calendar, SETTLEMENT_ZONE } from '@switchyard/settlements/calendar';

const HOUR_MS = 3_600_000;

/**
 * The due date of a dispute by the rule that its gateway publishes; null where it publishes none. Working hours go by where the card is from; where
 * that is not known they are those of local cards, which is the earlier date.
 */
export function disputeDue(
  gateway: string,
  openedAt: Date,
  { holidays, cardOrigin }: Pick<Calendar, 'holidays'> & { readonly cardOrigin: 'local' | 'international' | null },
): DisputeDue | null {
  const rule = findGateway(gateway)?.disputes.answerWithin ?? null;
  if (rule === null) return null;
  switch (rule.kind) {
    case 'hours':
      return { at: new Date(openedAt.getTime() + rule.hours * HOUR_MS), source: 'RULE' };
    case 'working_hours': {
      const isInternational = cardOrigin === 'international';
      return {
        at: addWorkingHours(openedAt, isInternational ? rule.international : rule.local, { zone: SETTLEMENT_ZONE, holidays }),
        source: 'RULE',
      };
    }
    default:
      return rule satisfies never;
  }
}

/**
 * Hours of a working day. No gateway publishes its own. Due dates in the samples of Flutterwave are at the end of 16:59 in Lagos; the earlier
 * a day begins, the earlier a dispute is due, and none is called due too late.
 */
const BEGINS_AT_HOUR = 8;
const ENDS_AT_HOUR = 17;

/** Where and on which days people work. */
export interface WorkingCalendar {
  readonly zone: string;
  /** Days without work beside Saturdays and Sundays, `YYYY-MM-DD`. */
  readonly holidays: readonly string[];
}

/** The moment by which so many hours of working days have passed. */
export function addWorkingHours(from: Date, hours: number, { zone, holidays }: WorkingCalendar): Date {
  let leftMs = hours * HOUR_MS;
  let day = calendarDay(from, zone);
  for (;;) {
    // Noon is on the day in every zone.
    const midnight = startOfDay(new Date(Date.parse(`${day}T12:00:00Z`) - offsetMs(day, zone)), zone).getTime();
    const begins = Math.max(midnight + BEGINS_AT_HOUR * HOUR_MS, from.getTime());
    const ends = midnight + ENDS_AT_HOUR * HOUR_MS;
    if (isWorkingDay(day, holidays) && begins < ends) {
      if (begins + leftMs <= ends) return new Date(begins + leftMs);
      leftMs -= ends - begins;
    }
    day = addDays(day, 1);
  }
}

function isWorkingDay(day: string, holidays: readonly string[]): boolean {
  return addWorkingDays(day, 0, holidays) === day;
}

/** Milliseconds by which clocks of a zone are ahead of UTC at noon of a day. */
function offsetMs(day: string, zone: string): number {
  const noon = new Date(`${day}T12:00:00Z`);
  return noon.getTime() - startOfDay(noon, zone).getTime() - 12 * HOUR_MS;
}
