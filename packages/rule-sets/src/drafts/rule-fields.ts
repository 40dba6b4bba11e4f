import type { FieldProblem } from '@switchyard/runtime';
import { z } from 'zod';

const REASON_MAX = 500;
const NAME_MAX = 120;
const PLAIN = /^[^\p{Cc}\p{Cs}]*$/u;

const reason = z.string().max(REASON_MAX).regex(PLAIN).nullable();
const name = z.string().trim().min(1).max(NAME_MAX).regex(PLAIN).nullable();

/** Problems of a reason; empty where it can be stored. */
export function reasonProblems(value: unknown): FieldProblem[] {
  if (reason.safeParse(value).success) return [];
  return [{ field: 'reason', message: `must be text of at most ${REASON_MAX} characters without control characters` }];
}

/** Problems of a draft's name; empty where it can be stored. */
export function nameProblems(value: unknown): FieldProblem[] {
  if (name.safeParse(value).success) return [];
  return [{ field: 'name', message: `must be text of 1 to ${NAME_MAX} characters without control characters` }];
}
