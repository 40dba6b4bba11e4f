import { parseAsString, parseAsStringLiteral } from 'nuqs/server';

/** The meanings of codes, in the order of the filter. */
export const MEANINGS = ['declined', 'ours', 'theirs', 'unknown'] as const;

/** The page's state in the URL: a gateway, what is made of its codes, and one code. */
export const errorCodesParsers = {
  gateway: parseAsString,
  meaning: parseAsStringLiteral(MEANINGS),
  code: parseAsString,
};
