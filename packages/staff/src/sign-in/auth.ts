import { AsyncLocalStorage } from 'node:async_hooks';
import { sso } from '@better-auth/sso';
import { type Database, NIL_ID, newId, type Vault } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError, addOAuthServerContext, createAuthMiddleware, getOAuthState } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { z } from 'zod';
import type { StaffContext } from '../context.ts';
import { endTokensOf } from '../machine-tokens/queries.ts';
import type { StaffSession } from '../permissions/staff-session.ts';
import { mayCallPrivate } from '../single-sign-on/provider-calls.ts';
import { forSignInLibrary } from '../single-sign-on/provider-secret.ts';
import { type ProviderAttempt, resolvePerson } from '../single-sign-on/resolve-person.ts';
import { RESPONSE_MAX_CHARACTERS, SKEW_MS } from '../single-sign-on/saml/check-response.ts';
import { type ServiceProvider, serviceProviderAt } from '../single-sign-on/saml/service-provider.ts';
import { hashPassword, PASSWORD_MAX, PASSWORD_MIN, PasswordQueueFullError, verifyPassword } from '../users/passwords.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** The dependencies of staff sign-in. */
export interface StaffAuthSettings {
  readonly context: StaffContext & { readonly resources: { readonly vault: Vault } };
  readonly limits: SignInLimits;
  readonly publicUrl: string;
  /** Signs cookies and encrypts one-time-code secrets. */
  readonly secret: string;
  /** Header that carries the client's address. */
  readonly addressHeader: string;
  readonly onError: (message: string) => void;
}

/** Prefix of the names of our cookies: by HTTPS, browsers accept those of this host alone. */
export function cookiePrefix(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-switchyard' : 'switchyard';
}

/** True if the dashboard is reached by HTTPS alone. */
export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}

/** Path of the sign-in library's own endpoints. */
export const AUTH_PATH = '/api/auth';

/** A session ends this long after sign-in, regardless of activity. */
const SESSION_SECONDS = 12 * 3_600;
const CHALLENGE_SECONDS = 300;
/** After this many wrong codes in a row none is accepted for a while. */
const WRONG_CODES_MAX = 10;
const LOCKED_SECONDS = 900;
/** How long a sign-in by a provider of SAML may take. */
export const SAML_REQUEST_SECONDS = 600;

/** Better Auth on our own tables: e-mail and password, one-time codes, providers of OpenID Connect and SAML, no registration. */
export function createStaffAuth(settings: StaffAuthSettings) {
  const { context } = settings;
  const { database, vault } = context.resources;
  const secure = isSecure(settings.publicUrl);
  const us = serviceProviderAt(`${settings.publicUrl}${AUTH_PATH}`);
  return betterAuth({
    appName: 'Switchyard',
    baseURL: settings.publicUrl,
    basePath: AUTH_PATH,
    secret: settings.secret,
    telemetry: { enabled: false },
    // Below the error level it logs every wrong password.
    logger: { log: (level, message) => level === 'error' && settings.onError(message) },
    database: prismaAdapter(transactionOr(database.prisma, { vault, us }), { provider: 'postgresql', transaction: true }),
    databaseHooks: {
      session: {
        create: {
          async before(session) {
            await refuseDisabled(underWay.getStore() ?? database.prisma, session.userId);
            return { data: { ...session, factor: attempts.getStore()?.factor ?? null } };
          },
        },
      },
    },
    user: { modelName: 'staffUser' },
    session: {
      modelName: 'staffSession',
      expiresIn: SESSION_SECONDS,
      disableSessionRefresh: true,
      additionalFields: { factor: { type: ['provider', 'pending'], required: false, input: false } },
    },
    // Tokens of a provider are of no use once it has said who signs in: they are not kept.
    account: { modelName: 'staffCredential', updateAccountOnSignIn: false },
    // Where addresses of private networks may be called, the library asks for each by name.
    trustedOrigins: () => (mayCallPrivate() ? providerOrigins(database) : []),
    verification: { modelName: 'staffVerification' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: {
        hash: (password) => orUnavailable(hashPassword(password)),
        verify: ({ hash, password }) => orUnavailable(verifyPassword(hash, password)),
      },
    },
    plugins: [
      sso({
        // Providers are registered by our own procedures, whose changes are audited.
        providersLimit: 0,
        fields: { userId: 'createdBy' },
        // One for all, so that it is known before a provider is added.
        redirectURI: PROVIDER_CALLBACK,
        saml: {
          enableInResponseToValidation: true,
          allowIdpInitiated: false,
          requestTTL: SAML_REQUEST_SECONDS * 1_000,
          clockSkew: SKEW_MS,
          requireTimestamps: true,
          algorithms: { onDeprecated: 'reject' },
          maxResponseSize: RESPONSE_MAX_CHARACTERS,
        },
        async resolveUser(input) {
          const transaction = underWay.getStore();
          const attempt = attempts.getStore();
          if (transaction === undefined || attempt === undefined) throw new Error('a provider signed in outside of a sign-in');
          return resolvePerson(context, transaction, input, attempt);
        },
      }),
      twoFactor({
        issuer: 'Switchyard',
        // A person who signs in by a provider may have no password.
        allowPasswordless: true,
        twoFactorCookieMaxAge: CHALLENGE_SECONDS,
        accountLockout: { enabled: true, maxFailedAttempts: WRONG_CODES_MAX, durationSeconds: LOCKED_SECONDS },
        schema: { twoFactor: { modelName: 'staffTwoFactor' } },
      }),
    ],
    // Our own limits count in the database, per staff user and not only per address.
    rateLimit: { enabled: false },
    hooks: { before: beforeStep(settings.limits), after: afterStep(settings.limits) },
    advanced: {
      cookiePrefix: cookiePrefix(settings.publicUrl),
      // The library would add its own prefix; the cookie attribute is equivalent.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure, path: '/' },
      database: { generateId: () => newId() },
      // The whole address: by default the library keeps only the network part of IPv6.
      ipAddress: { ipAddressHeaders: [settings.addressHeader], ipv6Subnet: 128 },
      // Every request is checked before it reaches the library.
      disableCSRFCheck: true,
    },
  });
}

/** The sign-in library, configured for staff users. */
export type StaffAuth = ReturnType<typeof createStaffAuth>;

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PasswordQueueFullError)) throw error;
    throw new APIError('SERVICE_UNAVAILABLE', {
      code: 'BUSY',
      message: 'Too many people are signing in. Try again in a moment.',
    });
  }
}

const codeBody = z.object({ code: z.string().max(64) });
const CODE_PATH = '/two-factor/verify-totp';
/** Library paths of the second step after a password. */
export const SECOND_STEPS: ReadonlySet<string> = new Set([CODE_PATH, '/two-factor/verify-backup-code']);

/** Library paths that begin a sign-in by a provider and that complete one. */
export const PROVIDER_START = '/sign-in/sso';
export const PROVIDER_CALLBACK = '/sso/callback';

function beforeStep(limits: SignInLimits) {
  return createAuthMiddleware(async (context) => {
    if (context.path === PROVIDER_START) await addOAuthServerContext({ nonce: await attempts.getStore()?.nonce() });
    if (!SECOND_STEPS.has(context.path)) return;
    const staffId = await challengedPerson(context);
    const attempt = attempts.getStore();
    if (attempt !== undefined) attempt.challenged = staffId;
    // The library ends the challenge with any matching code; a code that was used before must leave it open for a backup code.
    const body = codeBody.safeParse(context.path === CODE_PATH ? context.body : null);
    if (body.success && staffId !== null && (await limits.isCodeSpent(staffId, body.data.code))) throw invalidCode();
  });
}

function afterStep(limits: SignInLimits) {
  return createAuthMiddleware(async (context) => {
    if (context.path === PROVIDER_CALLBACK) await noteProvider();
    const signedIn = context.context.newSession;
    if (context.path !== CODE_PATH || !signedIn) return;
    const body = codeBody.safeParse(context.body);
    if (body.success && (await limits.spendCode(signedIn.user.id, body.data.code))) return;
    await context.context.internalAdapter.deleteSession(signedIn.session.token);
    throw invalidCode();
  });
}

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** The staff user whose second step this request completes; null when there is no open challenge. */
async function challengedPerson(context: HookContext): Promise<string | null> {
  const { name } = context.context.createAuthCookie('two_factor');
  const challenge = await context.getSignedCookie(name, context.context.secret);
  if (typeof challenge !== 'string') return null;
  return (await context.context.internalAdapter.findVerificationValue(challenge))?.value ?? null;
}

function invalidCode(): APIError {
  return new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' });
}

/** A disabled staff user gets no session by any sign-in method; only the right password reaches this point. */
async function refuseDisabled({ staffUser }: Pick<Database['prisma'], 'staffUser'>, staffId: string): Promise<void> {
  const person = await staffUser.findUnique({ where: { id: staffId }, select: { disabledAt: true } });
  if (person?.disabledAt === null) return;
  throw new APIError('FORBIDDEN', {
    code: 'ACCOUNT_DISABLED',
    message: 'This account is disabled. Ask an owner of the workspace.',
  });
}

/*
 * Staff users change their own sign-in through the library, which writes by itself. The library is given a client that joins the
 * current transaction, so its write and our audit row commit or roll back together.
 */

const underWay = new AsyncLocalStorage<Prisma.TransactionClient>();

/**
 * A client that writes into the open transaction of a change or of the library, where there is one. The library's own transactions are open
 * to our code called in them, and it reads providers with what their rows leave out.
 */
function transactionOr(prisma: Database['prisma'], ours: ProviderSettings): Database['prisma'] {
  return new Proxy(prisma, {
    get(target, name) {
      const open = underWay.getStore();
      if (name === 'ssoProvider') return completed((open ?? target).ssoProvider, ours);
      if (name !== '$transaction') return Reflect.get(open ?? target, name);
      return (work: (transaction: Prisma.TransactionClient) => Promise<unknown>) =>
        open === undefined
          ? target.$transaction(
              (transaction) => underWay.run(transaction, () => work(withProviders(transaction, ours))),
              TRANSACTION_OPTIONS,
            )
          : work(withProviders(open, ours));
    },
  });
}

/** A transaction in which the library reads providers with what their rows leave out. */
function withProviders(transaction: Prisma.TransactionClient, ours: ProviderSettings): Prisma.TransactionClient {
  return new Proxy(transaction, {
    get: (target, name) => (name === 'ssoProvider' ? completed(target.ssoProvider, ours) : Reflect.get(target, name)),
  });
}

/** Fields that rows of providers leave out. */
interface ProviderSettings {
  readonly vault: Vault;
  readonly us: ServiceProvider;
}

function completed(providers: Database['prisma']['ssoProvider'], { vault, us }: ProviderSettings): typeof providers {
  return new Proxy(providers, {
    get(target, name) {
      if (name === 'findFirst') {
        return async ({ where = {} }: Prisma.SsoProviderFindFirstArgs) => {
          const found = await target.findFirst({ where });
          return found && forSignInLibrary(vault, us, found);
        };
      }
      // It locks a row by writing an id that stays, and compares what comes back with what it read.
      if (name === 'update') {
        return async ({ where, data }: Prisma.SsoProviderUpdateArgs) =>
          forSignInLibrary(vault, us, await target.update({ where, data }));
      }
      return Reflect.get(target, name);
    },
  });
}

/** A step of a sign-in while the library works on it. */
interface Attempt extends ProviderAttempt {
  /** The staff user whose second step it is; null for any other step. */
  challenged: string | null;
}

const attempts = new AsyncLocalStorage<Attempt>();

/** Begins a sign-in by a provider: the library keeps this nonce in the state of the sign-in. */
export function beginAttempt<Result>(nonce: string, work: () => Promise<Result>): Promise<Result> {
  return attempts.run({ address: null, providerId: null, nonce: async () => nonce, factor: null, challenged: null }, work);
}

/** Takes a step of a sign-in for a client's address, and returns what the library found out about it beside the result. */
export async function completeAttempt<Result>(
  { address, providerId = null }: { readonly address: string | null; readonly providerId?: string | null },
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } & Readonly<Pick<Attempt, 'providerId' | 'challenged'>>> {
  const nonce = async () => (await getOAuthState())?.serverContext?.nonce;
  const attempt: Attempt = { address, providerId, nonce, factor: null, challenged: null };
  const result = await attempts.run(attempt, work);
  return { result, providerId: attempt.providerId, challenged: attempt.challenged };
}

/** The library's reference to the provider of a sign-in, in its state. */
const stateSchema = z.object({ ssoProviderReference: z.object({ providerId: z.uuid() }) });

/** Notes which provider an answer belongs to, once the library has read the state. */
async function noteProvider(): Promise<void> {
  const attempt = attempts.getStore();
  const state = stateSchema.safeParse((await getOAuthState())?.serverContext);
  if (attempt !== undefined && state.success) attempt.providerId = state.data.ssoProviderReference.providerId;
}

const endpoints = z.object({ tokenEndpoint: z.string(), jwksEndpoint: z.string(), userInfoEndpoint: z.string().optional() });

/** Origins that the configured providers are called at. */
async function providerOrigins({ prisma }: Database): Promise<string[]> {
  const rows = await prisma.ssoProvider.findMany({ select: { oidcConfig: true }, take: 100 });
  const addresses = rows.flatMap(({ oidcConfig }) =>
    oidcConfig === null ? [] : Object.values(endpoints.parse(JSON.parse(oidcConfig))),
  );
  return [...new Set(addresses.flatMap((address) => (address === undefined ? [] : [new URL(address).origin])))];
}

/** Library paths that change how a staff user signs in, with their audit actions. */
const ACTIONS: Readonly<Record<string, string>> = {
  '/two-factor/verify-totp': 'staff.two_factor_enabled',
  '/two-factor/disable': 'staff.two_factor_disabled',
  '/two-factor/generate-backup-codes': 'staff.backup_codes_renewed',
  '/change-password': 'staff.password_changed',
};

const TRANSACTION_OPTIONS = { timeout: 10_000 };

/** Runs the library; when it changes how this staff user signs in, the change and its audit row are one transaction. */
export async function auditedChange(
  context: StaffContext,
  { path, session }: { readonly path: string; readonly session: StaffSession | null },
  answer: () => Promise<Response>,
): Promise<Response> {
  const action = ACTIONS[path];
  // Verifying a code again changes nothing.
  const isChange = session !== null && (path !== '/two-factor/verify-totp' || !session.twoFactorEnabled);
  if (action === undefined || !isChange) return answer();
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const response = await underWay.run(transaction, answer);
    if (!response.ok) return response;
    const { staffId } = session;
    const who = { tenantId: NIL_ID, entryId: context.newId(), actor: `staff:${staffId}` };
    const what = { action, objectType: 'staff', objectId: staffId, before: null };
    // A new password ends whatever was issued under the old one.
    const revoked = { revokedAt: context.now(), revokedBy: who.actor };
    const after = path === '/change-password' ? { tokensRevoked: await endTokensOf(transaction, staffId, revoked) } : null;
    await appendAuditEntry(transaction, context.resources.auditKeys, { ...who, ...what, after }, context.now());
    return response;
  }, TRANSACTION_OPTIONS);
}
