import { NIL_ID } from '@switchyard/db';
import { type Mailbox, openMailbox } from '@switchyard/runtime/testing';
import { inviteStaff } from '@switchyard/staff/invitations';
import { makeResetLink } from '@switchyard/staff/links';
import { requireTwoFactor, setStaffDisabled } from '@switchyard/staff/users';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Switchyard } from '../process.ts';
import { Browser, createStaffWithGrants, ORIGIN, oneTimeCode, openTestSwitchyard, PASSWORD } from '../testing/switchyard.ts';
import { createCallerFactory } from '../trpc/procedure.ts';
import { appRouter } from '../trpc/router.ts';

const merchantScope = { everywhere: true, merchantIds: [] };
const actor = 'system:test';
const NEW_PASSWORD = 'another horse battery';
let switchyard: Switchyard;
let close: () => Promise<void>;
let people = 0;

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
});
afterAll(() => close());

const nextEmail = () => `guest-${++people}@example.com`;
const hire = (grants: Parameters<typeof createStaffWithGrants>[2] = [{ merchantId: null, role: 'viewer' }]) =>
  createStaffWithGrants(switchyard, nextEmail(), grants);
const sessionIn = (browser: Browser) => switchyard.signIn().readSession(browser.headers());
const lastAudit = () =>
  switchyard.resources.database.prisma.auditEntry.findFirst({ where: { tenantId: NIL_ID }, orderBy: { position: 'desc' } });

async function idOf(email: string): Promise<string> {
  return (await switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { email } })).id;
}

async function signedIn(email: string, password = PASSWORD): Promise<Browser> {
  const browser = new Browser(switchyard);
  const response = await browser.signIn(email, password);
  if (!response.ok) throw new Error(`sign-in failed: ${response.status}`);
  return browser;
}

async function invitation(twoFactorRequired = false) {
  const command = { email: nextEmail(), name: 'Ngozi Eze', twoFactorRequired, merchantScope, actor };
  const outcome = await inviteStaff(switchyard, { ...command, grants: [{ merchantId: null, role: 'operator' }] });
  if (outcome.kind !== 'invited') throw new Error(outcome.kind);
  return { email: outcome.email, token: outcome.link.token };
}

describe('an invitation link', () => {
  test('can be described without being used, and works once, with a new password', async () => {
    const { email, token } = await invitation();
    const browser = new Browser(switchyard);
    for (const _ of [1, 2])
      expect(await (await browser.post('/link/look', { token })).json()).toMatchObject({ kind: 'invitation', email });
    const short = await browser.post('/link/accept', { token, name: 'Ngozi', password: 'short' });
    expect([short.status, (await short.json()).code]).toEqual([400, 'INVALID_PASSWORD']);
    expect((await browser.post('/link/accept', { token, name: ' ', password: NEW_PASSWORD })).status).toBe(400);
    expect((await browser.post('/link/accept', { token, name: 'Ngozi', password: NEW_PASSWORD })).status).toBe(200);
    expect((await browser.post('/link/accept', { token, name: 'Eve', password: NEW_PASSWORD })).status).toBe(410);
    expect(await sessionIn(await signedIn(email, NEW_PASSWORD))).toMatchObject({ name: 'Ngozi', grants: [{ role: 'operator' }] });
  });

  test('is refused from another origin, and never read from a URL', async () => {
    const { token } = await invitation();
    const browser = new Browser(switchyard);
    expect((await browser.post('/link/accept', { token }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await browser.post('/link/reset', { token, password: NEW_PASSWORD })).status).toBe(410);
  });
});

describe('a reset link', () => {
  test('sets the password, ends every session, and leaves the second step unchanged', async () => {
    const email = await hire();
    const browser = await signedIn(email);
    const made = await makeResetLink(switchyard, { staffId: await idOf(email), merchantScope, actor });
    if (made.kind !== 'made') throw new Error(made.kind);
    const stranger = new Browser(switchyard);
    expect((await stranger.post('/link/reset', { token: made.link.token, password: NEW_PASSWORD })).status).toBe(200);
    expect(await sessionIn(browser)).toBeNull();
    expect((await new Browser(switchyard).signIn(email)).status).toBe(401);
    expect(await sessionIn(await signedIn(email, NEW_PASSWORD))).not.toBeNull();
  });

  test('is not created without e-mail configuration, with the same response for every address', async () => {
    const before = await switchyard.resources.database.prisma.staffLink.count();
    const answers = [];
    for (const email of [await hire(), 'nobody@example.com']) {
      const response = await new Browser(switchyard).post('/link/request-reset', { email });
      answers.push([response.status, await response.text()]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toEqual([200, '{"byEmail":false}']);
    expect(await switchyard.resources.database.prisma.staffLink.count()).toBe(before);
  });
});

describe('with e-mail configured', () => {
  let box: Mailbox;
  let other: Awaited<ReturnType<typeof openTestSwitchyard>>;
  beforeAll(async () => {
    box = await openMailbox();
    const mail = { SWITCHYARD_SMTP_URL: box.url, SWITCHYARD_MAIL_FROM: 'Switchyard <switchyard@example.com>' };
    other = await openTestSwitchyard(ORIGIN, mail);
  });
  afterEach(() => void box.emails.splice(0));
  afterAll(async () => {
    await other.close();
    await box.close();
  });

  const ask = async (email: string) => {
    const response = await new Browser(other.switchyard).post('/link/request-reset', { email });
    return [response.status, await response.text()];
  };

  test('a link is sent to staff users only, and the response does not reveal who they are', async () => {
    const email = await createStaffWithGrants(other.switchyard, 'ada@example.com', []);
    expect(await ask('nobody@example.com')).toEqual(await ask(email));
    await expect.poll(() => box.emails.length).toBe(1);
    const [mail = ''] = box.emails;
    expect(mail).toMatch(/^To: ada@example\.com$/m);
    const [, token] = /reset-password#([\w-]{43})/.exec(mail.replace(/=\n/g, '')) ?? [];
    const reset = await new Browser(other.switchyard).post('/link/reset', { token, password: NEW_PASSWORD });
    expect(reset.status).toBe(200);
  });

  test('at most three e-mails an hour go to one address, and the response stays the same', async () => {
    const email = await createStaffWithGrants(other.switchyard, 'bola@example.com', []);
    const answers = [];
    for (let round = 0; round < 5; round++) answers.push(await ask(email));
    expect(new Set(answers.map(String)).size).toBe(1);
    await expect.poll(() => box.emails.length).toBe(3);
    expect(await other.switchyard.resources.database.prisma.staffLink.count({ where: { email } })).toBe(3);
  });
});

describe('a disabled staff user', () => {
  test('is signed out at once and refused, with the reason only for the right password', async () => {
    const email = await hire();
    const browser = await signedIn(email);
    await setStaffDisabled(switchyard, { staffId: await idOf(email), disabled: true, merchantScope, actor });
    expect(await sessionIn(browser)).toBeNull();
    const right = await new Browser(switchyard).signIn(email);
    expect([right.status, (await right.json()).code]).toEqual([403, 'ACCOUNT_DISABLED']);
    expect((await new Browser(switchyard).signIn(email, 'not the password at all')).status).toBe(401);
  });

  test('is refused even with a leftover session', async () => {
    const email = await hire();
    const browser = await signedIn(email);
    const { prisma } = switchyard.resources.database;
    await prisma.staffUser.update({ where: { email }, data: { disabledAt: new Date() } });
    expect(await sessionIn(browser)).toBeNull();
  });
});

describe('a required second step', () => {
  // A code is valid for its half minute and the ones beside it: the clock stands still, so that none ends within a test.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
  afterEach(() => void vi.useRealTimers());

  async function enrol(browser: Browser): Promise<string> {
    const enabled = await (await browser.post('/two-factor/enable', { password: PASSWORD })).json();
    const uri = String(enabled.totpURI);
    const confirmed = await browser.post('/two-factor/verify-totp', { code: oneTimeCode(uri, Date.now() - 30_000) });
    if (!confirmed.ok) throw new Error(`two-factor was not switched on: ${confirmed.status}`);
    return uri;
  }

  test('allows nothing before it is set up, and everything after', async () => {
    const email = await hire([{ merchantId: null, role: 'owner' }]);
    const browser = await signedIn(email);
    await requireTwoFactor(switchyard, { staffId: await idOf(email), required: true, merchantScope, actor });
    const session = await sessionIn(browser);
    expect(session).toMatchObject({ mustSetUpTwoFactor: true, grants: [] });
    const caller = createCallerFactory(appRouter)({ switchyard, session });
    await expect(caller.payments.list({ mode: 'test' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await enrol(browser);
    expect(await sessionIn(browser)).toMatchObject({ mustSetUpTwoFactor: false, grants: [{ role: 'owner' }] });
    expect(await lastAudit()).toMatchObject({ action: 'staff.two_factor_enabled', actor: `staff:${session?.staffId}` });
    const off = await browser.post('/two-factor/disable', { password: PASSWORD });
    expect([off.status, (await off.json()).code]).toEqual([403, 'TWO_FACTOR_REQUIRED']);
  });

  type Team = ReturnType<typeof appRouter.createCaller>['team'];
  const kept = async (_: Team, link: { readonly address: string }) => link.address;
  test.each<[string, (team: Team, link: { readonly linkId: string; readonly address: string }) => Promise<string>]>([
    ['made', kept],
    ['renewed', async (team, { linkId }) => (await team.renewInvitation({ linkId })).address],
    [
      'withdrawn and restored',
      async (team, { linkId, address }) => {
        await team.withdrawInvitation({ linkId });
        await team.restoreInvitation({ linkId });
        return address;
      },
    ],
  ])('is what an invitation asks for, as it was %s, and nothing where it asks for none', async (_what, change) => {
    for (const twoFactorRequired of [true, false]) {
      const owner = await signedIn(await hire([{ merchantId: null, role: 'owner' }]));
      const { team } = createCallerFactory(appRouter)({ switchyard, session: await sessionIn(owner) });
      const email = nextEmail();
      const invited = await team.invite({
        email,
        name: 'Ngozi',
        grants: [{ merchantId: null, role: 'viewer' }],
        twoFactorRequired,
      });
      if (invited.kind !== 'invited') throw new Error(invited.kind);
      const token = (await change(team, invited)).split(/[#?=]/).at(-1);
      const guest = new Browser(switchyard);
      expect(await (await guest.post('/link/look', { token })).json()).toMatchObject({ twoFactorRequired });
      expect((await guest.post('/link/accept', { token, name: 'Ngozi', password: PASSWORD })).status).toBe(200);
      const browser = await signedIn(email);
      const grants = twoFactorRequired ? [] : [{ role: 'viewer' }];
      expect(await sessionIn(browser)).toMatchObject({ mustSetUpTwoFactor: twoFactorRequired, grants });
      if (!twoFactorRequired) continue;
      const caller = createCallerFactory(appRouter)({ switchyard, session: await sessionIn(browser) });
      await expect(caller.payments.list({ mode: 'test' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await enrol(browser);
      expect(await sessionIn(browser)).toMatchObject({ mustSetUpTwoFactor: false, grants: [{ role: 'viewer' }] });
      const off = await browser.post('/two-factor/disable', { password: PASSWORD });
      expect((await off.json()).code).toBe('TWO_FACTOR_REQUIRED');
    }
  });

  test('is not turned on when its audit row cannot be written', async () => {
    const email = await hire();
    const browser = await signedIn(email);
    const { pool, prisma } = switchyard.resources.database;
    await pool.query('ALTER TABLE audit_entry ADD CONSTRAINT closed CHECK (false) NOT VALID');
    await expect(enrol(browser)).rejects.toThrow();
    await pool.query('ALTER TABLE audit_entry DROP CONSTRAINT closed');
    expect(await prisma.staffUser.findUnique({ where: { email } })).toMatchObject({ twoFactorEnabled: false });
  });
});

test('a new password ends every other session, and wrong entries of the current one are counted', async () => {
  const email = await hire();
  const here = await signedIn(email);
  const elsewhere = await signedIn(email);
  const change = (currentPassword: string) => here.post('/change-password', { currentPassword, newPassword: NEW_PASSWORD });
  expect((await change('wrong wrong wrong')).status).toBe(400);
  expect((await change(PASSWORD)).status).toBe(200);
  expect(await sessionIn(elsewhere)).toBeNull();
  expect(await sessionIn(here)).not.toBeNull();
  expect(await lastAudit()).toMatchObject({ action: 'staff.password_changed' });
  for (let round = 0; round < 10; round++) await change('wrong wrong wrong');
  expect((await change(NEW_PASSWORD)).status).toBe(429);
});
