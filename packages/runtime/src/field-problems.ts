import type { z } from 'zod';

/** One thing wrong with what was entered. `${field} ${message}` reads as a sentence; `field` is dotted. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** Every problem of an input, as its form shows them. */
export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({ field: issue.path.map(String).join('.') || 'input', message: issue.message }));
}
