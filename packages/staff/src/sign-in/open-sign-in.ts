import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Database, isUuid, type JsonValue, NIL_ID, type Vault } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import { parseCookies } from 'better-auth/cookies';
import { z } from 'zod';
import type { StaffContext } from '../context.ts';
import type { StaffSession } from '../permissions/staff-session.ts';
import { withGuardedCalls } from '../single-sign-on/provider-calls.ts';
import { requiredProvider } from '../single-sign-on/resolve-person.ts';
import { checkResponse } from '../single-sign-on/saml/check-response.ts';
import { SAML_ANSWER_PATH, serviceProviderAt } from '../single-sign-on/saml/service-provider.ts';
import { hashPassword, PasswordQueueFullError } from '../users/passwords.ts';
import {
  AUTH_PATH,
  auditedChange,
  beginAttempt,
  completeAttempt,
  cookiePrefix,
  createStaffAuth,
  isSecure,
  PROVIDER_CALLBACK,
  PROVIDER_START,
  SECOND_STEPS,
  type StaffAuthSettings,
} from './auth.ts';
import { readSession } from './read-session.ts';
import { openSamlRequestCookie, requestIdIn } from './saml-request.ts';
import { openSignInLimits, type PasswordTry, type SignInLimits, type SignInRefusal } from './sign-in-limits.ts';

const LIFE_SECONDS = 90 * 86_400;
const ID = /^[\w-]{22}$/;
const NAME_LENGTH = 16;

/** Cookies by which a browser that has signed in before is known again. They open nothing: such a browser's tries are counted apart. */
interface DeviceCookies {
  /** The id of a browser in which this person has signed in with the password they have now; null for any other browser. */
  read(headers: Headers, login: Login, now: Date): string | null;
  /** The `Set-Cookie` header that makes a browser known for 90 days, or until the person's password changes. */
  issue(login: Login, now: Date): string;
}

/** Device cookies signed with a key made from `secret`; one for each person who uses a browser. */
function openDeviceCookies({ secret, prefix, secure }: CookieSettings): DeviceCookies {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'switchyard device cookie', 32));
  const digest = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const nameFor = ({ email }: Login) => `${prefix}.device-${digest(`name ${email}`).slice(0, NAME_LENGTH)}`;
  const sign = (id: string, expires: string, { email, passwordHash }: Login) =>
    digest(JSON.stringify([id, expires, email, passwordHash]));
  return {
    read(headers, login, now) {
      const value = parseCookies(headers.get('cookie') ?? '').get(nameFor(login)) ?? '';
      const [id = '', expires = '', signature = ''] = value.split('.');
      if (!ID.test(id) || !isSame(signature, sign(id, expires, login))) return null;
      return Number(expires) * 1_000 > now.getTime() ? id : null;
    },
    issue(login, now) {
      const id = randomBytes(16).toString('base64url');
      const expires = String(Math.floor(now.getTime() / 1_000) + LIFE_SECONDS);
      const pair = `${nameFor(login)}=${id}.${expires}.${sign(id, expires, login)}`;
      return `${pair}; Max-Age=${LIFE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
    },
  };
}

interface CookieSettings {
  readonly secret: string;
  /** Prefix of the names of our cookies. */
  readonly prefix: string;
  /** True if the dashboard is served by HTTPS alone. */
  readonly secure: boolean;
}

function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

/** Sign-in methods by the path that completes them. */
const WAYS: Readonly<Record<string, string>> = {
  '/sign-in/email': 'password',
  '/two-factor/verify-totp': 'password and one-time code',
  '/two-factor/verify-backup-code': 'password and backup code',
};

const signedInSchema = z.object({ token: z.string(), user: z.object({ id: z.uuid(), email: z.string() }) });

/**
 * Writes the audit entry of a sign-in from a network address when the library's response completes one, and returns the e-mail address of
 * who signed in; null when it does not. Throws when the entry cannot be written: the sign-in then fails.
 */
async function recordSignIn(
  context: StaffContext,
  { path, address }: { readonly path: string; readonly address: string | null },
  response: Response,
): Promise<string | null> {
  const way = WAYS[path];
  if (way === undefined || !response.ok) return null;
  const signedIn = signedInSchema.safeParse(await response.clone().json());
  if (!signedIn.success) return null;
  const { id: staffId, email } = signedIn.data.user;
  await context.resources.database.prisma.$transaction(async (transaction) => {
    const isBreakGlass = (await transaction.staffUser.count({ where: { id: staffId, breakGlass: true } })) === 1;
    const after = { with: way, address, ...(isBreakGlass && { breakGlass: true }) };
    await appendSignIn(context, transaction, staffId, after);
  });
  return email;
}

function appendSignIn(
  { resources, now, newId }: StaffContext,
  transaction: Prisma.TransactionClient,
  staffId: string,
  after: { readonly with: string; readonly address: string | null; readonly breakGlass?: boolean },
): Promise<void> {
  const who = { tenantId: NIL_ID, entryId: newId(), actor: `staff:${staffId}` };
  const what = { action: 'staff.signed_in', objectType: 'staff', objectId: staffId, before: null };
  return appendAuditEntry(transaction, resources.auditKeys, { ...who, ...what, after: { ...after } }, now());
}

const SIGN_IN_PATH = '/sign-in/email';
const CODE_PATH = '/two-factor/verify-totp';
const providerBody = z.object({
  providerId: z.string(),
  next: z
    .string()
    .max(2_000)
    .regex(/^\/(?![/\\])/),
});
const passwordBody = z.object({ email: z.string(), password: z.string() });
const samlBody = z.object({ SAMLResponse: z.string(), RelayState: z.string().max(200) });
/** Codes of refusals are the library's and ours; a provider may write any text. */
const REASON = /^[a-zA-Z_]{1,60}$/;

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
  /** People of the address's domain sign in by this provider alone. */
  | { readonly kind: 'provider_required'; readonly provider: string }
  | { readonly kind: 'unknown_provider' }
  | ({ readonly kind: 'too_many_tries' } & SignInRefusal);

/** Sign-in of staff users in one process. */
export interface SignIn {
  readonly limits: SignInLimits;
  /** The session of a request's cookie, or null: none, ended, idle for too long, or of a disabled staff user. */
  readSession(headers: Headers): Promise<StaffSession | null>;
  /** The providers that the sign-in page offers, by name. */
  listProviders(): Promise<readonly { readonly providerId: string; readonly name: string }[]>;
  /** Signs in and out, and changes how a staff user signs in; what succeeds is in the audit log. */
  answer(request: SignInRequest): Promise<SignInOutcome>;
}

interface SignInSettings extends Omit<StaffAuthSettings, 'context' | 'limits'> {
  /** The client's address, or null where it is unknown. */
  readonly clientAddress: (headers: Headers) => string | null;
}

/** Opens the sign-in of a process. */
export function openSignIn(
  context: StaffContext & { readonly resources: { readonly vault: Vault } },
  settings: SignInSettings,
): SignIn {
  const { database } = context.resources;
  const { clientAddress } = settings;
  const limits = openSignInLimits(database);
  const { secret, publicUrl } = settings;
  const cookies = { prefix: cookiePrefix(publicUrl), secure: isSecure(publicUrl) };
  const devices = openDeviceCookies({ secret, ...cookies });
  const samlRequests = openSamlRequestCookie(cookies);
  const us = serviceProviderAt(`${publicUrl}${AUTH_PATH}`);
  const auth = createStaffAuth({ ...settings, context, limits });
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

  /** A sign-in with a password. Why it is refused is in the audit log by then, with the same work whether the address belongs to someone. */
  async function signIn(request: SignInRequest): Promise<SignInOutcome> {
    const body = passwordBody.safeParse(request.body);
    if (!body.success) return takeStep(request);
    const login = await findLogin(database, body.data.email);
    const device = devices.read(request.headers, login, context.now());
    const outcome = await tryPassword(request, { login, device, password: body.data.password });
    await recordPasswordRefusal(outcome, { staffId: login.staffId, address: clientAddress(request.headers), device });
    return outcome;
  }

  async function tryPassword(
    request: SignInRequest,
    { login, device, password }: { readonly login: Login; readonly device: string | null; readonly password: string },
  ): Promise<SignInOutcome> {
    const { email } = login;
    const allowed = await limits.tryPassword({ email, address: clientAddress(request.headers), device });
    const step = { ...request, body: { ...request.body, email } };
    const provider = await requiredProvider(database, email);
    if (provider !== null && allowed.kind !== 'refused') {
      const required = { kind: 'provider_required', provider } as const;
      // The same work and the same answer for every address of the domain, except to the right password of the break-glass owner.
      if (!login.breakGlass) {
        await spendHash(password);
        return required;
      }
      const outcome = await takeStep(step);
      return outcome.kind === 'answered' && !outcome.response.ok ? required : outcome;
    }
    if (allowed.kind === 'allowed') return takeStep(step);
    const response = allowed.kind === 'refused' ? null : await askForCode(step, login, password);
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

  /** The second step after a password. A refused one is recorded too: who takes it knows the password. */
  async function takeCode(request: SignInRequest): Promise<SignInOutcome> {
    const address = clientAddress(request.headers);
    const { result, challenged } = await completeAttempt({ address }, () => takeStep(request));
    if (challenged !== null) await recordPasswordRefusal(result, { staffId: challenged, address, device: null });
    return result;
  }

  /** Counts a repeated password check within a session. */
  async function withinLimits({ sessionId }: StaffSession, change: () => Promise<Response>): Promise<SignInOutcome> {
    const refused = await limits.tryInSession(sessionId);
    if (refused !== null) return { kind: 'too_many_tries', ...refused };
    const response = await change();
    if (response.ok) await limits.rightInSession(sessionId);
    return { kind: 'answered', response };
  }

  /** The address of a provider at which a sign-in goes on. */
  async function beginAtProvider(request: SignInRequest): Promise<SignInOutcome> {
    const body = providerBody.safeParse(request.body);
    const known = body.success && isUuid(body.data.providerId) ? { where: { providerId: body.data.providerId } } : null;
    if (!body.success || known === null || (await database.prisma.ssoProvider.count(known)) === 0)
      return { kind: 'unknown_provider' };
    const { providerId, next } = body.data;
    const sent = { providerId, callbackURL: `${publicUrl}${next}`, errorCallbackURL: `${publicUrl}/sign-in` };
    const nonce = randomBytes(32).toString('base64url');
    const response = await beginAttempt(nonce, () => withGuardedCalls(() => ask({ ...request, body: sent })));
    const begun = z.object({ url: z.url() }).safeParse(response.ok ? await response.json() : null);
    if (!begun.success) return { kind: 'answered', response };
    const url = new URL(begun.data.url);
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    const requestId = requestIdIn(url);
    if (requestId !== null) headers.append('set-cookie', samlRequests.issue({ providerId, requestId }));
    // The library sends no nonce of its own by this way.
    else url.searchParams.set('nonce', nonce);
    return { kind: 'answered', response: Response.json({ url: url.toString() }, { status: 200, headers }) };
  }

  /** Completes a sign-in by OpenID Connect; what succeeds, and why a provider's answer is refused, is in the audit log by then. */
  async function comeBack(request: SignInRequest, address: string | null): Promise<SignInOutcome> {
    const { result, providerId } = await completeAttempt({ address }, () => withGuardedCalls(() => ask(request)));
    const reason = reasonOf(result);
    if (reason !== null && providerId !== null) await recordRefusal(ofProvider(providerId), { reason, address });
    return { kind: 'answered', response: result };
  }

  /** Completes a sign-in by SAML with what its provider had the browser post. Recorded as {@link comeBack} is. */
  async function takeSamlAnswer(request: SignInRequest, address: string | null): Promise<SignInOutcome> {
    const begun = samlRequests.read(request.headers);
    const known = { where: { providerId: begun?.providerId ?? '', samlConfig: { not: null } } };
    const body = samlBody.safeParse(request.body);
    if (begun === null || !body.success || (await database.prisma.ssoProvider.count(known)) === 0) {
      return { kind: 'answered', response: toSignInPage('state_mismatch') };
    }
    const { providerId, requestId } = begun;
    const refusal = checkResponse(body.data.SAMLResponse, { us, requestId, now: context.now() });
    const url = `${publicUrl}${AUTH_PATH}${SAML_ANSWER_PATH}/${providerId}`;
    const read = () => completeAttempt({ address, providerId }, () => ask({ ...request, url, body: body.data }));
    const response = refusal === null ? (await read()).result : toSignInPage(refusal);
    const reason = reasonOf(response);
    if (reason === null) {
      response.headers.append('set-cookie', samlRequests.end());
      return { kind: 'answered', response };
    }
    await recordRefusal(ofProvider(providerId), { reason, address });
    return { kind: 'answered', response: toSignInPage(reason) };
  }

  /** Leads back to the sign-in page, which says why. A request to a provider of SAML is over then. */
  function toSignInPage(reason: string): Response {
    const headers = new Headers({ location: `${publicUrl}/sign-in?error=${reason}`, 'cache-control': 'no-store' });
    headers.append('set-cookie', samlRequests.end());
    return new Response(null, { status: 303, headers });
  }

  /** Why the answer of a provider opened no session; null where it did. */
  function reasonOf(response: Response): string | null {
    const session = `${cookies.prefix}.session_token=`;
    if (response.headers.getSetCookie().some((line) => line.startsWith(session) && !/;\s*max-age=0/i.test(line))) return null;
    const reason = new URL(response.headers.get('location') ?? '', publicUrl).searchParams.get('error') ?? '';
    return REASON.test(reason) ? reason : 'invalid_provider';
  }

  /**
   * Records a refused sign-in with a password: who was meant, if the address belongs to someone, and nothing that was entered. What people
   * type in place of their address is often their password.
   */
  async function recordPasswordRefusal(outcome: SignInOutcome, { staffId, ...from }: PasswordStep): Promise<void> {
    const reason = await reasonOfPassword(outcome);
    if (reason === null || !(await limits.mayRecord(from))) return;
    const refused = { actor: 'system:sign-in-page', objectType: 'staff', objectId: staffId ?? NIL_ID } as const;
    const { address } = from;
    await recordRefusal(refused, staffId === null ? { reason, address, name: 'unknown address' } : { reason, address });
  }

  /** Writes why a sign-in was refused: a code, and nothing that was sent. */
  async function recordRefusal(refused: Refused, after: JsonValue): Promise<void> {
    const action = `${refused.objectType}.sign_in_refused`;
    const entry = { ...refused, tenantId: NIL_ID, entryId: context.newId(), action, before: null, after };
    await database.prisma.$transaction((transaction) =>
      appendAuditEntry(transaction, context.resources.auditKeys, entry, context.now()),
    );
  }

  /** Our own second step in the session of a provider's sign-in; each code works once. */
  async function takeSecondStep(request: SignInRequest, { sessionId, staffId }: StaffSession): Promise<SignInOutcome> {
    const refused = await limits.tryInSession(sessionId);
    if (refused !== null) return { kind: 'too_many_tries', ...refused };
    const code = z.object({ code: z.string().max(64) }).safeParse(request.body);
    const isUsed = request.path === CODE_PATH && code.success && !(await limits.spendCode(staffId, code.data.code));
    const response = isUsed ? Response.json({ code: 'INVALID_CODE' }, { status: 401 }) : await ask(request);
    if (!response.ok) return { kind: 'answered', response };
    const address = clientAddress(request.headers);
    await database.prisma.$transaction(async (transaction) => {
      const where = { id: sessionId, factor: 'pending' as const };
      if ((await transaction.staffSession.updateMany({ where, data: { factor: null } })).count === 0) return;
      const way = request.path === CODE_PATH ? 'provider and one-time code' : 'provider and backup code';
      await appendSignIn(context, transaction, staffId, { with: way, address });
    });
    await limits.rightInSession(sessionId);
    return { kind: 'answered', response };
  }

  const providerSteps = new Map([
    [PROVIDER_START, beginAtProvider],
    [PROVIDER_CALLBACK, comeBack],
    [SAML_ANSWER_PATH, takeSamlAnswer],
  ]);

  return {
    limits,
    readSession: readSessionOf,
    async listProviders() {
      const rows = await database.prisma.ssoProvider.findMany({
        where: { OR: [{ oidcConfig: { not: null } }, { samlConfig: { not: null } }] },
        orderBy: { name: 'asc' },
        select: { providerId: true, name: true },
        take: 20,
      });
      return rows;
    },
    async answer(request) {
      const { path, headers } = request;
      if (path === SIGN_IN_PATH) return signIn(request);
      const address = clientAddress(headers);
      const providerStep = providerSteps.get(path);
      if (providerStep !== undefined) {
        const refused = await limits.tryProvider(address);
        return refused === null ? providerStep(request, address) : { kind: 'too_many_tries', ...refused };
      }
      // Ends an idle session first, so that the library does not find it either.
      const session = await readSessionOf(headers);
      if (session === null) return SECOND_STEPS.has(path) ? takeCode(request) : takeStep(request);
      if (path === '/two-factor/disable' && (await isTwoFactorRequired(context, session.staffId))) {
        return { kind: 'two_factor_required' };
      }
      if (session.mustSetUpTwoFactor && session.twoFactorEnabled && SECOND_STEPS.has(path)) {
        const outcome = await takeSecondStep(request, session);
        await recordPasswordRefusal(outcome, { staffId: session.staffId, address, device: null });
        return outcome;
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

/** A step of a sign-in with a password or a code. */
interface PasswordStep extends Pick<PasswordTry, 'address' | 'device'> {
  /** The staff user who is meant; null where the address belongs to no one. */
  readonly staffId: string | null;
}

/** The object of the audit entry of a refused sign-in. */
interface Refused {
  readonly actor: string;
  readonly objectType: 'staff' | 'sso_provider';
  readonly objectId: string;
}

function ofProvider(providerId: string): Refused {
  return { actor: `system:provider:${providerId}`, objectType: 'sso_provider', objectId: providerId };
}

/** The code of a refusal; null for a step that succeeded, and for one that was not looked at. */
async function reasonOfPassword(outcome: SignInOutcome): Promise<string | null> {
  if (outcome.kind !== 'answered') return outcome.kind;
  const { response } = outcome;
  if (response.ok || response.status >= 500) return null;
  const body = z.object({ code: z.string().regex(REASON) }).safeParse(await response.clone().json());
  return body.success ? body.data.code.toLowerCase() : 'refused';
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

/** The facts that decide how a person signs in; for an unknown address, the same without a password. */
interface Login {
  readonly staffId: string | null;
  /** In lower case, without spaces around it. */
  readonly email: string;
  readonly passwordHash: string | null;
  readonly twoFactorEnabled: boolean;
  readonly breakGlass: boolean;
}

/** How the person of this address signs in, however they write it. */
async function findLogin({ prisma }: Database, written: string): Promise<Login> {
  const email = written.trim().toLowerCase();
  const found = await prisma.staffUser.findUnique({
    where: { email },
    select: {
      id: true,
      twoFactorEnabled: true,
      breakGlass: true,
      accounts: { where: { providerId: 'credential' }, select: { password: true }, take: 1 },
    },
  });
  const { id: staffId = null, twoFactorEnabled = false, breakGlass = false, accounts = [] } = found ?? {};
  return { staffId, email, passwordHash: accounts[0]?.password ?? null, twoFactorEnabled, breakGlass };
}
