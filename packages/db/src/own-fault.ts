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
