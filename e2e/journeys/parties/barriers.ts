import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { untilPainted } from './hydrated.ts';
import { expect } from './test.ts';

/** The rules whose answer depends on colours; all others see the same page in either scheme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

type Scheme = 'light' | 'dark';

/** Nothing on the page keeps anybody out, in either scheme. `look` is called once the page stands in each. */
export async function expectNoBarriers(page: Page, look?: (scheme: Scheme) => Promise<unknown>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForFunction(isDrawnIn, colorScheme);
    await untilPainted(page);
    await look?.(colorScheme);
    // No page has frames, and of what holds nothing is asked: most of a look's time goes into both.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    const { violations } = await (colorScheme === 'light' ? axe : axe.withRules(OF_COLOURS)).analyze();
    expect(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]),
      colorScheme,
    ).toEqual([]);
  }
}

/** Whether the page has followed the scheme. */
function isDrawnIn(scheme: string): boolean {
  const { mantineColorScheme } = document.documentElement.dataset;
  return mantineColorScheme === undefined || mantineColorScheme === scheme;
}
