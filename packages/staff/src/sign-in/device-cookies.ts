import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookies } from 'better-auth/cookies';
import type { Login } from './find-login.ts';

const LIFE_SECONDS = 90 * 86_400;
const ID = /^[\w-]{22}$/;
const NAME_LENGTH = 16;

/** Cookies by which a browser that has signed in before is known again. They open nothing: such a browser's tries are counted apart. */
export interface DeviceCookies {
  /** The id of a browser in which this person has signed in with the password they have now; null for any other browser. */
  read(headers: Headers, login: Login, now: Date): string | null;
  /** The `Set-Cookie` header that makes a browser known for 90 days, or until the person's password changes. */
  issue(login: Login, now: Date): string;
}

/** Device cookies signed with a key made from `secret`; one for each person who uses a browser. */
export function openDeviceCookies({ secret, prefix, secure }: CookieSettings): DeviceCookies {
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
