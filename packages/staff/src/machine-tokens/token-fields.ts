import * as z from 'zod/mini';

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
