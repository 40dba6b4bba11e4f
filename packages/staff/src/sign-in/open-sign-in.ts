import type { StaffContext } from '../context.ts';
import { readSession } from '../sessions/read-session.ts';
import type { StaffSession } from '../sessions/staff-session.ts';
import { auditedChange } from './audited-change.ts';
import { createStaffAuth, type StaffAuthSettings } from './auth.ts';
import { recordSignIn } from './record-sign-in.ts';
import { openSignInLimits, type SignInLimits, type SignInRefusal } from './sign-in-limits.ts';

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

/** Opens the sign-in of a process. */
export function openSignIn(context: StaffContext, settings: Omit<StaffAuthSettings, 'database' | 'limits'>): SignIn {
  const { database } = context.resources;
  const { clientAddress } = settings;
  const limits = openSignInLimits(database);
  const auth = createStaffAuth({ ...settings, database, limits });
  const readSessionOf = (headers: Headers) => readSession(auth, database, headers, context.now());

  async function ask(request: SignInRequest): Promise<Response> {
    const response = await auth.handler(forLibrary(request));
    response.headers.set('cache-control', 'no-store');
    return response;
  }

  /** Counts a repeated password check like one at sign-in, so that a stolen session cannot be used to guess the password. */
  async function withinLimits(email: string, headers: Headers, change: () => Promise<Response>): Promise<SignInOutcome> {
    const refused = await limits.tryPassword(email, clientAddress(headers));
    if (refused !== null) return { kind: 'too_many_tries', ...refused };
    const response = await change();
    if (response.ok) await limits.passwordWasRight(email);
    return { kind: 'answered', response };
  }

  return {
    limits,
    readSession: readSessionOf,
    async answer(request) {
      const { path, headers } = request;
      // Ends an idle session first, so that the library does not find it either.
      const session = path.startsWith('/sign-in/') ? null : await readSessionOf(headers);
      if (session === null) {
        const response = await recordSignIn(context, { path, address: clientAddress(headers) }, await ask(request));
        return { kind: 'answered', response };
      }
      if (path === '/two-factor/disable' && (await isTwoFactorRequired(context, session.staffId))) {
        return { kind: 'two_factor_required' };
      }
      const change = () => auditedChange(context, { path, session }, () => ask(request));
      if (PASSWORD_PATHS.has(path)) return withinLimits(session.email, headers, change);
      return { kind: 'answered', response: await change() };
    },
  };
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
