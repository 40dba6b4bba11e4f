import type { Attempt } from '@switchyard/db/client';

/**
 * Attempts that may still bring money: whose checkout was opened, or may have been without our hearing of it. A declined one
 * counts too, because gateways let customers try again on the same page.
 */
export function watchedAttempts(attempts: readonly Attempt[]): Attempt[] {
  return attempts.filter(({ state }) => state !== 'REFUSED' && state !== 'PAID');
}
