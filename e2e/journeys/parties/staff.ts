import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { z } from 'zod';
import { untilAlive, waitForScript } from './hydrated.ts';
import { demo, expect } from './test.ts';

export const PASSWORD = 'correct horse battery';

/** A browser of somebody else: nothing of the first one's cookies. */
export async function openBrowser(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  return waitForScript(await context.newPage());
}

/** Waits until a page is there that was loaded without being asked for by address. */
export async function expectToArrive(page: Page, at: RegExp): Promise<void> {
  await expect(page).toHaveURL(at);
  await untilAlive(page);
}

/** Enters an address and a password; what comes after is for the journey. */
export async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Sends what a page of ours would, with the browser's cookies. */
export async function send(page: Page, path: string, data: object): Promise<unknown> {
  const headers = { origin: new URL(demo.webUrl).origin };
  const response = await page.request.post(path, { data, headers });
  if (!response.ok()) throw new Error(`${path}: ${response.status()} ${(await response.text()).slice(0, 300)}`);
  return response.json();
}

/** Calls a procedure of the dashboard; its answer. */
export async function call<T>(page: Page, procedure: string, input: object, answer: z.ZodType<T>): Promise<T> {
  const reply = z.object({ result: z.object({ data: z.object({ json: answer }) }) });
  return reply.parse(await send(page, `/api/trpc/${procedure}`, { json: input })).result.data.json;
}

/** The browser is somebody's from here on, without a page having been opened. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await send(page, '/api/auth/sign-in/email', { email, password });
}

export async function signInAsOwner(page: Page): Promise<void> {
  await signIn(page, demo.staffEmail, demo.staffPassword);
}

export interface Guest {
  readonly name: string;
  readonly email: string;
}

let guests = 0;

export function newGuest(): Guest {
  guests += 1;
  const number = `${Date.now()}-${guests}`;
  return { name: `Guest ${number}`, email: `guest-${number}@example.com` };
}

/** Takes somebody in for all merchants, who is signed in from here on, without a page having been opened. */
export async function takeIn(owner: Page, page: Page, role: 'owner' | 'operator' | 'finance' | 'viewer'): Promise<Guest> {
  const guest = newGuest();
  const wish = { ...guest, grants: [{ merchantId: null, role }], twoFactorRequired: false };
  const { address } = await call(owner, 'team.invite', wish, z.object({ address: z.string() }));
  await send(page, '/api/auth/link/accept', { token: new URL(address).hash.slice(1), password: PASSWORD, name: guest.name });
  await signIn(page, guest.email, PASSWORD);
  return guest;
}

/** The owner invites somebody for all merchants. Returns the link as it is shown. */
export async function invite(owner: Page, guest: Guest, role: string): Promise<string> {
  await owner.goto('/team?mode=test');
  await owner.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = owner.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(guest.email);
  await dialog.getByLabel('Name', { exact: true }).fill(guest.name);
  await dialog.getByLabel('Role 1', { exact: true }).selectOption({ label: role });
  await dialog.getByLabel('Require two-factor sign-in').uncheck();
  await dialog.getByRole('button', { name: 'Make the invitation' }).click();
  const link = (await dialog.getByText(/\/invitation#/).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  return link;
}

/** The guest opens the link, chooses a password, and is in. */
export async function accept(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Join' }).click();
  await expectToArrive(page, /\/overview/);
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expectToArrive(page, /\/sign-in/);
}
