import type { AttemptRecord } from '../life-cycle/payment-record.ts';

/**
 * Attempts that may still bring money: their checkout was opened, or may have been opened without an answer. A declined one counts
 * too, because gateways let customers retry on the same page.
 */
export function watchedAttempts(attempts: readonly AttemptRecord[]): AttemptRecord[] {
  return attempts.filter(({ state }) => state !== 'REFUSED' && state !== 'PAID');
}
