import { z } from 'zod';
import type { StaffContext } from '../context.ts';
import { readSession } from '../sessions/read-session.ts';
import type { StaffSession } from '../sessions/staff-session.ts';
import { auditedChange } from './audited-change.ts';
import { cookiePrefix, createStaffAuth, isSecure, type StaffAuthSettings } from './auth.ts';
import { openDeviceCookies } from './device-cookies.ts';
import { findLogin, type Login } from './find-login.ts';
import { hashPassword, PasswordQueueFullError } from './passwords.ts';
import { recordSignIn } from './record-sign-in.ts';
import { openSignInLimits, type SignInLimits, type SignInRefusal } from './sign-in-limits.ts';

const SIGN_IN_PATH = '/sign-in/email';
const passwordBody = z.object({ email: z.string(), password: z.string() });

/** Library paths that require the password again. */
const PASSWORD_PATHS = new Set([
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  '/change-password',
]);

/** A request for one of the sign-in library's paths. Its origin has been checked. */
export interface SignInRequest {
  readonly url: string;
  readonly method: string;
  /** The path below the library's own. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** The library's answer, or why the request did not reach it. */
export type SignInOutcome =
  | { readonly kind: 'answered'; readonly response: Response }
  | { readonly kind: 'two_factor_required' }
  | ({ readonly kind: 'too_many_tries' } & SignInRefusal);

/** Sign-in of staff users in one process. */
export interface SignIn {
  readonly limits: SignInLimits;
  /** The session of a request's cookie, or null: none, ended, idle for too long, or of a disabled staff user. */
  readSession(headers: Headers): Promise<StaffSession | null>;
  /** Signs in and out, and changes how a staff user signs in; what succeeds is in the audit log. */
  answer(request: SignInRequest): Promise<SignInOutcome>;
}

interface SignInSettings extends Omit<StaffAuthSettings, 'database' | 'limits'> {
  /** The client's address, or null where it is unknown. */
  readonly clientAddress: (headers: Headers) => string | null;
}

/** Opens the sign-in of a process. */
export function openSignIn(context: StaffContext, settings: SignInSettings): SignIn {
  const { database } = context.resources;
  const { clientAddress } = settings;
  const limits = openSignInLimits(database);
  const { secret, publicUrl } = settings;
  const devices = openDeviceCookies({ secret, prefix: cookiePrefix(publicUrl), secure: isSecure(publicUrl) });
  const auth = createStaffAuth({ ...settings, database, limits });
  const readSessionOf = (headers: Headers) => readSession(auth, database, headers, context.now());

  async function ask(request: SignInRequest): Promise<Response> {
    const response = await auth.handler(forLibrary(request));
    response.headers.set('cache-control', 'no-store');
    return response;
  }

  /** Makes this browser known for the person whose password it has just given. */
  async function knowDevice(response: Response, email: string): Promise<void> {
    response.headers.append('set-cookie', devices.issue(await findLogin(database, email), context.now()));
  }

  /** The library's answer to a step of a sign-in. One that completes it is recorded, and its browser is known from then on. */
  async function takeStep(request: SignInRequest): Promise<SignInOutcome> {
    const address = clientAddress(request.headers);
    const response = await ask(request);
    const email = await recordSignIn(context, { path: request.path, address }, response);
    if (email !== null) {
      await limits.signedIn({ email, address });
      await knowDevice(response, email);
    }
    return { kind: 'answered', response };
  }

  async function signIn(request: SignInRequest): Promise<SignInOutcome> {
    const body = passwordBody.safeParse(request.body);
    if (!body.success) return takeStep(request);
    const { headers } = request;
    const login = await findLogin(database, body.data.email);
    const { email } = login;
    const device = devices.read(headers, login, context.now());
    const allowed = await limits.tryPassword({ email, address: clientAddress(headers), device });
    const step = { ...request, body: { ...request.body, email } };
    if (allowed.kind === 'allowed') return takeStep(step);
    const response = allowed.kind === 'refused' ? null : await askForCode(step, login, body.data.password);
    if (response !== null) return { kind: 'answered', response };
    return { kind: 'too_many_tries', retryAfterSeconds: allowed.retryAfterSeconds };
  }

  /** The library's request for a code, if the password is right and there is a second factor; otherwise null after the same work. */
  async function askForCode(step: SignInRequest, login: Login, password: string): Promise<Response | null> {
    if (!login.twoFactorEnabled) {
      await spendHash(password);
      return null;
    }
    const response = await ask(step);
    return (await wantsCode(response)) ? response : null;
  }

  /** Counts a repeated password check within a session. */
  async function withinLimits({ sessionId }: StaffSession, change: () => Promise<Response>): Promise<SignInOutcome> {
    const refused = await limits.tryInSession(sessionId);
    if (refused !== null) return { kind: 'too_many_tries', ...refused };
    const response = await change();
    if (response.ok) await limits.rightInSession(sessionId);
    return { kind: 'answered', response };
  }

  return {
    limits,
    readSession: readSessionOf,
    async answer(request) {
      const { path, headers } = request;
      if (path === SIGN_IN_PATH) return signIn(request);
      // Ends an idle session first, so that the library does not find it either.
      const session = await readSessionOf(headers);
      if (session === null) return takeStep(request);
      if (path === '/two-factor/disable' && (await isTwoFactorRequired(context, session.staffId))) {
        return { kind: 'two_factor_required' };
      }
      const change = () => auditedChange(context, { path, session }, () => ask(request));
      if (!PASSWORD_PATHS.has(path)) return { kind: 'answered', response: await change() };
      const outcome = await withinLimits(session, change);
      // A device is known by the password it gave.
      if (path === '/change-password' && outcome.kind === 'answered' && outcome.response.ok) {
        await knowDevice(outcome.response, session.email);
      }
      return outcome;
    },
  };
}

/** Costs what checking a password does, so that the time does not tell who has a second factor, or an account. */
async function spendHash(password: string): Promise<void> {
  try {
    await hashPassword(password);
  } catch (error) {
    if (!(error instanceof PasswordQueueFullError)) throw error;
  }
}

/** True if the password was right and the second factor is still to come. */
async function wantsCode(response: Response): Promise<boolean> {
  return response.ok && z.object({ twoFactorRedirect: z.literal(true) }).safeParse(await response.clone().json()).success;
}

async function isTwoFactorRequired({ resources }: StaffContext, staffId: string): Promise<boolean> {
  const { staffUser } = resources.database.prisma;
  const person = await staffUser.findUnique({ where: { id: staffId }, select: { twoFactorRequired: true } });
  return person?.twoFactorRequired === true;
}

/** The request for the library: no device is trusted for later sign-ins, and a new password ends all other sessions. */
function forLibrary({ url, method, path, headers: received, body }: SignInRequest): Request {
  const headers = new Headers(received);
  if (method !== 'POST') return new Request(url, { method, headers });
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  const { trustDevice: _, ...rest } = body;
  const sent = path === '/change-password' ? { ...rest, revokeOtherSessions: true } : rest;
  return new Request(url, { method, headers, body: JSON.stringify(sent) });
}
