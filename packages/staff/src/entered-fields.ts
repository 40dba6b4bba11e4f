import { EMAIL_ADDRESS } from '@switchyard/runtime/email-address';
import * as z from 'zod/mini';

/** E-mail address of a staff user, lower-cased. */
export const staffEmail = z.pipe(
  z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254, 'must have at most 254 characters')),
  z.email({ pattern: EMAIL_ADDRESS, error: 'must be an e-mail address' }),
);

/** Name of a staff user: 1 to 100 characters after trimming. */
export const staffName = z
  .string()
  .check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(100, 'must have at most 100 characters'));

/** Name of a role or a provider, on one line: 1 to 60 characters after trimming. */
export const shortName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'must not be empty'),
    z.maxLength(60, 'must have at most 60 characters'),
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters'),
  );

/** Scopes of a token, as staff choose them. */
export const TOKEN_SCOPES = ['tools', 'drafts', 'reports'] as const;

/** Scopes of a token. Drafts are saved by tools that are called with what other tools read. */
export const tokenScopes = z.array(z.enum(TOKEN_SCOPES)).check(
  z.minLength(1, 'must have at least one'),
  z.refine(
    (scopes) => !scopes.includes('drafts') || scopes.includes('tools'),
    'must let it read as an agent where it saves drafts',
  ),
);
