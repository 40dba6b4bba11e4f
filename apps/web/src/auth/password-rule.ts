import * as z from 'zod/mini';

/** Fewest characters of a password. */
export const PASSWORD_MIN = 12;

/** Most characters of a password. */
export const PASSWORD_MAX = 128;

/** A new password; says how many characters are missing. */
export const newPasswordSchema = z.string().check(
  z.minLength(1, 'must not be empty'),
  z.minLength(PASSWORD_MIN, {
    error: ({ input }) =>
      `must have ${PASSWORD_MIN} characters or more; ${PASSWORD_MIN - (typeof input === 'string' ? input.length : 0)} are missing`,
  }),
  z.maxLength(PASSWORD_MAX, `must have at most ${PASSWORD_MAX} characters`),
);

/** A known password, which has to be given once more. */
export const passwordSchema = z.object({ password: z.string().check(z.minLength(1, 'must not be empty')) });
