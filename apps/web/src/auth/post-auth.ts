/** The response of a sign-in route. */
export type AuthAnswer =
  | { readonly ok: true; readonly body: unknown }
  | {
      readonly ok: false;
      /** 0 when there was no answer. */
      readonly status: number;
      readonly code: string | null;
      /** A sentence to show as it is; null where the caller has to name what was wrong. */
      readonly message: string | null;
    };

const TIMEOUT_MS = 15_000;
const UNREACHABLE = 'The server does not answer. Check your connection and try again.';

/** Posts to a path under `/api/auth`. Never throws. */
export async function postAuth(path: string, body: Readonly<Record<string, unknown>>): Promise<AuthAnswer> {
  try {
    const response = await fetch(`/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return { ok: true, body: answer };
    const { status } = response;
    const code = textField(answer, 'code');
    return { ok: false, status, code, message: explain(status, code, textField(answer, 'message')) };
  } catch {
    return { ok: false, status: 0, code: null, message: UNREACHABLE };
  }
}

const SHOWN_CODES = new Set([
  'ACCOUNT_DISABLED',
  'TWO_FACTOR_REQUIRED',
  'LINK_GONE',
  'INVALID_NAME',
  'PROVIDER_REQUIRED',
  'UNKNOWN_PROVIDER',
]);

function explain(status: number, code: string | null, message: string | null): string | null {
  if (code === 'INVALID_TWO_FACTOR_COOKIE') return 'Signing in took too long. Start again with your password.';
  if (code === 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE') return 'Too many wrong codes. Start again with your password.';
  if (code === 'ACCOUNT_TEMPORARILY_LOCKED') return 'Too many wrong codes. Try again in 15 min.';
  if (code !== null && SHOWN_CODES.has(code)) return message;
  if (status === 429 || status === 503) return message ?? 'Too many attempts. Try again later.';
  if (status >= 500) return 'Something went wrong on our side. Try again in a moment.';
  return null;
}

/** A text in an answer, or null. */
export function textField(answer: unknown, name: string): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const value: unknown = Reflect.get(answer, name);
  return typeof value === 'string' ? value : null;
}
