import type { Page } from '@playwright/test';
import { z } from 'zod';
import { expectAccessible } from './fixtures/overlays.ts';
import { addStaffUser, call, openBrowser, signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, test } from './fixtures/test.ts';

interface Scope {
  readonly merchantId: string;
  readonly mode: 'test';
}

/** Creates a merchant that no other journey uses, with an account that rules can name. */
async function createMerchant(owner: Page, name: string): Promise<{ readonly scope: Scope; readonly accountId: string }> {
  const created = z.object({ merchant: z.object({ merchantId: z.uuid() }) });
  const { merchant } = await call(owner, 'merchants.create', { name }, created);
  const scope = { merchantId: merchant.merchantId, mode: 'test' } as const;
  const account = {
    gateway: 'paystack',
    label: 'paystack-main',
    enabled: true,
    credentials: { secretKey: 'sk_test_0123456789abcdef0123456789abcdef01234567' },
    currencies: ['NGN'],
    methods: ['CARD'],
    minAmount: 50,
    maxAmount: null,
    fees: null,
    baseUrl: null,
  };
  const connected = z.object({ account: z.object({ id: z.uuid() }) });
  const reply = await call(owner, 'gateways.connect', { ...scope, ...account }, connected);
  return { scope, accountId: reply.account.id };
}

/** Switches off all other owners and operators: other journeys invite people for all merchants. */
async function switchOffOtherApprovers(owner: Page): Promise<void> {
  const person = z.object({
    staffId: z.uuid(),
    email: z.string(),
    disabledAt: z.unknown(),
    roles: z.array(z.object({ role: z.string() })),
  });
  const response = await owner.request.get('/api/trpc/team.list');
  const reply = z.object({ result: z.object({ data: z.object({ json: z.object({ people: z.array(person) }) }) }) });
  const { people } = reply.parse(await response.json()).result.data.json;
  for (const { staffId, email, disabledAt, roles } of people) {
    const approves = disabledAt === null && roles.some(({ role }) => role === 'owner' || role === 'operator');
    if (approves && email !== demo.staffEmail) await call(owner, 'team.setDisabled', { staffId, disabled: true }, z.unknown());
  }
}

/** Creates a draft with one rule. */
async function writeDraft(owner: Page, scope: Scope, accountId: string, name: string): Promise<string> {
  const draft = z.object({ draft: z.object({ draftId: z.uuid(), revision: z.number() }) });
  const { draft: created } = await call(owner, 'routing.drafts.create', { ...scope, from: { kind: 'empty' }, name }, draft);
  const when = { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to: 5_000 } };
  const then = { strategy: 'priority', accounts: [accountId] };
  const document = { rules: [{ ruleId: 'cards', name: 'Small cards', enabled: true, when, then }], defaultOrder: [accountId] };
  await call(owner, 'routing.drafts.save', { merchantId: scope.merchantId, ...created, document }, draft);
  return created.draftId;
}

test('staff require a second person for rules, answer each request in one click, and can still publish when that person leaves', async ({
  page,
  browser,
}) => {
  const name = `Second Person Stores ${Date.now()}`;
  await signInAsOwner(page);
  await switchOffOtherApprovers(page);
  const { scope, accountId } = await createMerchant(page, name);
  const address = (path: string) => `${path}?mode=test&merchant=${scope.merchantId}`;
  const ask = page.getByRole('button', { name: 'Require a second person' });
  const letOne = page.getByRole('button', { name: 'Let one person publish' });
  const messages = page.getByRole('region', { name: 'Messages' });
  const dialog = page.getByRole('dialog');

  // With one person, the button is disabled and the page gives the reason.
  await page.goto(address('/routing'));
  await expect(ask).toBeDisabled();
  await expect(ask).toHaveAccessibleDescription(/You are the only person who can publish rules/);
  await expectAccessible(page);

  // With two people, a dialog names the consequence, and no Undo is offered: undoing it takes both.
  const otherPage = await openBrowser(browser);
  const invitee = await addStaffUser(page, otherPage, 'operator');
  await page.goto(address('/routing'));
  await ask.click();
  await expect(dialog).toContainText(invitee.name);
  await expect(dialog).toContainText('two people have to agree to let one person publish again');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('One person can publish rules.')).toBeVisible();
  await ask.click();
  await dialog.getByRole('button', { name: 'Require a second person' }).click();
  await expect(messages).toContainText(`A second person has to approve rules of ${name}.`);
  await expect(messages.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(page.getByText('A second person has to approve rules before they are published.')).toBeVisible();

  // The other person sees the requester and the changes, and declines or approves in one click.
  const draftId = await writeDraft(page, scope, accountId, 'Small cards first');
  await page.goto(`${address(`/routing/drafts/${draftId}`)}&tab=publish`);
  await page.getByRole('button', { name: 'Request approval' }).click();
  await expect(page.getByText(`${invitee.name} can approve it`)).toBeVisible();
  await otherPage.goto(address('/overview'));
  const asked = /requested your approval of the rules "Small cards first"/;
  await otherPage
    .getByRole('listitem')
    .filter({ hasText: asked })
    .getByRole('link', { name: /Review changes/ })
    .click();
  const request = otherPage.getByRole('region', { name: 'Approval of Small cards first' });
  await expect(request).toContainText('Changes: 1 rule new');
  await expect(request).toContainText('Small cards');
  await expectAccessible(otherPage);
  await request.getByRole('button', { name: 'Decline' }).click();
  await expect(request).toBeHidden();
  await page.reload();
  await expect(page.getByText(`${invitee.name} declined it`)).toBeVisible();
  await page.getByRole('button', { name: 'Request approval' }).click();
  await expect(page.getByText(`${invitee.name} can approve it`)).toBeVisible();
  await otherPage.reload();
  await request.getByRole('button', { name: 'Approve' }).click();
  await expect(request).toBeHidden();
  await page.reload();
  await expect(page.getByText(`Approved by ${invitee.name}`)).toBeVisible();
  await page.getByLabel('Reason').fill('Approved by a second person.');
  await expect(page.getByRole('button', { name: 'Publish version 1' })).toBeEnabled();

  // Letting one person publish takes both people: a request is reported as a request and not as a change.
  await page.goto(address('/routing'));
  await letOne.click();
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(messages).toContainText('Request sent.');
  await expect(messages).not.toContainText('published without');
  await expect(page.getByText('A second person has to approve rules before they are published.')).toBeVisible();
  await expect(page.getByText('to let one person publish.')).toBeVisible();
  await expectAccessible(page);
  await otherPage.goto(address('/overview'));
  const waived = /requested that one person can publish rules/;
  await otherPage
    .getByRole('listitem')
    .filter({ hasText: waived })
    .getByRole('link', { name: /Review:/ })
    .click();
  await expect(otherPage.getByText(waived)).toBeVisible();
  await expectAccessible(otherPage);
  await otherPage.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(otherPage.getByText(waived)).toBeHidden();
  await page.reload();
  await letOne.click();
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(messages).toContainText('Request sent.');
  await otherPage.reload();
  await otherPage.getByRole('button', { name: 'Agree' }).click();
  const theirMessages = otherPage.getByRole('region', { name: 'Messages' });
  await expect(theirMessages).toContainText(`Rules of ${name} are published without a second person.`);
  await theirMessages.getByRole('button', { name: 'Undo' }).click();
  await expect(otherPage.getByText('A second person has to approve rules before they are published.')).toBeVisible();

  // The other person is switched off: the team page warns of it, and the remaining person can publish alone.
  await page.goto(`/team?mode=test&q=${encodeURIComponent(invitee.email)}`);
  await page.getByRole('button', { name: invitee.name }).click();
  await expect(page.getByText(`Rules of ${name} need a second person`)).toBeVisible();
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await expect(dialog).toContainText(name);
  await dialog.getByRole('button', { name: `Disable ${invitee.name}` }).click();
  await expect(messages).toContainText('can no longer sign in');
  await page.goto(address('/overview'));
  await page.getByRole('link', { name: /View options: Rules cannot be published/ }).click();
  await expect(page.getByText('No one else can approve rules')).toBeVisible();
  await expectAccessible(page);
  await letOne.click();
  await dialog.getByRole('button', { name: 'Let one person publish' }).click();
  await expect(messages).toContainText(`Rules of ${name} are published without a second person.`);
  await expect(messages.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(page.getByText('One person can publish rules.')).toBeVisible();
});
