import { isDatabaseUnavailable, isOwnUnavailability } from '@switchyard/db';

/** When a caller may try again, as headers. */
export const RETRY_LATER = { 'retry-after': '2' } as const;

/**
 * Why an error means that the same request may succeed later, as a sentence for people; null for every other error, also for a statement
 * whose time was up: of a list it says that less should be asked for. Transports answer it with 503 and {@link RETRY_LATER}.
 */
export function whyUnavailable(error: unknown): string | null {
  if (isDatabaseUnavailable(error)) return 'The database cannot be used at present. Trying again helps.';
  return isOwnUnavailability(error) ? 'A fault on our side keeps this from being found out now. Trying again may help.' : null;
}
