import { createLoader, parseAsString } from 'nuqs/server';
import { dayNamed } from '#/components/filter-bar/period.ts';
import { addDays, startOf } from '#/format/calendar.ts';
import { dayOf } from '#/format/moments.ts';

/** The days of the journal in the URL, both inclusive; empty for the month before this one. */
export const periodParsers = {
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
};

/** Reads the period from the URL, on the server. */
export const loadPeriod = createLoader(periodParsers);

/** The days of the journal: those of the URL where both are days, else the month before this one. */
export function toPeriod({ from, to }: { readonly from: string; readonly to: string }, now: number) {
  const [first, last] = [dayNamed(from, now), dayNamed(to, now)];
  if (first !== null && last !== null) return { from: first, to: last };
  const end = addDays(startOf(dayOf(now), 'month'), -1);
  return { from: startOf(end, 'month'), to: end };
}
