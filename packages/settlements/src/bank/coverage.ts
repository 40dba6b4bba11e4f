import { addDays, isWorkingDay, laterDay } from '../calendar.ts';

/** Consecutive days, both ends among them, `YYYY-MM-DD`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The days that the statements of a bank account cover, in their order and with gaps between them. */
export interface AccountCoverage {
  readonly bankAccount: string;
  readonly days: readonly Days[];
}

/** The days of several statements in their order; those that overlap or follow each other at once are one. */
export function mergeDays(all: readonly Days[]): Days[] {
  return mergeWhere(all, (before, next) => next.from <= addDays(before.to, 1));
}

/** The same where days without banking do not part two statements: what is paid out on working days is booked on them. */
export function bridgeWeekends(all: readonly Days[]): Days[] {
  return mergeWhere(mergeDays(all), (before, next) => {
    for (let day = addDays(before.to, 1); day < next.from; day = addDays(day, 1)) if (isWorkingDay(day, [])) return false;
    return true;
  });
}

function mergeWhere(all: readonly Days[], isOne: (before: Days, next: Days) => boolean): Days[] {
  const merged: Days[] = [];
  for (const next of all.toSorted((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)))) {
    const before = merged.at(-1);
    if (before === undefined || !isOne(before, next)) merged.push(next);
    else merged[merged.length - 1] = { from: before.from, to: laterDay(before.to, next.to) };
  }
  return merged;
}
