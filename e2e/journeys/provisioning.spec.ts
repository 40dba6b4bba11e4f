import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openTestProvider } from '@switchyard/staff/testing';
import { choose, expectToArrive, openBrowser, signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, test } from './fixtures/test.ts';

const { SCREENSHOTS } = process.env;

async function shoot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

test('a directory provisions a person, whose group gives them a role, and whose deactivation ends their session', async ({
  page,
  browser,
}) => {
  const idp = await openTestProvider(`${demo.webUrl}/api/auth/sso/callback`);
  const number = Date.now();
  const name = `Directory ${number}`;
  const email = `ngozi-${number}@example.com`;
  idp.accounts.set('ngozi', { email, email_verified: true, name: 'Ngozi Eze' });
  try {
    await signInAsOwner(page);
    await page.goto('/team?mode=test');
    await page.getByRole('button', { name: 'Add provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Issuer', { exact: true }).fill(idp.issuer);
    await dialog.getByLabel('Client ID', { exact: true }).fill(idp.clientId);
    await dialog.getByLabel('Client secret', { exact: true }).fill(idp.clientSecret);
    await dialog.getByLabel('E-mail domains', { exact: true }).fill('example.com');
    const rows = dialog.getByRole('group', { name: 'Roles of groups' });
    await rows.getByRole('button', { name: 'Add a group' }).click();
    await rows.getByLabel('Group 1', { exact: true }).fill('Finance');
    await choose(rows.getByRole('combobox', { name: /^Role of group 1/ }), 'Finance');
    await dialog.getByRole('button', { name: 'Add provider' }).click();
    await page.getByRole('button', { name: `Create a token for ${name}` }).click();
    const token =
      (await page
        .getByRole('dialog')
        .getByText(/^scim_/)
        .textContent()) ?? '';
    await shoot(page, 'provisioning-1-token');

    const scim = async (method: string, path: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
      const response = await fetch(`${demo.webUrl}/scim/v2${path}`, { method, headers, body: JSON.stringify(body) });
      expect(response.status, await response.clone().text()).toBeLessThan(300);
      const answer: { readonly id: string } = await response.json();
      return answer.id;
    };
    const user = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
      displayName: 'Ngozi Eze',
      active: true,
    };
    const id = await scim('POST', '/Users', { ...user, emails: [{ value: email, primary: true }] });
    const group = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Finance' };
    await scim('POST', '/Groups', { ...group, members: [{ value: id }] });

    const person = await openBrowser(browser);
    await person.goto('/sign-in?next=%2Fsettlements');
    await person.getByRole('button', { name: `Sign in with ${name}` }).click();
    await person.getByRole('button', { name: 'Ngozi Eze' }).click();
    await expectToArrive(person, /\/settlements/);
    await shoot(person, 'provisioning-2-signed-in');
    // Rows far down are drawn once they are scrolled to: all journeys invite people.
    await page.goto(`/team?mode=test&q=${encodeURIComponent(email)}`);
    await expect(page.getByText('Ngozi Eze').first()).toBeVisible();
    await shoot(page, 'provisioning-3-team');

    const began = performance.now();
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    await scim('PATCH', `/Users/${id}`, { schemas, Operations: [{ op: 'replace', value: { active: false } }] });
    const refused = await person.request.get('/api/trpc/team.list');
    expect(refused.status()).toBe(401);
    test.info().annotations.push({ type: 'deactivated after', description: `${Math.round(performance.now() - began)} ms` });
    await person.goto('/settlements?mode=test');
    await expectToArrive(person, /\/sign-in/);
    await shoot(person, 'provisioning-4-ended');
    await person.getByRole('button', { name: `Sign in with ${name}` }).click();
    await expect(person.getByText('This account is disabled.')).toBeVisible();
    await shoot(person, 'provisioning-5-refused');

    await page.goto('/team?mode=test');
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await expect(page.getByText('was removed, with the roles that its groups gave.')).toBeVisible();
  } finally {
    await idp.close();
  }
});
