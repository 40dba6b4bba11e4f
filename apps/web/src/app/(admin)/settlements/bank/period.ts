import { createLoader, parseAsString } from 'nuqs/server';
import { dayNamed } from '#/components/filter-bar/period.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';

const DAYS = 30;

/** Days of the payouts in the URL, both inclusive: `2026-11-21`, `today-6`; the last thirty days unless others are chosen. */
export const periodParsers = {
  from: parseAsString.withDefault(`today-${DAYS - 1}`),
  to: parseAsString.withDefault('today'),
};

/** Reads the period from the URL, on the server. */
export const loadPeriod = createLoader(periodParsers);

/** The payouts that the page is of. What is no day is the first or last of all. */
export function toBankInput(scope: Scope, { from, to }: { readonly from: string; readonly to: string }, now: number) {
  return { ...scopeFilter(scope), from: dayNamed(from, now) ?? '2000-01-01', to: dayNamed(to, now) ?? '2999-12-31' };
}
