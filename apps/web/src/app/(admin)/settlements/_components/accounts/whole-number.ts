import * as z from 'zod/mini';

/** A whole number that was entered, up to a limit. */
export function wholeNumber(max: number) {
  return z.pipe(
    z.string().check(
      z.regex(/^\d{1,4}$/, 'must be a whole number'),
      z.refine((text) => Number(text) <= max, `must be at most ${max}`),
    ),
    z.transform(Number),
  );
}
