import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openBrowser, signInAsOwner } from './fixtures/staff.ts';
import { expect, test } from './fixtures/test.ts';

/*
 * The pictures of the dashboard in the read-me, written where README_PICTURES names a folder: `README_PICTURES=docs npm test -- e2e
 * readme-picture`.
 */

const REPOSITORY = join(import.meta.dirname, '..', '..');
const { README_PICTURES } = process.env;
const VIEWPORT = { width: 1_280, height: 800 };
/** More would make the read-me slow to open. */
const PICTURE_MAX_BYTES = 300_000;

if (README_PICTURES !== undefined) {
  const folder = resolve(REPOSITORY, README_PICTURES);
  test('a picture of the dashboard in each scheme', async ({ browser }) => {
    mkdirSync(folder, { recursive: true });
    const page = await openBrowser(browser, { viewport: VIEWPORT });
    await signInAsOwner(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto('/overview?mode=test');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      // Figures that arrive later replace their placeholders.
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      await expect(page.getByText('Some checks failed')).toHaveCount(0, { timeout: 90_000 });
      const path = join(folder, `dashboard-${colorScheme}.png`);
      await page.screenshot({ path });
      expect(statSync(path).size).toBeLessThanOrEqual(PICTURE_MAX_BYTES);
    }
  });
}
