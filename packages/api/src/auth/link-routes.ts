import { acceptInvitation } from '@switchyard/staff/invitations';
import { deliverLink, describeLink, requestReset, resetPassword } from '@switchyard/staff/links';
import { hashPassword, PASSWORD_MAX, PASSWORD_MIN, PasswordQueueFullError } from '@switchyard/staff/sign-in';
import { z } from 'zod';
import { clientAddress } from '../client-address.ts';
import type { Switchyard } from '../process.ts';

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
export const LINK_ROUTES: Readonly<Record<string, RouteHandler>> = {
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
