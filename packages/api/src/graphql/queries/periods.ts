import type { Period } from '@switchyard/reporting/figures';
import { badUserInput } from '../inputs.ts';
import { LIMITS } from '../limits.ts';

const DAY_MS = 86_400_000;

/** The problems with a period, one sentence each. */
export function periodProblems({ from, to }: Period): string[] {
  if (from >= to) return ['from must lie before to'];
  if (to.getTime() - from.getTime() > LIMITS.days * DAY_MS) return [`the period must not be longer than ${LIMITS.days} days`];
  return [];
}

/** The days of a filter, both inclusive. Throws BAD_USER_INPUT for a period that is too long, or ends before it begins. */
export function daysOf({ from, to }: { readonly from: string; readonly to: string }) {
  const problems = periodProblems({ from: new Date(from), to: new Date(Date.parse(to) + DAY_MS) });
  if (problems.length > 0) throw badUserInput(problems.join('; '));
  return { from, to };
}
