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
