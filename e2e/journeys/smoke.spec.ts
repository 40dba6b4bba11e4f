import { expect, test } from '@playwright/test';
import { expectAccessible } from './fixtures/overlays.ts';

test('a browser gets a page from the address that the start gives', async ({ page }) => {
  const response = await page.goto('/');
  expect(response?.status()).toBe(200);
  await expect(page.locator('body')).not.toBeEmpty();
});

for (const [barrier, body] of [
  ['image-alt', '<img src="data:,">'],
  ['color-contrast', '<p style="color: #999; background: #fff">Hard to read</p>'],
  ['button-name', '<button></button>'],
] as const) {
  test(`a page with a barrier (${barrier}) is detected`, async ({ page }) => {
    const show = (content: string) =>
      page.setContent(`<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${content}</main></html>`);
    await show('');
    await expectAccessible(page);
    await show(body);
    await expect(expectAccessible(page)).rejects.toThrow(barrier);
  });
}
