/** Why a call failed, as far as its error says. */
export function failureText(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'Something went wrong. Try again.';
}
