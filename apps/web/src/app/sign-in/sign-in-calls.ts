/** What came of a step of signing in. */
export type SignInStep =
  | { readonly kind: 'signed_in' }
  | { readonly kind: 'code_needed' }
  | { readonly kind: 'refused'; readonly message: string };

const TIMEOUT_MS = 15_000;
const UNREACHABLE = 'The server does not answer. Check your connection and try again.';

/** Tries an e-mail address and a password. */
export function signInWithPassword(email: string, password: string): Promise<SignInStep> {
  return post('/api/auth/sign-in/email', { email, password }, 'E-mail address or password is wrong.');
}

/** Tries the second step: a code from an authenticator app. */
export function signInWithCode(code: string): Promise<SignInStep> {
  return post('/api/auth/two-factor/verify-totp', { code }, 'This code is wrong or has been used. Wait for the next one.');
}

/** Tries the second step: one of the backup codes. */
export function signInWithBackupCode(code: string): Promise<SignInStep> {
  return post('/api/auth/two-factor/verify-backup-code', { code }, 'This backup code is wrong or has been used.');
}

async function post(path: string, body: Record<string, string>, whenWrong: string): Promise<SignInStep> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return isChallenge(answer) ? { kind: 'code_needed' } : { kind: 'signed_in' };
    return { kind: 'refused', message: explain(response.status, answer, whenWrong) };
  } catch {
    return { kind: 'refused', message: UNREACHABLE };
  }
}

function isChallenge(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'twoFactorRedirect' in answer && answer.twoFactorRedirect === true;
}

function explain(status: number, answer: unknown, whenWrong: string): string {
  const code = field(answer, 'code');
  if (code === 'INVALID_TWO_FACTOR_COOKIE') return 'Signing in took too long. Start again with your password.';
  if (code === 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE') return 'Too many wrong codes. Start again with your password.';
  if (code === 'ACCOUNT_TEMPORARILY_LOCKED') return 'Too many wrong codes. Try again in 15 min.';
  if (status === 429 || status === 503) return field(answer, 'message') ?? 'Too many tries. Try again later.';
  if (status >= 500) return 'Something went wrong on our side. Try again in a moment.';
  return whenWrong;
}

function field(answer: unknown, name: 'code' | 'message'): string | null {
  if (typeof answer !== 'object' || answer === null || !(name in answer)) return null;
  const value: unknown = Reflect.get(answer, name);
  return typeof value === 'string' ? value : null;
}
