/**
 * Measures what a person waits for on every page of the dashboard: each is opened several times in a browser without any cache, its
 * processor slowed down, against the running product that DEMO_FILE names. Ends with 1 when a page misses the bounds below.
 *
 *   node e2e/page-loads/main.ts [--runs 3] [--slowdown 4] [--pages /payments,/routing] [--json FILE]
 *
 * Figures of a shared machine are good for comparisons only.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { addressOf, makeSamples, routes } from '../journeys/fixtures/pages.ts';
import { openBrowser, signInAsOwner } from '../journeys/fixtures/staff.ts';
import { demo } from '../journeys/fixtures/test.ts';
import { type Load, loadPage, medianLoad } from './load-page.ts';

/** The largest element is painted within this, on any page. */
const LARGEST_PAINT_MAX_MS = 1_500;
/** The main thread is blocked for at most this, on the pages that hold the most. */
const BLOCKED_MAX_MS = 400;
const BLOCKED_CHECKED = new Set(['/payments', '/routing']);

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    slowdown: { type: 'string', default: '4' },
    pages: { type: 'string' },
    json: { type: 'string' },
  },
});
const chosen = values.pages?.split(',');
const measured = routes.filter((route) => chosen === undefined || chosen.includes(route));

const path = process.env.CHROMIUM_PATH;
const browser = await chromium.launch({ args: ['--no-sandbox', '--disable-gpu'], ...(path ? { executablePath: path } : {}) });
const failures: string[] = [];
const loads: Record<string, Load> = {};
try {
  const signedIn = await openBrowser(browser, { baseURL: demo.webUrl });
  await signInAsOwner(signedIn);
  const samples = await makeSamples(signedIn);
  const cookies = await signedIn.context().storageState();
  await signedIn.context().close();
  console.log(`${measured.length} pages, ${values.runs} loads each, processor ${values.slowdown} times slower\n`);
  console.log(`${'page'.padEnd(36)} first paint  largest paint  blocked  longest task  shift  script kB  page kB`);
  for (const route of measured) {
    const runs: Load[] = [];
    for (let run = 0; run < Number(values.runs); run += 1) {
      const slowdown = Number(values.slowdown);
      runs.push(await loadPage(browser, demo.webUrl + addressOf(route, samples), { cookies, slowdown }));
    }
    const load = medianLoad(runs);
    loads[route] = load;
    const columns = [
      [load.firstPaintMs, 11],
      [load.largestPaintMs, 14],
      [load.blockedMs, 8],
      [load.longestTaskMs, 13],
      [load.layoutShift.toFixed(2), 6],
      [load.scriptKb, 10],
      [load.documentKb, 8],
    ] as const;
    console.log(route.padEnd(36) + columns.map(([value, width]) => String(value).padStart(width)).join(' '));
    if (load.largestPaintMs > LARGEST_PAINT_MAX_MS) failures.push(`${route}: largest paint after ${load.largestPaintMs} ms`);
    if (BLOCKED_CHECKED.has(route) && load.blockedMs > BLOCKED_MAX_MS) {
      failures.push(`${route}: main thread blocked for ${load.blockedMs} ms`);
    }
  }
} finally {
  await browser.close();
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(loads, null, 2)}\n`);
console.log(
  failures.length === 0
    ? `\nEvery page paints its largest element within ${LARGEST_PAINT_MAX_MS} ms.`
    : `\nOver the bounds:\n${failures.join('\n')}`,
);
if (failures.length > 0) process.exitCode = 1;
