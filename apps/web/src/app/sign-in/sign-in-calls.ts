import { type AuthAnswer, postAuth } from '#/auth/post-auth.ts';

/** The outcome of a sign-in step. */
export type SignInStep =
  | { readonly kind: 'signed_in' }
  | { readonly kind: 'code_needed' }
  | { readonly kind: 'refused'; readonly message: string };

/** Tries an e-mail address and a password. */
export async function signInWithPassword(email: string, password: string): Promise<SignInStep> {
  return stepOf(await postAuth('/sign-in/email', { email, password }), 'E-mail address or password is wrong.');
}

/** Tries the second step: a code from an authenticator app. */
export async function signInWithCode(code: string): Promise<SignInStep> {
  const answer = await postAuth('/two-factor/verify-totp', { code });
  return stepOf(answer, 'This code is wrong or has been used. Wait for the next one.');
}

/** Tries the second step: one of the backup codes. */
export async function signInWithBackupCode(code: string): Promise<SignInStep> {
  const answer = await postAuth('/two-factor/verify-backup-code', { code });
  return stepOf(answer, 'This backup code is wrong or has been used.');
}

function stepOf(answer: AuthAnswer, whenWrong: string): SignInStep {
  if (!answer.ok) return { kind: 'refused', message: answer.message ?? whenWrong };
  return isChallenge(answer.body) ? { kind: 'code_needed' } : { kind: 'signed_in' };
}

function isChallenge(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'twoFactorRedirect' in body && body.twoFactorRedirect === true;
}
