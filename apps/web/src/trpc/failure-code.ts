import { TRPCClientError } from '@trpc/client';

/** The server's code for why a call failed, or null when it did not answer. */
export function failureCode(error: unknown): string | null {
  if (!(error instanceof TRPCClientError)) return null;
  const data: unknown = error.data;
  if (typeof data !== 'object' || data === null || !('code' in data)) return null;
  return typeof data.code === 'string' ? data.code : null;
}
