import * as z from 'zod/mini';

/** Name of a key or token: 1 to 100 characters after trimming. */
export const keyNameSchema = z
  .string('must be text')
  .check(
    z.trim(),
    z.minLength(1, 'must not be empty'),
    z.maxLength(100, 'must have at most 100 characters'),
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters'),
  );

/** The settings of a merchant that staff enter, one by one. */
export const merchantSettings = {
  name: z
    .string('must be text')
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(200, 'must have at most 200 characters'),
      z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters'),
    ),
  /** Null: customers see our own result page. */
  defaultRedirectUrl: z.nullable(
    z
      .string('must be text')
      .check(
        z.maxLength(2_000, 'must have at most 2000 characters'),
        z.refine(isRedirectUrl, 'must be an https:// address without a user name'),
      ),
  ),
  sessionMinutes: z
    .int('must be a whole number')
    .check(z.minimum(5, 'must be at least 5'), z.maximum(1_440, 'must be at most 1440')),
  timeZone: z.string('must be text').check(z.refine(isTimeZone, 'must be an IANA time zone such as Africa/Lagos')),
  refundDuplicates: z.boolean('must be true or false'),
  /** Share of customers routed by the default order alone; 0 for none. */
  holdoutPercent: z.int('must be a whole number').check(z.minimum(0, 'must be at least 0'), z.maximum(5, 'must be at most 5')),
  agentsMayWriteLive: z.boolean('must be true or false'),
};

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // An offset such as +01:00 is taken too, and knows no daylight saving.
    return /^[A-Za-z]/.test(name) && name.length <= 64;
  } catch {
    return false;
  }
}

function isRedirectUrl(text: string): boolean {
  // The URL parser quietly drops these; what is stored would not be what was checked.
  if (/[\s\p{C}\\]/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.protocol === 'https:' && url.hostname !== '' && url.username === '' && url.password === '';
}

/**
 * Fields that staff enter about merchants and keys. Forms check them in the browser by the same schemas, so that this entry imports nothing
 * but zod.
 */
