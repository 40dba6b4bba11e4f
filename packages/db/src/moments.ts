import { z } from 'zod';

/*
 * Moments and days that callers send. PostgreSQL writes and reads the years 1 to 9999 in four digits; JavaScript has more on either side,
 * which would fail in the database. One definition for all transports.
 */

const FIRST = new Date(-62_135_596_800_000);
const LAST = new Date('9999-12-31T23:59:59.999Z');
const FIRST_DAY = '0001-01-01';

/** Rule for a moment as text. */
export const MOMENT_RULE = 'must be an ISO 8601 date and time with its offset, as 2026-11-22T00:00:00Z, of the years 1 to 9999';
/** Rule for a day as text. */
export const DAY_RULE = 'must be a day of the years 1 to 9999, as 2026-11-22';

const ISO = /^(\d{4})-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const isIso = z.iso.datetime({ offset: true });

/** True if the database holds the moment. */
export function isInRange(moment: Date): boolean {
  return moment >= FIRST && moment <= LAST;
}

/**
 * The moment of an ISO 8601 text with seconds and an offset; null for any other text, and out of the years 1 to 9999. The last day of the
 * year 9999 is how programs write "no end": an offset that puts it into the year 10000 leaves it the last moment there is.
 */
export function parseMoment(text: string): Date | null {
  const year = ISO.exec(text)?.[1];
  if (year === undefined || !isIso.safeParse(text).success) return null;
  const moment = new Date(text);
  if (year === '9999' && moment > LAST) return LAST;
  return isInRange(moment) ? moment : null;
}

/** The last moment that a text or day can name, for the end of a period that reaches beyond it. */
export function lastMoment(): Date {
  return new Date(LAST);
}

export const momentText = z.string().transform((text, refinement) => {
  const moment = parseMoment(text);
  if (moment !== null) return moment;
  refinement.addIssue({ code: 'custom', message: MOMENT_RULE });
  return z.NEVER;
});

/** A moment as a `Date`. */
export const momentValue = z.date().refine(isInRange, MOMENT_RULE);

/** A day as text: `2026-11-22`. */
export const dayText = z.iso.date(DAY_RULE).refine((day) => day >= FIRST_DAY, DAY_RULE);
