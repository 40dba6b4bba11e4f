import { NIL_ID } from '@switchyard/db';
import { statementsDuring } from '@switchyard/db/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { watchClientAddresses } from '../client-address.ts';
import type { Switchyard } from '../process.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  oneTimeCode,
  openTestSwitchyard,
  PASSWORD,
} from '../testing/switchyard.ts';
import { handleAuth } from './handle.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let people = 0;

beforeAll(async () => {
  watchClientAddresses({});
  ({ switchyard, close } = await openTestSwitchyard());
});
afterAll(() => close());

const hire = (grants: Parameters<typeof createStaffWithGrants>[2] = [{ merchantId: null, role: 'viewer' }]) =>
  createStaffWithGrants(switchyard, `person-${++people}@example.com`, grants);
const sessionIn = (browser: Browser) => switchyard.signIn().readSession(browser.headers());

async function signedIn(email: string): Promise<Browser> {
  const browser = new Browser(switchyard);
  const response = await browser.signIn(email);
  if (!response.ok) throw new Error(`sign-in failed: ${response.status}`);
  return browser;
}

async function withTwoFactor() {
  const email = await hire();
  const browser = await signedIn(email);
  const enabled = await (await browser.post('/two-factor/enable', { password: PASSWORD })).json();
  const uri = String(enabled.totpURI);
  // The clock of an authenticator app may be half a minute behind; from here on, codes stay unused.
  const confirmed = await browser.post('/two-factor/verify-totp', { code: oneTimeCode(uri, Date.now() - 30_000) });
  if (!confirmed.ok) throw new Error(`two-factor was not switched on: ${confirmed.status}`);
  return { email, uri, backupCodes: enabled.backupCodes as string[] };
}

describe('signing in', () => {
  test('returns a session with the staff user’s roles, each for its merchant', async () => {
    const merchantId = await createTestMerchant(switchyard, 'Balogun Books');
    const email = await hire([
      { merchantId: null, role: 'viewer' },
      { merchantId, role: 'finance' },
    ]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const session = await sessionIn(await signedIn(email));
    expect(session).toMatchObject({ email, name: 'Ada Obi', twoFactorEnabled: false });
    expect(new Set(session?.grants)).toEqual(
      new Set([
        { merchantId: null, role: 'viewer' },
        { merchantId, role: 'finance' },
      ]),
    );
    expect(session?.endsAt).toEqual(new Date(Date.now() + 12 * 3_600_000));
  });

  test('hides the session from scripts and other sites', async () => {
    const response = await new Browser(switchyard).signIn(await hire());
    const cookie = response.headers.getSetCookie().find((line) => line.includes('session_token'));
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).toMatch(/Path=\//i);
    expect(cookie).not.toMatch(/Domain=/i);
    expect(cookie).not.toMatch(/Secure/i);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('over HTTPS sets a host-only secure cookie', async () => {
    const origin = 'https://pay.example';
    const other = await openTestSwitchyard(origin);
    try {
      const email = await createStaffWithGrants(other.switchyard, 'ada@example.com', []);
      const response = await new Browser(other.switchyard, origin).signIn(email);
      const cookie = response.headers.getSetCookie().find((line) => line.includes('session_token'));
      expect(cookie).toMatch(/^__Host-/);
      expect(cookie).toMatch(/Secure/i);
    } finally {
      await other.close();
    }
  });

  test('answers a wrong password and an unknown person alike', async () => {
    const email = await hire();
    const wrong = await new Browser(switchyard).signIn(email, 'not the password at all');
    const unknown = await new Browser(switchyard).signIn('nobody@example.com', 'not the password at all');
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect(await wrong.text()).toBe(await unknown.text());
  });

  test('ignores the case of the address', async () => {
    const email = await hire();
    expect((await new Browser(switchyard).signIn(email.toUpperCase())).status).toBe(200);
  });

  test('creates a new token every time', async () => {
    const email = await hire();
    const one = await signedIn(email);
    const two = await signedIn(email);
    expect(one.headers().get('cookie')).not.toBe(two.headers().get('cookie'));
  });

  test('ignores spaces around the address', async () => {
    const email = await hire();
    expect((await new Browser(switchyard).signIn(` ${email} `)).status).toBe(200);
  });

  test('makes the browser known, by a cookie that neither scripts nor other sites may use', async () => {
    const email = await hire();
    const response = await new Browser(switchyard).signIn(email);
    const cookie = response.headers.getSetCookie().find((line) => line.includes('.device-'));
    expect(cookie).toMatch(/^switchyard\.device-.+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain('person');
    expect((await new Browser(switchyard).signIn(email, 'wrong wrong wrong')).headers.getSetCookie().join()).not.toContain(
      '.device-',
    );
  });
});

describe('wrong passwords', () => {
  const WRONG = 'wrong wrong wrong';
  let networks = 0;
  const nextAddress = () => `198.51.${Math.floor(++networks / 250)}.${networks % 250}`;
  function browserAt(address: string): Browser {
    const browser = new Browser(switchyard);
    browser.address = address;
    return browser;
  }
  /** Signs in and forgets the session, so that the browser is known and nothing else. */
  async function knownBrowser(email: string, address = nextAddress()): Promise<Browser> {
    const browser = browserAt(address);
    if (!(await browser.signIn(email)).ok) throw new Error('no sign-in');
    await browser.post('/sign-out', {});
    return browser;
  }
  async function guess(email: string, address: string, times = 10): Promise<void> {
    for (let round = 0; round < times; round++) await browserAt(address).signIn(email, WRONG);
  }
  /** Counts a hundred tries of a person from as many networks. */
  async function guessFromEverywhere(email: string): Promise<void> {
    const { limits } = switchyard.signIn();
    for (let round = 0; round < 100; round++) await limits.tryPassword({ email, address: nextAddress(), device: null });
  }

  test('shut a person’s tries from that network alone, for known and unknown people, with the right password too', async () => {
    for (const email of [await hire(), 'stranger@example.com']) {
      const address = nextAddress();
      for (let round = 0; round < 10; round++) expect((await browserAt(address).signIn(email, WRONG)).status).toBe(401);
      for (const written of [email, ` ${email.toUpperCase()} `, `\u00a0${email}\u2003`]) {
        const refused = await browserAt(address).signIn(written);
        expect([refused.status, (await refused.json()).code]).toEqual([429, 'TOO_MANY_TRIES']);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
      }
      const elsewhere = await browserAt(nextAddress()).signIn(email);
      expect(elsewhere.status).toBe(email.startsWith('stranger') ? 401 : 200);
    }
  });

  test('are counted anew after a whole sign-in', async () => {
    const email = await hire();
    const address = nextAddress();
    for (let round = 0; round < 3; round++) {
      await guess(email, address, 6);
      expect((await browserAt(address).signIn(email)).status).toBe(200);
    }
  });

  test('do not shut out a browser that the person has signed in with, from behind the same network', async () => {
    const email = await hire();
    const address = nextAddress();
    const known = await knownBrowser(email, address);
    await guess(email, address);
    expect((await browserAt(address).signIn(email)).status).toBe(429);
    expect((await known.signIn(email)).status).toBe(200);
  });

  test('from a known browser are limited too, and its cookie serves no other person', async () => {
    const [email, other] = [await hire(), await hire()];
    const known = await knownBrowser(email);
    await guess(other, known.address ?? '');
    expect((await known.signIn(other)).status).toBe(429);
    for (let round = 0; round < 10; round++) expect((await known.signIn(email, WRONG)).status).toBe(401);
    expect((await known.signIn(email)).status).toBe(429);
  });

  test('are not counted apart by a forged cookie, nor by one from before a new password', async () => {
    const email = await hire();
    const known = await knownBrowser(email);
    const [name, value = ''] = (known.headers().get('cookie') ?? '').split(/=(.*)/s);
    const [id, expires, signature = ''] = value.split('.');
    const later = String(Number(expires) + 1);
    const address = nextAddress();
    await guess(email, address);
    for (const forged of [`${id}.${later}.${signature}`, `${'x'.repeat(22)}.${expires}.${signature}`, 'x', '..']) {
      const response = await browserAt(address).post(
        '/sign-in/email',
        { email, password: PASSWORD },
        { cookie: `${name}=${forged}` },
      );
      expect(response.status, forged).toBe(429);
    }
    const { prisma } = switchyard.resources.database;
    const copy = await prisma.staffCredential.findFirstOrThrow({ where: { user: { email: await hire() } } });
    await prisma.staffCredential.updateMany({ where: { user: { email } }, data: { password: copy.password } });
    const cookie = `${name}=${value}`;
    expect((await browserAt(address).post('/sign-in/email', { email, password: PASSWORD }, { cookie })).status).toBe(429);
  });

  test('are counted apart for 90 days from a sign-in, and then as of any browser', async () => {
    const signedInAt = Math.floor(Date.now() / 1_000) * 1_000;
    vi.useFakeTimers({ toFake: ['Date'], now: signedInAt });
    onTestFinished(() => void vi.useRealTimers());
    const email = await hire();
    const address = nextAddress();
    const known = await knownBrowser(email, address);
    const { limits } = switchyard.signIn();
    vi.setSystemTime(signedInAt + 90 * 86_400_000 - 1);
    for (let round = 0; round < 10; round++) await limits.tryPassword({ email, address, device: null });
    expect((await known.signIn(email, WRONG)).status).toBe(401);
    vi.setSystemTime(signedInAt + 90 * 86_400_000);
    expect((await known.signIn(email, WRONG)).status).toBe(429);
  });

  test('from everywhere leave an unknown browser only a right password with a second factor', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const { email, uri } = await withTwoFactor();
    const plain = await hire();
    const known = await knownBrowser(plain);
    for (const person of [email, plain, 'someone@example.com']) await guessFromEverywhere(person);

    const answers = [];
    for (const [person, password] of [
      [plain, PASSWORD],
      [plain, WRONG],
      [email, WRONG],
      ['someone@example.com', PASSWORD],
    ] as const) {
      const browser = browserAt(nextAddress());
      const response = await browser.signIn(person, password);
      answers.push([response.status, await response.text(), await sessionIn(browser)]);
    }
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]?.[0]).toBe(429);
    expect((await known.signIn(plain)).status).toBe(200);

    const phone = browserAt(nextAddress());
    expect(await (await phone.signIn(email)).json()).toMatchObject({ twoFactorRedirect: true });
    expect((await phone.post('/two-factor/verify-totp', { code: oneTimeCode(uri, Date.now()) })).status).toBe(200);
    expect(await sessionIn(phone)).toMatchObject({ email });
  });

  test('that are right count until the second factor was given, so that codes cannot be guessed without end', async () => {
    const { email } = await withTwoFactor();
    const address = nextAddress();
    for (let round = 0; round < 10; round++) expect((await browserAt(address).signIn(email)).status).toBe(200);
    expect((await browserAt(address).signIn(email)).status).toBe(429);
  });

  test('that others try do not keep a person from changing theirs while signed in', async () => {
    const email = await hire();
    const browser = await signedIn(email);
    await guessFromEverywhere(email);
    const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await browser.post('/change-password', change)).status).toBe(200);
    await browser.post('/sign-out', {});
    expect((await browser.signIn(email, change.newPassword)).status).toBe(200);
  });
});

describe('a refused sign-in with a password', () => {
  const WRONG = 'wrong wrong wrong';
  let networks = 0;
  const nextAddress = () => `192.0.2.${++networks}`;
  const browserAt = (address: string | null) => {
    const browser = new Browser(switchyard);
    browser.address = address;
    return browser;
  };
  const staffIdOf = async (email: string) =>
    (await switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { email } })).id;
  /** Entries of the audit log about refusals from an address. */
  const refusalsFrom = async (address: string | null) => {
    const where = { action: 'staff.sign_in_refused', objectType: 'staff', tenantId: NIL_ID, actor: 'system:sign-in-page' };
    const rows = await switchyard.resources.database.prisma.auditEntry.findMany({ where, orderBy: { position: 'asc' } });
    const read = z.object({ reason: z.string(), address: z.string().nullable(), name: z.string().optional() }).strict();
    return rows
      .map(({ objectId, after }) => ({ objectId, ...read.parse(after) }))
      .filter((entry) => entry.address === address)
      .map(({ objectId, reason, name }) => [objectId, reason, ...(name ?? '').split(' ', 1)].filter(Boolean).join(' '));
  };

  test('is in the audit log: who was meant, the address and the reason, and nothing that was entered', async () => {
    const [email, disabled] = [await hire(), await hire()];
    const { prisma } = switchyard.resources.database;
    await prisma.staffUser.update({ where: { email: disabled }, data: { disabledAt: new Date() } });
    const address = nextAddress();
    await browserAt(address).signIn(` ${email.toUpperCase()} `, WRONG);
    await browserAt(address).signIn('my-password-by-mistake@example.com', WRONG);
    await browserAt(address).signIn(disabled);
    await browserAt(address).signIn(email);
    expect(await refusalsFrom(address)).toEqual([
      `${await staffIdOf(email)} invalid_email_or_password`,
      `${NIL_ID} invalid_email_or_password unknown`,
      `${await staffIdOf(disabled)} account_disabled`,
    ]);
  });

  test('that the limit refuses is there too, a hundred an hour from a network, and apart from a known browser', async () => {
    const email = await hire();
    const staffId = await staffIdOf(email);
    const address = nextAddress();
    const known = browserAt(address);
    await known.signIn(email);
    await known.post('/sign-out', {});
    for (let round = 0; round < 12; round++) await browserAt(address).signIn(email, WRONG);
    const [wrong, late] = [`${staffId} invalid_email_or_password`, `${staffId} too_many_tries`];
    expect(await refusalsFrom(address)).toEqual([...Array.from({ length: 10 }, () => wrong), late, late]);
    const { limits } = switchyard.signIn();
    for (let round = 12; round < 100; round++) await limits.mayRecord({ address, device: null });
    await browserAt(address).signIn(email, WRONG);
    expect(await refusalsFrom(address)).toHaveLength(12);
    await known.signIn(email, WRONG);
    expect((await refusalsFrom(address)).slice(12)).toEqual([wrong]);
  });

  test('from an unknown address counts as of one network', async () => {
    const { limits } = switchyard.signIn();
    for (let round = 0; round < 100; round++) await limits.mayRecord({ address: null, device: null });
    const before = await refusalsFrom(null);
    await browserAt(null).signIn('stranger@example.com', WRONG);
    expect(await refusalsFrom(null)).toEqual(before);
  });

  test('by its code is there too: who enters one knows the password', async () => {
    const { email } = await withTwoFactor();
    const address = nextAddress();
    const browser = browserAt(address);
    await browser.post('/two-factor/verify-totp', { code: '000000' });
    await browser.signIn(email);
    await browser.post('/two-factor/verify-totp', { code: '000000' });
    await browser.post('/two-factor/verify-backup-code', { code: 'xxxxx-xxxxx' });
    const staffId = await staffIdOf(email);
    const reasons = ['invalid_code', 'invalid_backup_code'];
    expect(await refusalsFrom(address)).toEqual(reasons.map((reason) => `${staffId} ${reason}`));
  });

  test('takes the same work whether the address belongs to someone', async () => {
    const email = await hire();
    const work = async (written: string) => {
      const address = nextAddress();
      const texts = await statementsDuring(switchyard.resources.database, () => browserAt(address).signIn(written, WRONG));
      // Without the account that is found, and what the process reads now and then.
      return texts.filter((text) => /audit_|staff_sign_in_limit/.test(text));
    };
    const [known, unknown] = [await work(email), await work('stranger@example.com')];
    expect(known.length).toBeGreaterThan(6);
    expect(unknown).toEqual(known);
  });
});

describe('a session', () => {
  const change = async (browser: Browser, data: { updatedAt?: Date; expiresAt?: Date }) => {
    const session = await sessionIn(browser);
    await switchyard.resources.database.prisma.staffSession.update({ where: { id: session?.sessionId ?? '' }, data });
    return session?.sessionId ?? '';
  };
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

  test('ends for good after half an hour without a request, to the millisecond', async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    onTestFinished(() => void vi.useRealTimers());
    const browser = await signedIn(await hire());
    const id = await change(browser, { updatedAt: new Date(now - 1_800_000) });
    expect(await sessionIn(browser)).not.toBeNull();
    await change(browser, { updatedAt: new Date(now - 1_800_001) });
    expect(await sessionIn(browser)).toBeNull();
    expect(await switchyard.resources.database.prisma.staffSession.findUnique({ where: { id } })).toBeNull();
  });

  test('idle for too long is not found by the library either', async () => {
    const browser = await signedIn(await hire());
    await change(browser, { updatedAt: ago(31) });
    expect((await browser.post('/two-factor/enable', { password: PASSWORD })).status).toBe(401);
  });

  test('continues while it is used', async () => {
    const browser = await signedIn(await hire());
    await change(browser, { updatedAt: ago(29) });
    const session = await sessionIn(browser);
    const row = await switchyard.resources.database.prisma.staffSession.findUnique({ where: { id: session?.sessionId ?? '' } });
    expect(Date.now() - (row?.updatedAt.getTime() ?? 0)).toBeLessThan(60_000);
  });

  test('ends at its expiry, regardless of activity', async () => {
    const browser = await signedIn(await hire());
    await change(browser, { expiresAt: ago(1) });
    expect(await sessionIn(browser)).toBeNull();
  });

  test('ends with sign-out, even for a copied cookie', async () => {
    const browser = await signedIn(await hire());
    const stolen = browser.headers();
    expect((await browser.post('/sign-out', {})).status).toBe(200);
    expect(await switchyard.signIn().readSession(stolen)).toBeNull();
  });

  test('cannot be forged', async () => {
    const browser = await signedIn(await hire());
    const cookie = browser.headers().get('cookie') ?? '';
    const [name = '', value = ''] = cookie.split('=');
    const other = value.replace(/^./, (first) => (first === 'x' ? 'y' : 'x'));
    for (const forged of [`${name}=${other}`, `${name}=abc.def`, `${name}=`, 'switchyard.session_token=1']) {
      expect(await switchyard.signIn().readSession(new Headers({ cookie: forged })), forged).toBeNull();
    }
  });
});

describe('the second step', () => {
  // A code is valid for its half minute and the ones beside it: the clock stands still, so that none ends within a test.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
  afterEach(() => void vi.useRealTimers());

  test('is required between password and session, and accepts a code once', async () => {
    const { email, uri } = await withTwoFactor();
    const browser = new Browser(switchyard);
    expect(await (await browser.signIn(email)).json()).toMatchObject({ twoFactorRedirect: true });
    expect(await sessionIn(browser)).toBeNull();
    const code = oneTimeCode(uri, Date.now());
    expect((await browser.post('/two-factor/verify-totp', { code })).status).toBe(200);
    expect(await sessionIn(browser)).toMatchObject({ email, twoFactorEnabled: true });

    const watcher = new Browser(switchyard);
    await watcher.signIn(email);
    expect((await watcher.post('/two-factor/verify-totp', { code })).status).toBe(401);
    expect(await sessionIn(watcher)).toBeNull();
  });

  test('leaves the challenge open after a used code, so that a backup code still works', async () => {
    const { email, uri, backupCodes } = await withTwoFactor();
    const code = oneTimeCode(uri, Date.now());
    const first = new Browser(switchyard);
    await first.signIn(email);
    expect((await first.post('/two-factor/verify-totp', { code })).status).toBe(200);

    const again = new Browser(switchyard);
    await again.signIn(email);
    const refused = await again.post('/two-factor/verify-totp', { code });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: 'INVALID_CODE' });
    expect((await again.post('/two-factor/verify-backup-code', { code: backupCodes[0] ?? '' })).status).toBe(200);
    expect(await sessionIn(again)).toMatchObject({ email });
  });

  test('ends the challenge after five wrong codes', async () => {
    const { email, uri } = await withTwoFactor();
    const browser = new Browser(switchyard);
    await browser.signIn(email);
    for (let wrong = 0; wrong < 5; wrong++)
      expect((await browser.post('/two-factor/verify-totp', { code: '000000' })).status).toBe(401);
    const late = await browser.post('/two-factor/verify-totp', { code: oneTimeCode(uri, Date.now()) });
    expect(late.ok).toBe(false);
    expect(await sessionIn(browser)).toBeNull();
  });

  test('accepts no code for 15 minutes after ten wrong ones in a row', async () => {
    const { email, uri, backupCodes } = await withTwoFactor();
    const challenged = async () => {
      const browser = new Browser(switchyard);
      await browser.signIn(email);
      return browser;
    };
    for (let challenge = 0; challenge < 2; challenge++) {
      const browser = await challenged();
      for (let wrong = 0; wrong < 5; wrong++) await browser.post('/two-factor/verify-totp', { code: '000000' });
    }
    const lockedAt = Date.now();
    for (const at of [lockedAt, lockedAt + 15 * 60_000 - 1]) {
      vi.setSystemTime(at);
      const browser = await challenged();
      expect((await browser.post('/two-factor/verify-totp', { code: oneTimeCode(uri, at) })).status).toBe(429);
      expect((await browser.post('/two-factor/verify-backup-code', { code: backupCodes[0] ?? '' })).status).toBe(429);
    }
    vi.setSystemTime(lockedAt + 15 * 60_000);
    const browser = await challenged();
    expect((await browser.post('/two-factor/verify-totp', { code: oneTimeCode(uri, Date.now()) })).status).toBe(200);
  });

  test('accepts a backup code once', async () => {
    const { email, backupCodes } = await withTwoFactor();
    const code = backupCodes[0] ?? '';
    for (const expected of [200, 401]) {
      const browser = new Browser(switchyard);
      await browser.signIn(email);
      expect((await browser.post('/two-factor/verify-backup-code', { code })).status).toBe(expected);
    }
  });

  test('is never skipped for a device', async () => {
    const { email, backupCodes } = await withTwoFactor();
    const browser = new Browser(switchyard);
    await browser.signIn(email);
    await browser.post('/two-factor/verify-backup-code', { code: backupCodes[1] ?? '', trustDevice: true });
    expect(await (await browser.signIn(email)).json()).toMatchObject({ twoFactorRedirect: true });
  });
});

describe('the auth routes', () => {
  test.each([
    '/sign-up/email',
    '/update-user',
    '/change-email',
    '/delete-user',
    '/sign-in/social',
    '/request-password-reset',
    '/ok',
    '/',
  ])('do not exist at %s', async (path) => {
    const response = await new Browser(switchyard).post(path, { email: 'new@example.com', password: PASSWORD, name: 'New' });
    expect(response.status).toBe(404);
  });

  test.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['from an opaque origin', { origin: 'null' }],
    ['from a sibling site', { origin: 'http://blog.switchyard.test', 'sec-fetch-site': 'same-site' }],
    ['without an origin', { origin: '' }],
  ])('refuses a request %s', async (_, headers) => {
    const email = await hire();
    const response = await new Browser(switchyard).post('/sign-in/email', { email, password: PASSWORD }, headers);
    expect(response.status).toBe(403);
  });

  test('refuse forms and malformed bodies', async () => {
    const headers = new Headers({ origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' });
    const form = new Request(`${ORIGIN}/api/auth/sign-in/email`, { method: 'POST', headers, body: 'email=a&password=b' });
    expect((await handleAuth(switchyard, form)).status).toBe(415);
    expect((await new Browser(switchyard).post('/sign-in/email', { email: 'x'.repeat(9_000) })).status).toBe(413);
    expect((await new Browser(switchyard).post('/sign-in/email', [1])).status).toBe(400);
  });
});
