/** Fewest characters of a password. */
export const PASSWORD_MIN = 12;

/** Most characters of a password. */
export const PASSWORD_MAX = 128;

/** The problem of a new password, or null. */
export function passwordProblem(password: string): string | null {
  if (password === '') return 'must not be empty';
  if (password.length < PASSWORD_MIN)
    return `must have ${PASSWORD_MIN} characters or more; ${PASSWORD_MIN - password.length} are missing`;
  if (password.length > PASSWORD_MAX) return `must have at most ${PASSWORD_MAX} characters`;
  return null;
}
