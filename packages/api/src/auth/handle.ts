import { acceptInvitation } from '@switchyard/staff/invitations';
import { deliverLink, describeLink, requestReset, resetPassword } from '@switchyard/staff/links';
import {
  AUTH_PATH,
  hashPassword,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PasswordQueueFullError,
  SAML_ANSWER_PATH,
  SAML_METADATA_PATH,
  serviceProviderAt,
  serviceProviderMetadata,
} from '@switchyard/staff/sign-in';
import { z } from 'zod';
import { clientAddress, withoutUnwatchedAddress } from '../client-address.ts';
import { readBody } from '../http/bodies.ts';
import { isFromOurPages } from '../http/same-origin.ts';
import type { Switchyard } from '../process.ts';

export type { StaffSession } from '@switchyard/staff/permissions';

/*
 * Routes for links, open without a session: describe a link, accept an invitation, set a new password, and request a reset link.
 */

const token = z.string().max(100);
const password = z.string().min(PASSWORD_MIN).max(PASSWORD_MAX);

interface RouteContext {
  readonly switchyard: Switchyard;
  readonly headers: Headers;
}

type RouteHandler = (context: RouteContext, body: Record<string, unknown>) => Promise<Response>;

/** The public routes by their path under `/api/auth`. */
const LINK_ROUTES: Readonly<Record<string, RouteHandler>> = {
  '/link/look': async ({ switchyard }, body) => {
    const given = z.object({ token }).safeParse(body);
    const seen = given.success ? await describeLink(switchyard, given.data.token) : ({ kind: 'not_found' } as const);
    return seen.kind === 'not_found' ? gone() : answer(200, seen);
  },
  '/link/accept': async ({ switchyard }, body) => {
    const given = z.object({ token, password, name: z.string().max(200) }).safeParse(body);
    if (!given.success) return wrongPassword();
    return withHash(switchyard, 'invitation', given.data, async (passwordHash) => {
      const outcome = await acceptInvitation(switchyard, { ...given.data, passwordHash });
      if (outcome.kind === 'not_found') return gone();
      if (outcome.kind === 'invalid_name') return answer(400, { code: 'INVALID_NAME', message: 'Enter your name.' });
      return answer(200, { email: outcome.email });
    });
  },
  '/link/reset': async ({ switchyard }, body) => {
    const given = z.object({ token, password }).safeParse(body);
    if (!given.success) return wrongPassword();
    return withHash(switchyard, 'password_reset', given.data, async (passwordHash) => {
      const outcome = await resetPassword(switchyard, { token: given.data.token, passwordHash });
      return outcome.kind === 'not_found' ? gone() : answer(200, { email: outcome.email });
    });
  },
  '/link/request-reset': async (context, body) => {
    const given = z.object({ email: z.string().max(320) }).safeParse(body);
    if (!given.success) return answer(400, { code: 'INVALID_EMAIL', message: 'Enter your e-mail address.' });
    if (context.switchyard.links().mailer === null) return answer(200, { byEmail: false });
    const { email } = given.data;
    const count = await context.switchyard.signIn().limits.askReset(email, clientAddress(context.headers));
    if (typeof count === 'object') {
      const message = 'Too many links were requested. Try again in an hour.';
      return answer(429, { code: 'TOO_MANY_TRIES', message }, { 'retry-after': String(count.retryAfterSeconds) });
    }
    // Responds before any read: neither content nor timing reveals whether the address belongs to a staff user.
    if (count === 'send') {
      sendReset(context.switchyard, email).catch((error: unknown) =>
        context.switchyard.log.error({ error }, 'could not make a link for a new password'),
      );
    }
    return answer(200, { byEmail: true });
  },
};

async function sendReset(switchyard: Switchyard, email: string): Promise<void> {
  const outcome = await requestReset(switchyard, { email });
  if (outcome.kind === 'made') await deliverLink(switchyard.links(), 'password_reset', outcome, outcome.link);
}

/** Hashes a password only for a valid link: hashing for anonymous callers would be a denial-of-service vector. */
async function withHash(
  switchyard: Switchyard,
  kind: 'invitation' | 'password_reset',
  given: { readonly token: string; readonly password: string },
  use: (passwordHash: string) => Promise<Response>,
): Promise<Response> {
  const seen = await describeLink(switchyard, given.token);
  if (seen.kind !== kind) return gone();
  try {
    return await use(await hashPassword(given.password));
  } catch (error) {
    if (!(error instanceof PasswordQueueFullError)) throw error;
    return answer(503, { code: 'BUSY', message: 'Too many people are signing in. Try again in a moment.' });
  }
}

function gone(): Response {
  const message = 'This link does not work any more: it was used, has expired or was revoked. Ask an owner for a new one.';
  return answer(410, { code: 'LINK_GONE', message });
}

function wrongPassword(): Response {
  const message = `A password has ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`;
  return answer(400, { code: 'INVALID_PASSWORD', message });
}

function answer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

/** The library paths open to browsers; all others answer 404. */
const OPEN_PATHS = new Set([
  '/sign-in/email',
  '/sign-in/sso',
  '/sso/callback',
  SAML_ANSWER_PATH,
  SAML_METADATA_PATH,
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
/** An answer of SAML in base64, written for a form. */
const FORM_MAX = 400_000;

/** Answers requests under `/api/auth`: signing in and out, one-time codes, invitations and new passwords. */
export async function handleAuth(switchyard: Switchyard, request: Request): Promise<Response> {
  const { url, method, headers } = request;
  const path = new URL(url).pathname.slice(AUTH_PATH.length);
  const linkRoute = method === 'POST' ? LINK_ROUTES[path] : undefined;
  if (!OPEN_PATHS.has(path) && linkRoute === undefined) return refusal(404, 'NOT_FOUND', 'There is nothing here.');
  const { publicUrl } = switchyard.resources;
  if (path === SAML_METADATA_PATH && method === 'GET') return samlMetadata(publicUrl);
  // A provider's own page posts its answer: the browser's request to it and the provider's signature prove its origin.
  if (path === SAML_ANSWER_PATH && method === 'POST') return answerSignIn(switchyard, request, await readForm(request));
  if (!isFromOurPages({ method, headers, publicUrl })) {
    return refusal(403, 'FOREIGN_ORIGIN', 'This request did not come from the dashboard.');
  }
  const body = method === 'POST' ? await readJson(request) : {};
  if (linkRoute !== undefined && !(body instanceof Response)) return linkRoute({ switchyard, headers }, body);
  return answerSignIn(switchyard, request, body);
}

/** Answers a request for one of the sign-in library's paths, whose body is this, or that could not be read. */
async function answerSignIn(
  switchyard: Switchyard,
  { url, method, headers }: Request,
  body: Record<string, unknown> | Response,
): Promise<Response> {
  if (body instanceof Response) return body;
  const path = new URL(url).pathname.slice(AUTH_PATH.length);
  const outcome = await switchyard.signIn().answer({ url, method, path, headers: withoutUnwatchedAddress(headers), body });
  switch (outcome.kind) {
    case 'answered':
      return outcome.response;
    case 'two_factor_required':
      return refusal(403, 'TWO_FACTOR_REQUIRED', 'An owner requires two-factor sign-in for your account.');
    case 'provider_required':
      return refusal(403, 'PROVIDER_REQUIRED', `Sign in with ${outcome.provider}: passwords of your domain are not accepted.`);
    case 'unknown_provider':
      return refusal(404, 'UNKNOWN_PROVIDER', 'This way of signing in was removed. Load the page again.');
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

/** The fields of a form, read with a size limit. */
async function readForm(request: Request): Promise<Record<string, unknown> | Response> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return refusal(415, 'NOT_FORM', 'Send a form.');
  const text = (await readBody(request.body, FORM_MAX))?.toString();
  if (text === undefined) return refusal(413, 'TOO_LARGE', 'The request is too large.');
  return Object.fromEntries(new URLSearchParams(text));
}

/** Our metadata, which administrators of providers of SAML enter there. */
function samlMetadata(publicUrl: string): Response {
  const headers = { 'content-type': 'application/samlmetadata+xml', 'cache-control': 'no-store' };
  return new Response(serviceProviderMetadata(serviceProviderAt(`${publicUrl}${AUTH_PATH}`)), { headers });
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
