import { z } from 'zod';

/** Text that PostgreSQL can store: no NUL, no lone surrogate. */
export function plainText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine((text) => !text.includes('\u0000') && text.isWellFormed(), 'must be plain text');
}
