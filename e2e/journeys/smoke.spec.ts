import { expect, test } from '@playwright/test';

test('a browser gets a page from the address that the start gives', async ({ page }) => {
  const response = await page.goto('/');
  expect(response?.status()).toBe(200);
  await expect(page.locator('body')).not.toBeEmpty();
});
