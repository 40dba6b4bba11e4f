import type { Browser, Locator, Page } from '@playwright/test';
import { z } from 'zod';
import { expectAccessible } from './fixtures/overlays.ts';
import {
  addStaffUser,
  call,
  merchantOf,
  nextOneTimeCode,
  oneTimeCode,
  openBrowser,
  PASSWORD,
  read,
  signInAsOwner,
} from './fixtures/staff.ts';
import { demo, expect, faultyMerchant, test } from './fixtures/test.ts';

/* One of the last journeys with payments, by its name: other merchants learn from the outage, and their accounts serve few payments for a while. */

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const TAPS_MAX = 3;
const TARGET_MIN_PX = 44;
/** In the title of an outage, of one account or of several. */
const OUTAGE = /Correlated outage at Paystack|Paystack[^"]* (?:down|degraded)/;

/** A phone that counts what is tapped. Typing on its keyboard is no tap; its key to submit is not used. */
interface Phone {
  readonly page: Page;
  /** Taps, since the count began. The target must be large enough for a thumb. */
  taps(): number;
  begin(): void;
  tap(target: Locator): Promise<void>;
}

async function openPhone(browser: Browser): Promise<Phone> {
  const page = await openBrowser(browser, PHONE);
  let taps = 0;
  return {
    page,
    taps: () => taps,
    begin() {
      taps = 0;
    },
    async tap(target) {
      const box = await target.boundingBox();
      expect(box?.height, `height of ${target}`).toBeGreaterThanOrEqual(TARGET_MIN_PX);
      await target.tap();
      taps += 1;
    },
  };
}

/** The address in the message about Paystack's outage, as the sandbox's Slack received it. */
async function linkFrom(owner: Page): Promise<string> {
  const answer = await owner.request.get(`${demo.sandboxUrl}/control/messages`);
  const schema = z.object({ messages: z.array(z.object({ service: z.string(), body: z.string() })) });
  const { messages } = schema.parse(await answer.json());
  const bodies = messages.filter(({ service, body }) => service === 'slack' && OUTAGE.test(body));
  const [link] = bodies.flatMap(({ body }) => body.match(/http[^"\\\s]+\/alerts\/[0-9a-f-]{36}\?[^"\\\s]*/) ?? []);
  return link ?? '';
}

/** Status checks that failed at the merchant's account at Paystack, in the window that its health is judged by. */
async function statusChecksFailed(owner: Page, merchantId: string): Promise<number> {
  const health = z.array(z.object({ lookups: z.object({ failed: z.number() }) }));
  const schema = z.object({ accounts: z.array(z.object({ gateway: z.string(), health })) });
  const { accounts } = await read(owner, 'health.overview', { merchantId, mode: 'test' }, schema);
  const atPaystack = accounts.filter(({ gateway }) => gateway === 'paystack').flatMap((account) => account.health);
  return Math.max(0, ...atPaystack.map(({ lookups }) => lookups.failed));
}

/**
 * Lets accounts of the merchant be probed soon after they went down. Each outage within minutes of the one before doubles that pause, and
 * earlier journeys had theirs.
 */
async function shortenPauses(owner: Page, merchantId: string): Promise<void> {
  const scope = { merchantId, mode: 'test' };
  const { revision } = await read(owner, 'health.thresholds', scope, z.object({ revision: z.int() }));
  const thresholds = { restMs: 15_000, restMaxMs: 15_000 };
  const outcome = z.object({ kind: z.enum(['changed', 'unchanged']) });
  await call(owner, 'health.changeThresholds', { ...scope, thresholds, revision }, outcome);
}

/** Accounts that are down, on the page that the link leads to, without another tap. */
async function expectToSeeWhatIsDown({ page }: Phone): Promise<void> {
  await expect(page).toHaveURL(/\/alerts\/[0-9a-f-]{36}/);
  await expect(page.getByRole('list', { name: 'Accounts now' })).toContainText('paystack-main');
  await expect(page.getByRole('list', { name: 'Accounts now' })).toContainText(/Down|Probing/);
  await expect(page.getByRole('list', { name: 'Accounts now' })).toBeInViewport();
}

async function expectToReadIt({ page }: Phone): Promise<void> {
  const story = page.getByRole('region', { name: 'Timeline' });
  await story.scrollIntoViewIfNeeded();
  await expect(story).toContainText('Incident opened');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.viewport.width);
}

async function drain(phone: Phone): Promise<void> {
  const { page } = phone;
  await phone.tap(page.getByRole('button', { name: /^Drain paystack-main/ }).first());
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Reason')).toHaveValue('Gateway outage');
  await phone.tap(dialog.getByRole('button', { name: 'Drain paystack-main' }));
  await expect(page.getByRole('list', { name: 'Accounts now' })).toContainText('Drained');
}

test('an alert’s link shows at night what is down, drains it and shows its story in three taps, signed in or not', async ({
  page: owner,
  browser,
  gateways,
}, testInfo) => {
  await signInAsOwner(owner);
  const target = { kind: 'slack', url: `${demo.sandboxUrl}/messages/slack` };
  const settings = { name: `Night ${Date.now()}`, modes: ['test'], groupSeconds: 0 };
  const channel = z.looseObject({ kind: z.literal('created') });
  await call(owner, 'alerts.createChannel', { merchantId: null, target, settings }, channel);
  await owner.request.post(`${demo.sandboxUrl}/messages/clear`);

  const { payment } = await faultyMerchant.initiate({ paymentMethod: 'card', requestedGateway: 'paystack' });
  const merchantId = await merchantOf(owner, payment.paymentId);
  await shortenPauses(owner, merchantId);
  const failedBefore = await statusChecksFailed(owner, merchantId);
  await gateways.setFault('paystack', 'down');
  for (let n = 0; n < 14; n++) await faultyMerchant.initiate({ paymentMethod: 'card', requestedGateway: 'paystack' });
  await expect.poll(() => linkFrom(owner), { timeout: 60_000, intervals: [3_000] }).not.toBe('');
  const link = await linkFrom(owner);

  // Signed in.
  const phone = await openPhone(browser);
  await signInAsOwner(phone.page);
  await phone.page.goto(link);
  await expectToSeeWhatIsDown(phone);
  await expectAccessible(phone.page);
  await phone.page.screenshot({ path: testInfo.outputPath('incident-390.png') });
  await expectToReadIt(phone);
  expect(phone.taps()).toBe(0);
  await drain(phone);
  expect(phone.taps()).toBeLessThanOrEqual(TAPS_MAX);
  await phone.page.screenshot({ path: testInfo.outputPath('drained-390.png') });
  phone.begin();
  await phone.tap(phone.page.getByRole('button', { name: /^End drain of paystack-main/ }).first());
  await expect(phone.page.getByRole('list', { name: 'Accounts now' })).not.toContainText('Drained');

  // Through sign-in, with a second factor, and back to the incident.
  const other = await openPhone(browser);
  const { email } = await addStaffUser(owner, other.page, 'operator');
  await other.page.goto('/account?mode=test');
  await other.page.getByRole('button', { name: 'Set up two-factor sign-in' }).click();
  await other.page.getByLabel('Your password').fill(PASSWORD);
  await other.page.getByRole('button', { name: 'Continue' }).click();
  const key = (await other.page.getByRole('button', { name: /Copy the key/ }).textContent())?.trim() ?? '';
  await other.page.getByLabel('The six digits the app shows').fill(oneTimeCode(key, Date.now()));
  await other.page.getByRole('button', { name: 'Turn on' }).click();
  await expect(other.page.getByRole('list', { name: 'Backup codes' })).toBeVisible();
  await other.page.context().clearCookies();

  other.begin();
  await other.page.goto(link);
  await other.page.getByLabel('E-mail address').fill(email);
  await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.tap(other.page.getByRole('button', { name: 'Sign in', exact: true }));
  // The code is sent with its sixth digit.
  await other.page.getByLabel('Six-digit code').fill(nextOneTimeCode(key));
  await expectToSeeWhatIsDown(other);
  await expectToReadIt(other);
  expect(other.taps()).toBe(1);
  await drain(other);
  expect(other.taps()).toBeLessThanOrEqual(TAPS_MAX);

  // Status checks prove the end of a fault that three of them saw. The gateway is well again: the incident says so, and one tap puts the account back.
  await expect.poll(() => statusChecksFailed(owner, merchantId), { timeout: 90_000 }).toBeGreaterThanOrEqual(failedBefore + 3);
  await gateways.heal('paystack');
  const putBack = other.page.getByRole('button', { name: /^Put back paystack-main/ });
  await expect(putBack).toBeVisible({ timeout: 120_000 });
  await other.page.screenshot({ path: testInfo.outputPath('put-back-390.png') });
  other.begin();
  await other.tap(putBack);
  await expect(putBack).toHaveCount(0);
  expect(other.taps()).toBe(1);
});
