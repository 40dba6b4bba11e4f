import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/overlays.ts';
import { addStaffUser, choose, openBrowser, signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, MAIN, test } from './fixtures/test.ts';

const DAY_MS = 86_400_000;
const LAGOS_MS = 3_600_000;
const STARTED = Date.now();
/** A day of Lagos, counted from the day on which the journeys began: `2026-11-23`. */
const day = (days: number) => new Date(STARTED + LAGOS_MS + days * DAY_MS).toISOString().slice(0, 10);
/** Until yesterday: other journeys pay today, between two looks at the same sum. */
const DAYS = `from=${day(-30)}&to=${day(-1)}`;

/** The table's rows as plain numbers, the last of them the total. */
async function numbers(page: Page): Promise<string[][]> {
  const rows = await page.getByRole('region', { name: 'Figures' }).getByRole('row').all();
  const read = await Promise.all(rows.map((row) => row.getByRole('cell').allTextContents()));
  return read.filter((cells) => cells.length > 0).map((cells) => cells.map(plain));
}

/** A number without separators of thousands, nor zeros at the end of a fraction. */
const plain = (cell: string) =>
  cell.replaceAll(',', '').replace(/\.(\d*?)0+$/, (_, digits) => (digits === '' ? '' : `.${digits}`));

const add = (rows: readonly string[][], column: number) => rows.reduce((sum, cells) => sum + Number(cells[column]), 0);

/** The file that the browser saves at a click. */
async function saved(page: Page, click: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return readFile(await download.path(), 'utf8');
}

/** The finance explorer: the same totals as the report, its query saved, and the editor; all of it accessible. */
async function expectExplorer(finance: Page, total: readonly string[]): Promise<void> {
  await finance.goto(`/developers/graphql?mode=test&${DAYS}`);
  const result = finance.getByRole('region', { name: 'Result' });
  await expect(result).toBeVisible();
  await expectAccessible(finance);
  const shown = await result.getByRole('row').all();
  const rows = await Promise.all(shown.map((row) => row.getByRole('cell').allTextContents()));
  const last = rows.at(-1)?.map(plain) ?? [];
  expect([last[0], last[2]]).toEqual([total[0], total[3]]);
  const file = await saved(finance, () => finance.getByRole('button', { name: 'Export CSV' }).click());
  const totals = file.trimEnd().split('\r\n').at(-1)?.split(',');
  expect(totals?.map(plain)).toEqual(['Total', ...last]);

  await finance.getByRole('button', { name: 'Success rate' }).click();
  await choose(finance.getByRole('combobox', { name: /^Group by/ }), 'Gateway');
  await expect(finance.getByText('query SuccessRate')).toBeVisible();
  await finance.getByRole('button', { name: 'Columns', exact: true }).click();
  await finance.getByRole('checkbox', { name: 'Open', exact: true }).click();
  await finance.keyboard.press('Escape');
  await result.getByRole('button', { name: 'Success rate' }).click();
  await expect(result.getByRole('columnheader', { name: 'Success rate' })).toHaveAttribute('aria-sort', 'descending');
  await expect(result.getByRole('columnheader', { name: 'Open' })).toHaveCount(0);
  const rates = await saved(finance, () => finance.getByRole('button', { name: 'Export CSV' }).click());
  expect(rates.split('\r\n')[0]?.replace('\ufeff', '')).toBe('Gateway,Payments,Paid,Failed,Expired,Success rate');
  await finance.getByRole('button', { name: 'Saved queries' }).click();
  const name = `Rate ${crypto.randomUUID().slice(0, 8)}`;
  await finance.getByLabel('Save this view as').fill(name);
  await finance.getByRole('button', { name: 'Save view' }).click();
  await expect(finance.getByRole('link', { name })).toHaveAttribute(
    'href',
    /by=gateway.*columns=.*query=success.*sort=-success-rate/,
  );
  await finance.keyboard.press('Escape');

  await finance.getByRole('tab', { name: 'GraphQL editor' }).click();
  await expect(finance.frameLocator('iframe').getByRole('button', { name: /Execute query/ })).toBeVisible({ timeout: 30_000 });
  // The editor is checked as a page of its own, loaded in the scheme it is checked in.
  await expectAccessible(finance, undefined, 'iframe');
  for (const colorScheme of ['dark', 'light'] as const) {
    await finance.emulateMedia({ colorScheme });
    await finance.goto('/developers/graphql/editor?query={__typename}');
    await expect(finance.getByRole('button', { name: /Execute query/ })).toBeVisible({ timeout: 30_000 });
    await expectAccessible(finance, undefined, '.monaco-editor');
  }
}

test('finance reads volume, opens the payments behind a number, exports it, and lets a program run the same query', {
  tag: MAIN,
}, async ({ page, browser }) => {
  await signInAsOwner(page);
  const finance = await openBrowser(browser);
  const viewer = await openBrowser(browser);
  await addStaffUser(page, finance, 'finance');
  await addStaffUser(page, viewer, 'viewer');

  await finance.goto(`/reports?mode=test&${DAYS}`);
  await expect(finance.getByRole('region', { name: 'Figures' })).toBeVisible();
  await expectAccessible(finance);
  const table = await numbers(finance);
  const [total = [], rows] = [table.at(-1), table.slice(0, -1)];
  expect(rows.length).toBeGreaterThan(25);
  for (const column of [0, 1, 2, 3]) expect(add(rows, column)).toBe(Number(total[column]));

  const file = await saved(finance, () => finance.getByRole('button', { name: 'Export CSV' }).click());
  const lines = file.trimEnd().split('\r\n').slice(1);
  expect(lines.map((line) => line.split(',').slice(1, 5))).toEqual(table.map((cells) => cells.slice(0, 4)));

  const [first] = await finance.getByRole('region', { name: 'Figures' }).getByRole('link').all();
  const behind = Number((await first?.textContent())?.replaceAll(',', ''));
  await first?.click();
  await expect(finance).toHaveURL(/\/payments\?.*status=PENDING/);
  await finance.getByRole('button', { name: 'Export', exact: true }).click();
  const listed = await saved(finance, () => finance.getByRole('link', { name: /^NDJSON/ }).click());
  expect(listed.trimEnd().split('\n')).toHaveLength(behind);

  await expectExplorer(finance, total);

  await finance.goto('/developers/tokens?mode=test');
  await finance.getByRole('button', { name: 'Create token' }).click();
  const dialog = finance.getByRole('dialog');
  const name = `Journey ${crypto.randomUUID().slice(0, 8)}`;
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('checkbox', { name: /^Read reports/ }).check();
  for (const merchant of await dialog.getByRole('group', { name: 'Merchants' }).getByRole('checkbox').all())
    await merchant.check();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = (await dialog.getByRole('region', { name: 'the token', exact: true }).textContent()) ?? '';
  expect(token).toMatch(/^fin_/);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await expectAccessible(finance);

  const query = `query ($filter: VolumeFilter!) { volume(filter: $filter) { ... on VolumeReport { total { paidAmount } } } }`;
  const midnight = (days: number) => `${day(days)}T00:00:00+01:00`;
  const ask = async () => {
    const response = await fetch(`${demo.webUrl}/api/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { filter: { mode: 'test', from: midnight(-30), to: midnight(0) } } }),
      signal: AbortSignal.timeout(30_000),
    });
    return { status: response.status, body: await response.json() };
  };
  expect((await ask()).body.data.volume.total.paidAmount).toBe(Number(total[3]));

  await finance.getByRole('button', { name: `Revoke ${name}` }).click();
  await finance
    .getByRole('dialog')
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await expect(finance.getByText(`Token “${name}” was revoked.`)).toBeVisible();
  expect((await ask()).status).toBe(401);

  await viewer.goto('/payments?mode=test');
  await expect(viewer.getByRole('button', { name: 'Columns' })).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Export', exact: true })).toHaveCount(0);
  await viewer.goto('/developers/tokens?mode=test');
  await viewer.getByRole('button', { name: 'Create token' }).click();
  await expect(viewer.getByRole('checkbox', { name: /^Read as an agent/ })).toBeVisible();
  await expect(viewer.getByRole('checkbox', { name: /^Read reports/ })).toHaveCount(0);
});

test('a regrouped report never shows the rows of the grouping before', async ({ page }) => {
  await signInAsOwner(page);
  const shown = async () => ({
    rows: await page.getByRole('region', { name: 'Figures' }).getByRole('rowheader').allTextContents(),
    bars: await page.locator('figure [title]').allTextContents(),
  });
  const numbersShown = page.getByRole('region', { name: 'Figures' });

  for (const [group, title] of [
    ['gateway', 'Gateway'],
    ['method', 'Method'],
  ] as const) {
    await page.goto(`/reports?mode=test&${DAYS}&by=${group}`);
    await expect(numbersShown).toBeVisible();
    const whole = await shown();
    expect(whole.rows.length).toBeGreaterThan(1);
    expect(whole.bars.length).toBe(whole.rows.length - 1);

    await page.goto(`/reports?mode=test&${DAYS}`);
    await expect(numbersShown).toBeVisible();
    const days = await shown();
    expect(days.rows.length).toBeGreaterThan(25);

    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/graphql', async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest('**/api/graphql');
    await choose(page.getByRole('combobox', { name: /^Group by/ }), title);
    await asked;
    await expect(page.getByRole('status', { name: 'Loading the report' })).toBeVisible();
    expect(await shown()).toEqual({ rows: [], bars: [] });

    answer();
    await expect(numbersShown).toBeVisible();
    await expect.poll(shown).toEqual(whole);
    await page.unroute('**/api/graphql');
  }
});

test('finance schedules the list in view, takes the file of yesterday by its link, and ends the link', async ({ page }) => {
  await signInAsOwner(page);
  await page.goto('/payments?mode=test&status=SUCCESS');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('link', { name: /^Schedule/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule a report' });
  await expect(dialog.getByText(/statuses: SUCCESS/)).toBeVisible();
  const name = `Journey ${crypto.randomUUID().slice(0, 8)}`;
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('radio', { name: 'CSV', exact: true }).check();
  await dialog.getByRole('button', { name: 'Schedule report' }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name }).click();
  const panel = page.getByRole('complementary', { name: 'Scheduled report' });
  await panel.getByRole('button', { name: 'Run now' }).click();
  const link = panel.getByRole('link', { name: 'Download' });
  await expect(link).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  const address = (await link.getAttribute('href')) ?? '';
  const file = await saved(page, () => link.click());
  const [titles = '', ...rows] = file.trimEnd().split('\r\n');
  expect(titles).toMatch(/^\uFEFFmerchant_id,created_at,payment_id/);
  for (const row of rows) expect(row).toContain(',SUCCESS,');
  await expect(panel.getByText(`${rows.length.toLocaleString('en')} row`)).toBeVisible();

  await panel.getByRole('button', { name: /^Revoke link/ }).click();
  await expect(panel.getByText('The link was revoked.')).toBeVisible();
  expect((await page.request.get(address)).status()).toBe(404);
});
