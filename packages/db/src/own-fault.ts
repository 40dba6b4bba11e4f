/**
 * A fault of this installation: a wrong secret, a setting, an error in the program. Reported where others are, and logged as an error,
 * because nobody outside can end it.
 */
export class OwnFaultError extends Error {
  override readonly name = 'OwnFaultError';
}
