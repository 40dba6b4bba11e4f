import { z } from 'zod';
import { clientAddress, withoutUnwatchedAddress } from '../client-address.ts';
import type { Switchyard } from '../process.ts';
import { readBody } from '../read-body.ts';
import { auditedChange } from './audited-change.ts';
import { AUTH_PATH, createStaffAuth, type StaffAuth } from './auth.ts';
import { LINK_ROUTES } from './link-routes.ts';
import { recordSignIn } from './record-sign-in.ts';
import { isFromOurPages } from './same-origin.ts';
import { readSession } from './session.ts';
import { openSignInLimits, type SignInLimits } from './sign-in-limits.ts';
import type { StaffSession } from './staff-session.ts';

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
/** Library paths that require the password again. */
const PASSWORD_PATHS = new Set([
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  '/change-password',
]);
const BODY_MAX = 8_192;

const environmentSchema = z.object({
  SWITCHYARD_AUTH_SECRET: z.string({ error: 'is missing' }).min(32, 'must have at least 32 characters'),
});

const opened = new WeakMap<Switchyard, StaffAuthContext>();

interface StaffAuthContext {
  readonly auth: StaffAuth;
  readonly limits: SignInLimits;
}

/** The process's staff sign-in. Throws when `SWITCHYARD_AUTH_SECRET` is missing or shorter than 32 characters. */
function openStaffAuth(switchyard: Switchyard): StaffAuthContext {
  const known = opened.get(switchyard);
  if (known !== undefined) return known;
  const parsed = environmentSchema.safeParse(process.env);
  if (!parsed.success) throw new Error(`SWITCHYARD_AUTH_SECRET ${parsed.error.issues[0]?.message}`);
  const { database, publicUrl } = switchyard.resources;
  const limits = openSignInLimits(database);
  const auth = createStaffAuth({
    database,
    limits,
    publicUrl,
    secret: parsed.data.SWITCHYARD_AUTH_SECRET,
    onError: (message) => switchyard.log.error({ error: new Error(message) }, 'staff sign-in failed'),
  });
  const staffAuth = { auth, limits };
  opened.set(switchyard, staffAuth);
  return staffAuth;
}

/** The session of a request's cookie, or null: none, ended, or idle for half an hour. */
export function staffSession(switchyard: Switchyard, headers: Headers): Promise<StaffSession | null> {
  return readSession(openStaffAuth(switchyard).auth, switchyard.resources.database, headers, switchyard.now());
}

/** Answers requests under `/api/auth`: signing in and out, one-time codes, invitations and new passwords. */
export async function handleStaffAuth(switchyard: Switchyard, request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.slice(AUTH_PATH.length);
  const linkRoute = request.method === 'POST' ? LINK_ROUTES[path] : undefined;
  if (!OPEN_PATHS.has(path) && linkRoute === undefined) return refusal(404, 'NOT_FOUND', 'There is nothing here.');
  const { publicUrl } = switchyard.resources;
  if (!isFromOurPages({ method: request.method, headers: request.headers, publicUrl })) {
    return refusal(403, 'FOREIGN_ORIGIN', 'This request did not come from the dashboard.');
  }
  const body = request.method === 'POST' ? await readJson(request) : {};
  if (body instanceof Response) return body;
  const { auth, limits } = openStaffAuth(switchyard);
  if (linkRoute !== undefined) return linkRoute({ switchyard, limits, headers: request.headers }, body);
  // Ends an idle session first, so that the library does not find it either.
  const session = path.startsWith('/sign-in/') ? null : await staffSession(switchyard, request.headers);
  const answer = async () => {
    const response = await auth.handler(forLibrary(request, path, body));
    response.headers.set('cache-control', 'no-store');
    return response;
  };
  if (session === null) return recordSignIn(switchyard, path, request.headers, await answer());
  if (path === '/two-factor/disable' && (await isTwoFactorRequired(switchyard, session.staffId))) {
    return refusal(403, 'TWO_FACTOR_REQUIRED', 'An owner requires two-factor sign-in for your account.');
  }
  const change = () => auditedChange(switchyard, { path, session }, answer);
  return PASSWORD_PATHS.has(path) ? withinLimits(limits, session.email, request.headers, change) : change();
}

/** Counts a repeated password check like one at sign-in, so that a stolen session cannot be used to guess the password. */
async function withinLimits(
  limits: SignInLimits,
  email: string,
  headers: Headers,
  change: () => Promise<Response>,
): Promise<Response> {
  const refused = await limits.tryPassword(email, clientAddress(headers));
  if (refused !== null) {
    const minutes = Math.ceil(refused.retryAfterSeconds / 60);
    return refusal(429, 'TOO_MANY_TRIES', `Too many tries. Try again in ${minutes} min.`);
  }
  const response = await change();
  if (response.ok) await limits.passwordWasRight(email);
  return response;
}

async function isTwoFactorRequired(switchyard: Switchyard, staffId: string): Promise<boolean> {
  const person = await switchyard.resources.database.prisma.staffUser.findUnique({
    where: { id: staffId },
    select: { twoFactorRequired: true },
  });
  return person?.twoFactorRequired === true;
}

/** The request for the library: no device is trusted for later sign-ins, and a new password ends all other sessions. */
function forLibrary(request: Request, path: string, body: Record<string, unknown>): Request {
  const headers = withoutUnwatchedAddress(request.headers);
  if (request.method !== 'POST') return new Request(request.url, { method: request.method, headers });
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  const { trustDevice: _, ...rest } = body;
  const sent = path === '/change-password' ? { ...rest, revokeOtherSessions: true } : rest;
  return new Request(request.url, { method: request.method, headers, body: JSON.stringify(sent) });
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

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status, headers: { 'cache-control': 'no-store' } });
}
