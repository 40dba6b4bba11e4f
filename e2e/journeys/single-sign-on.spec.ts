import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { openTestProvider, openTestSamlProvider } from '@switchyard/staff/testing';
import { expectAccessible } from './fixtures/overlays.ts';
import { choose, expectToArrive, openBrowser, signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, MAIN, test } from './fixtures/test.ts';

const { SCREENSHOTS } = process.env;
const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/single-sign-on.md'), 'utf8');
/** The fields of a section of docs/single-sign-on.md, in its order: the rows of its first table. */
function fieldsOf(section: string): string[] {
  const [, table = ''] = DOCUMENT.split(`\n## ${section}\n`)[1]?.split('|---|---|\n') ?? [];
  const [rows = ''] = table.split('\n\n');
  return [...rows.matchAll(/^\| \*\*([^*]+)\*\* \|/gm)].map(([, name = '']) => name);
}

async function shoot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

test('an owner sets up a provider by the document, and its groups decide who signs in and with which role', {
  tag: MAIN,
}, async ({ page, browser }) => {
  const idp = await openTestProvider(`${demo.webUrl}/api/auth/sso/callback`);
  const number = Date.now();
  const name = `Provider ${number}`;
  idp.accounts.set('bola', { email: `bola-${number}@example.com`, email_verified: true, name: 'Bola Ade', groups: ['Finance'] });
  idp.accounts.set('chi', { email: `chi-${number}@example.com`, email_verified: true, name: 'Chi Obi', groups: ['Kitchen'] });
  try {
    await signInAsOwner(page);
    await page.goto('/team?mode=test');
    await page.getByRole('button', { name: 'Add provider' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(`${demo.webUrl}/api/auth/sso/callback`)).toBeVisible();
    const steps: Readonly<Record<string, (label: string) => Promise<void>>> = {
      Name: fill(dialog, name),
      Issuer: fill(dialog, `${idp.issuer}/.well-known/openid-configuration`),
      'Client ID': fill(dialog, idp.clientId),
      'Client secret': fill(dialog, idp.clientSecret),
      'E-mail domains': fill(dialog, 'example.com, example.ng'),
      'Group claim': fill(dialog, 'groups'),
      async 'Roles of groups'(label) {
        const rows = dialog.getByRole('group', { name: label });
        await rows.getByRole('button', { name: 'Add a group' }).click();
        await rows.getByLabel('Group 1', { exact: true }).fill('Finance');
        await choose(rows.getByRole('combobox', { name: /^Role of group 1/ }), 'Finance');
      },
      async 'Required for these domains'(label) {
        await expect(dialog.getByLabel(label)).not.toBeChecked();
      },
      async 'Require our second factor'(label) {
        await expect(dialog.getByLabel(label)).not.toBeChecked();
      },
    };
    expect(fieldsOf('OpenID Connect')).toEqual(Object.keys(steps));
    for (const [label, step] of Object.entries(steps)) await step(label);
    await expectAccessible(page);
    await shoot(page, '1-provider');
    await dialog.getByRole('button', { name: 'Add provider' }).click();
    await expect(page.getByText('Finance: Finance for all merchants')).toBeVisible();
    await page.getByRole('heading', { name: 'Single sign-on' }).scrollIntoViewIfNeeded();
    await shoot(page, '2-team');

    const person = await openBrowser(browser);
    await person.goto('/sign-in?next=%2Faudit');
    await expectAccessible(person);
    await shoot(person, '3-sign-in');
    await person.getByRole('button', { name: `Sign in with ${name}` }).click();
    await person.getByRole('button', { name: 'Bola Ade' }).click();
    await expectToArrive(person, /\/audit/);
    await expect(person.getByText('Bola Ade').first()).toBeVisible();
    await expect(person.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'Team' })).toBeVisible();
    await shoot(person, '4-signed-in-as-finance');

    const other = await openBrowser(browser);
    await other.goto('/sign-in');
    await other.getByRole('button', { name: `Sign in with ${name}` }).click();
    await other.getByRole('button', { name: 'Chi Obi' }).click();
    await expect(other.getByText('None of your groups at the provider has a role here.')).toBeVisible();
    await shoot(other, '5-no-group');

    await page.goto('/team?mode=test');
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await expect(page.getByText('was removed, with the roles that its groups gave.')).toBeVisible();
    await person.goto('/audit?mode=test');
    await expectToArrive(person, /\/sign-in/);
  } finally {
    await idp.close();
  }
});

test('an owner sets up a provider of SAML by the document, and people sign in by it', async ({ page, browser }) => {
  const idp = await openTestSamlProvider(`${demo.webUrl}/api/auth/sso/saml2/sp/metadata`);
  const number = Date.now();
  const name = `SAML ${number}`;
  const email = `dayo-${number}@example.com`;
  idp.accounts.set('dayo', { name: 'Dayo Ojo', attributes: { email: [email], displayName: ['Dayo Ojo'], groups: ['Finance'] } });
  try {
    await signInAsOwner(page);
    await page.goto('/team?mode=test');
    await page.getByRole('button', { name: 'Add provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('SAML', { exact: true }).click();
    await expect(dialog.getByText(`${demo.webUrl}/api/auth/sso/saml2/sp/acs`)).toBeVisible();
    await fill(dialog, name)('Name');
    const isEmpty = (label: string) => expect(dialog.getByLabel(label, { exact: true })).toHaveValue('');
    const steps: Readonly<Record<string, (label: string) => Promise<void>>> = {
      'Metadata XML': fill(dialog, idp.metadata),
      'Entity ID': isEmpty,
      'Sign-in address': isEmpty,
      Certificates: isEmpty,
      'Group attribute': fill(dialog, 'groups'),
    };
    expect(fieldsOf('SAML')).toEqual(Object.keys(steps));
    for (const [label, step] of Object.entries(steps)) await step(label);
    await fill(dialog, 'example.com')('E-mail domains');
    const rows = dialog.getByRole('group', { name: 'Roles of groups' });
    await rows.getByRole('button', { name: 'Add a group' }).click();
    await rows.getByLabel('Group 1', { exact: true }).fill('Finance');
    await choose(rows.getByRole('combobox', { name: /^Role of group 1/ }), 'Finance');
    await expectAccessible(page);
    await shoot(page, '6-saml-provider');
    await dialog.getByRole('button', { name: 'Add provider' }).click();
    await expect(page.getByText(/SAML\. Its certificate expires/)).toBeVisible();
    await shoot(page, '7-saml-team');

    const person = await openBrowser(browser);
    await person.goto('/sign-in?next=%2Faudit');
    await person.getByRole('button', { name: `Sign in with ${name}` }).click();
    await person.getByRole('button', { name: 'Dayo Ojo' }).click();
    await expectToArrive(person, /\/audit/);
    await expect(person.getByText('Dayo Ojo').first()).toBeVisible();

    idp.tamper = (response) => Object.assign(response, { audience: 'https://elsewhere.example' });
    const other = await openBrowser(browser);
    await other.goto('/sign-in');
    await other.getByRole('button', { name: `Sign in with ${name}` }).click();
    await other.getByRole('button', { name: 'Dayo Ojo' }).click();
    await expect(other.getByText('The provider answered for another service.')).toBeVisible();
    await shoot(other, '8-saml-refused');

    await page.goto('/team?mode=test');
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await expect(page.getByText('was removed, with the roles that its groups gave.')).toBeVisible();
  } finally {
    await idp.close();
  }
});

function fill(dialog: Locator, value: string): (label: string) => Promise<void> {
  return (label) => dialog.getByLabel(label, { exact: true }).fill(value);
}
