import { isDatabaseTimeout, isDatabaseUnavailable, UnavailableError } from '@switchyard/db';

/** Seconds after which a caller may try again, as headers. */
export const RETRY_LATER = { 'retry-after': '2' } as const;

/**
 * Why an error means that the same request may succeed later, as a sentence for people; null for every other error. Transports answer it with
 * 503 and {@link RETRY_LATER}. A statement whose time was up is one for {@link isUnavailable} alone: of a long list it says that less should
 * be asked for.
 */
export function whyUnavailable(error: unknown): string | null {
  if (isDatabaseUnavailable(error)) return 'The database cannot be used at present. Trying again helps.';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof UnavailableError)
      return 'A fault on our side keeps this from being found out now. Trying again may help.';
  }
  return null;
}

/** True if a short piece of work may succeed later: what {@link whyUnavailable} names, and a statement that was not done in time. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseTimeout(error) || whyUnavailable(error) !== null;
}
