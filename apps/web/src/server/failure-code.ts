import { TRPCError } from '@trpc/server';

/** The code of a procedure's refusal, or null for any other error. */
export function failureCode(error: unknown): string | null {
  return error instanceof TRPCError ? error.code : null;
}
