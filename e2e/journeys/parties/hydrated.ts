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
    const response = await reload(...given).catch(async (error: unknown) => {
      if (!isLeaving(error)) throw error;
      await untilAlive(page);
      return reload(...given);
    });
    await untilAlive(page);
    return response;
  };
  return page;
}

/** What is said to whoever loads a page again that goes elsewhere by itself just then, as to the sign-in once a session has ended. */
function isLeaving(error: unknown): boolean {
  return error instanceof Error && /Not attached to an active page|net::ERR_ABORTED/.test(error.message);
}

/** Waits until the page answers to clicks and keys; at once where it has no script of ours. */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForLoadState('domcontentloaded');
  await page.waitForFunction(isAlive);
  await untilPainted(page);
}

/** What listens to the whole window, and what a change looks like, is there by then. */
export async function untilPainted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** As much of React's tree as tells which parts of the page it has taken hold of. */
interface Fiber {
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly memoizedState: { readonly dehydrated?: unknown; readonly isDehydrated?: boolean } | null;
}

/** No part of the page is still to come, and none is only drawn. */
function isAlive(): boolean {
  if (document.readyState !== 'complete') return false;
  if (document.querySelector('script[src*="/_next/"]') === null) return true;
  const key = Object.keys(document).find((name) => name.startsWith('__reactContainer$'));
  if (key === undefined || document.querySelector('template[id^="B:"]') !== null) return false;
  const root: { readonly stateNode: { readonly current: Fiber } } = Reflect.get(document, key);
  const left = [root.stateNode.current];
  for (let fiber = left.pop(); fiber !== undefined; fiber = left.pop()) {
    const { child, sibling, memoizedState: state } = fiber;
    if (state?.isDehydrated === true || (state?.dehydrated ?? null) !== null) return false;
    for (const next of [child, sibling]) if (next !== null) left.push(next);
  }
  return true;
}
