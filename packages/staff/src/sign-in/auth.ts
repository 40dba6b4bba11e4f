import { type Database, newId } from '@switchyard/db';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { z } from 'zod';
import { transactionOr } from './audited-change.ts';
import { hashPassword, PASSWORD_MAX, PASSWORD_MIN, PasswordQueueFullError, verifyPassword } from './passwords.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** The dependencies of staff sign-in. */
export interface StaffAuthSettings {
  readonly database: Database;
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

/** Better Auth on our own tables: e-mail and password, one-time codes, no registration. */
export function createStaffAuth(settings: StaffAuthSettings) {
  const secure = isSecure(settings.publicUrl);
  return betterAuth({
    appName: 'Switchyard',
    baseURL: settings.publicUrl,
    basePath: AUTH_PATH,
    secret: settings.secret,
    telemetry: { enabled: false },
    // Below the error level it logs every wrong password.
    logger: { log: (level, message) => level === 'error' && settings.onError(message) },
    database: prismaAdapter(transactionOr(settings.database.prisma), { provider: 'postgresql' }),
    databaseHooks: { session: { create: { before: ({ userId }) => refuseDisabled(settings.database, userId) } } },
    user: { modelName: 'staffUser' },
    session: { modelName: 'staffSession', expiresIn: SESSION_SECONDS, disableSessionRefresh: true },
    account: { modelName: 'staffCredential' },
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
      twoFactor({
        issuer: 'Switchyard',
        twoFactorCookieMaxAge: CHALLENGE_SECONDS,
        schema: { twoFactor: { modelName: 'staffTwoFactor' } },
      }),
    ],
    // Our own limits count in the database, per staff user and not only per address.
    rateLimit: { enabled: false },
    hooks: { before: beforeCode(settings.limits), after: afterCode(settings.limits) },
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

function beforeCode(limits: SignInLimits) {
  return createAuthMiddleware(async (context) => {
    if (context.path !== CODE_PATH) return;
    // The library ends the challenge with any matching code; a code that was used before must leave it open for a backup code.
    const body = codeBody.safeParse(context.body);
    const staffId = await challengedPerson(context);
    if (body.success && staffId !== null && (await limits.isCodeSpent(staffId, body.data.code))) throw invalidCode();
  });
}

function afterCode(limits: SignInLimits) {
  return createAuthMiddleware(async (context) => {
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
async function refuseDisabled(database: Database, staffId: string): Promise<void> {
  const person = await database.prisma.staffUser.findUnique({ where: { id: staffId }, select: { disabledAt: true } });
  if (person?.disabledAt === null) return;
  throw new APIError('FORBIDDEN', {
    code: 'ACCOUNT_DISABLED',
    message: 'This account is disabled. Ask an owner of the workspace.',
  });
}
