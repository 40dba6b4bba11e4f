import { z } from 'zod';
import type { Switchyard } from '../process.ts';
import { AUTH_PATH, createStaffAuth, type StaffAuth } from './auth.ts';
import { isFromOurPages } from './same-origin.ts';
import { readSession, type StaffSession } from './session.ts';
import { openSignInLimits } from './sign-in-limits.ts';

/** What of the library is open to the outside; everything else of it answers 404. */
const OPEN_PATHS = new Set([
  '/sign-in/email',
  '/sign-out',
  '/get-session',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/generate-backup-codes',
]);
const BODY_MAX = 8_192;

const environmentSchema = z.object({
  SWITCHYARD_AUTH_SECRET: z.string({ error: 'is missing' }).min(32, 'must have at least 32 characters'),
});

const opened = new WeakMap<Switchyard, StaffAuth>();

/** The process's staff sign-in. Throws when `SWITCHYARD_AUTH_SECRET` is missing or shorter than 32 characters. */
function staffAuth(switchyard: Switchyard): StaffAuth {
  const known = opened.get(switchyard);
  if (known !== undefined) return known;
  const parsed = environmentSchema.safeParse(process.env);
  if (!parsed.success) throw new Error(`SWITCHYARD_AUTH_SECRET ${parsed.error.issues[0]?.message}`);
  const { database, publicUrl } = switchyard.resources;
  const auth = createStaffAuth({
    database,
    limits: openSignInLimits(database),
    publicUrl,
    secret: parsed.data.SWITCHYARD_AUTH_SECRET,
    onError: (message) => switchyard.log.error({ error: new Error(message) }, 'trouble while signing staff in'),
  });
  opened.set(switchyard, auth);
  return auth;
}

/** The session a request's cookie stands for, or null: none, ended, or idle for half an hour. */
export function staffSession(switchyard: Switchyard, headers: Headers): Promise<StaffSession | null> {
  return readSession(staffAuth(switchyard), switchyard.resources.database, headers, switchyard.merchants.now());
}

/** Answers requests under `/api/auth`: signing in and out, one-time codes. */
export async function handleStaffAuth(switchyard: Switchyard, request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.slice(AUTH_PATH.length);
  if (!OPEN_PATHS.has(path)) return refusal(404, 'NOT_FOUND', 'There is nothing here.');
  const { publicUrl } = switchyard.resources;
  if (!isFromOurPages({ method: request.method, headers: request.headers, publicUrl })) {
    return refusal(403, 'FOREIGN_ORIGIN', 'This request did not come from the dashboard.');
  }
  const prepared = request.method === 'POST' ? await readJsonRequest(request) : request;
  if (prepared instanceof Response) return prepared;
  // Ends a session that has been idle for too long, so that the library does not find it either.
  if (!path.startsWith('/sign-in/')) await staffSession(switchyard, request.headers);
  const response = await staffAuth(switchyard).handler(prepared);
  response.headers.set('cache-control', 'no-store');
  return response;
}

/** The request with its body read within bounds; trusting a device for later sign-ins is not offered. */
async function readJsonRequest(request: Request): Promise<Request | Response> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (request.body !== null && type !== 'application/json') return refusal(415, 'NOT_JSON', 'Send JSON.');
  if (Number(request.headers.get('content-length') ?? 0) > BODY_MAX)
    return refusal(413, 'TOO_LARGE', 'The request is too large.');
  const text = await request.text();
  if (text.length > BODY_MAX) return refusal(413, 'TOO_LARGE', 'The request is too large.');
  const body = parseObject(text === '' ? '{}' : text);
  if (body === null) return refusal(400, 'NOT_JSON', 'The request is not JSON.');
  const { trustDevice: _, ...rest } = body;
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  return new Request(request.url, { method: request.method, headers, body: JSON.stringify(rest) });
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
