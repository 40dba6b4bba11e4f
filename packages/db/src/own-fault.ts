import { isDatabaseTimeout } from './database-unavailable.ts';

/**
 * A fault of this installation: a wrong secret, a setting, an error in the program. Reported where others are, and logged as an error,
 * because nobody outside can end it.
 */
export class OwnFaultError extends Error {
  override readonly name: string = 'OwnFaultError';
}

/**
 * Something that this process cannot do or find out, through a fault of ours, and that a later try or another process may: callers hear
 * that it is unavailable, and never what it might have found.
 */
export class UnavailableError extends OwnFaultError {
  override readonly name: string = 'UnavailableError';
}

/** The result of work, or null where it is unavailable. For choosing among ways to do something, never for saying what one of them knows. */
export function unlessUnavailable<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnavailableError) return null;
    throw error;
  }
}

/** True if a short piece of work may succeed later: the database cannot be used or was late, or a fault of ours is in the way. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseTimeout(error) || isOwnUnavailability(error);
}

/** True if an error, or its cause, is an {@link UnavailableError}. */
export function isOwnUnavailability(error: unknown): boolean {
  return (
    error instanceof UnavailableError || (error instanceof Error && error.cause !== undefined && isOwnUnavailability(error.cause))
  );
}
