import type { z } from 'zod';
import type { PlainRequest } from '../http/plain.ts';
import { describeIssues } from './issues.ts';
import { describeUnknownNames } from './unknown-names.ts';

/**
 * Parses the query of a list against its schema: the value, or every problem as one string. A name that is not known is a problem, because
 * a misspelt filter would answer with everything.
 */
export function readListQuery<Shape extends z.ZodRawShape>(
  { query }: Pick<PlainRequest, 'query'>,
  schema: z.ZodObject<Shape>,
): { readonly value: z.output<z.ZodObject<Shape>> } | { readonly errors: readonly string[] } {
  const given = Object.fromEntries(new URLSearchParams(query));
  const unknown = describeUnknownNames(Object.keys(given), Object.keys(schema.shape));
  const parsed = schema.safeParse(given, { reportInput: true });
  const errors = [...(parsed.success ? [] : describeIssues(parsed.error.issues)), ...unknown];
  return parsed.success && errors.length === 0 ? { value: parsed.data } : { errors };
}
