import { z } from 'zod';
import type { PlainRequest } from '../http/plain.ts';
import type { FieldError } from './envelope.ts';
import { describeIssues } from './issues.ts';
import { describeUnknownName, nearestName } from './nearest-name.ts';

const NAMES_MAX = 20;

/** The parameters of a query that are not known, each with the known name that it may be meant for; at most 20. */
function describeUnknownNames(given: readonly string[], known: readonly string[]): FieldError[] {
  const unknown = [...new Set(given)].filter((name) => !known.includes(name)).slice(0, NAMES_MAX);
  return unknown.map((name) => describeUnknownName(name, nearestName(name, known)));
}

/**
 * Parses the query of a list against its schema: the value, or every problem. A name that is not known is a problem, because
 * a misspelt filter would answer with everything; so is a name that is given twice, because all but one value would be dropped.
 */
export function readListQuery<Shape extends z.ZodRawShape>(
  { query }: Pick<PlainRequest, 'query'>,
  schema: z.ZodObject<Shape>,
): { readonly value: z.output<z.ZodObject<Shape>> } | { readonly errors: readonly FieldError[] } {
  const parameters = new URLSearchParams(query);
  const given = Object.fromEntries(parameters);
  const unknown = describeUnknownNames(Object.keys(given), Object.keys(schema.shape));
  const parsed = schema.safeParse(given, { reportInput: true });
  const repeated = Object.keys(schema.shape).filter((name) => parameters.getAll(name).length > 1);
  const errors = [
    ...(parsed.success ? [] : describeIssues(parsed.error.issues)),
    ...repeated.map((field) => {
      const rule = `must be given once${takesList(schema.shape[field]) ? ', its values separated by commas' : ''}`;
      return { field, code: 'repeated', rule } as const;
    }),
    ...unknown,
  ];
  return parsed.success && errors.length === 0 ? { value: parsed.data } : { errors };
}

/** True if a parameter takes several values: left out, it is an empty list. */
function takesList(parameter: z.core.$ZodType | undefined): boolean {
  return parameter instanceof z.ZodDefault && Array.isArray(parameter.def.defaultValue);
}
