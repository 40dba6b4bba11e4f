import type { Page } from '@playwright/test';

/**
 * Makes the page wait, whenever it is opened or loaded again, until its own script has taken hold of what the server drew. What is
 * pressed before that is lost, and nobody but a program is as quick.
 */
export function waitForScript(page: Page): Page {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (...given) => {
    const response = await goto(...given);
    await untilAlive(page);
    return response;
  };
  page.reload = async (...given) => {
    const response = await reload(...given);
    await untilAlive(page);
    return response;
  };
  return page;
}

/** Waits until the page answers to clicks and keys; at once where it has no script of ours. */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForLoadState('domcontentloaded');
  await page.waitForFunction(isAlive);
}

/**
 * React marks each element that it has taken hold of, and leaves a template where a part of the page is still to come. What listens
 * to the whole window begins with the next frame.
 */
function isAlive(): Promise<boolean> {
  const isOurs = document.querySelector('script[src*="/_next/"]') !== null;
  const elements = [document.body, ...document.querySelectorAll('button, input, select, textarea')];
  const held = elements.every((element) => Object.keys(element).some((key) => key.startsWith('__reactProps$')));
  const isWhole = document.readyState === 'complete' && document.querySelector('template[id^="B:"]') === null;
  if (isOurs && !(isWhole && held)) return Promise.resolve(false);
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))));
}
