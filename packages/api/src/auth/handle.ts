import { AUTH_PATH } from '@switchyard/staff/sign-in';
import { withoutUnwatchedAddress } from '../client-address.ts';
import { isFromOurPages } from '../http/same-origin.ts';
import type { Switchyard } from '../process.ts';
import { readBody } from '../read-body.ts';
import { LINK_ROUTES } from './link-routes.ts';

export type { StaffSession } from '@switchyard/staff/permissions';

/** The library paths open to browsers; all others answer 404. */
const OPEN_PATHS = new Set([
  '/sign-in/email',
  '/sign-out',
  '/get-session',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/generate-backup-codes',
  '/change-password',
]);
const BODY_MAX = 8_192;

/** Answers requests under `/api/auth`: signing in and out, one-time codes, invitations and new passwords. */
export async function handleAuth(switchyard: Switchyard, request: Request): Promise<Response> {
  const { url, method, headers } = request;
  const path = new URL(url).pathname.slice(AUTH_PATH.length);
  const linkRoute = method === 'POST' ? LINK_ROUTES[path] : undefined;
  if (!OPEN_PATHS.has(path) && linkRoute === undefined) return refusal(404, 'NOT_FOUND', 'There is nothing here.');
  const { publicUrl } = switchyard.resources;
  if (!isFromOurPages({ method, headers, publicUrl })) {
    return refusal(403, 'FOREIGN_ORIGIN', 'This request did not come from the dashboard.');
  }
  const body = method === 'POST' ? await readJson(request) : {};
  if (body instanceof Response) return body;
  if (linkRoute !== undefined) return linkRoute({ switchyard, headers }, body);
  const outcome = await switchyard.signIn().answer({ url, method, path, headers: withoutUnwatchedAddress(headers), body });
  switch (outcome.kind) {
    case 'answered':
      return outcome.response;
    case 'two_factor_required':
      return refusal(403, 'TWO_FACTOR_REQUIRED', 'An owner requires two-factor sign-in for your account.');
    case 'too_many_tries': {
      const minutes = Math.ceil(outcome.retryAfterSeconds / 60);
      const headers = { 'retry-after': String(outcome.retryAfterSeconds) };
      return refusal(429, 'TOO_MANY_TRIES', `Too many attempts. Try again in ${minutes} min.`, headers);
    }
    default:
      return outcome satisfies never;
  }
}

/** The body, read with a size limit. */
async function readJson(request: Request): Promise<Record<string, unknown> | Response> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (request.body !== null && type !== 'application/json') return refusal(415, 'NOT_JSON', 'Send JSON.');
  const text = (await readBody(request.body, BODY_MAX))?.toString();
  if (text === undefined) return refusal(413, 'TOO_LARGE', 'The request is too large.');
  return parseObject(text === '' ? '{}' : text) ?? refusal(400, 'NOT_JSON', 'The request is not JSON.');
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}

function refusal(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ code, message }, { status, headers: { 'cache-control': 'no-store', ...headers } });
}
