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
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test';
import { addressOf, makeSamples, routes } from '../journeys/fixtures/pages.ts';
import { openBrowser, signInAsOwner } from '../journeys/fixtures/staff.ts';
import { demo } from '../journeys/fixtures/test.ts';

/** One load of a page by a browser without any cache. */
interface Load {
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  /** The total blocking time: what each task took beyond 50 ms, from the first paint until the page is quiet. */
  readonly blockedMs: number;
  readonly longestTaskMs: number;
  /** How far content moved without an action of the person, as the browser scores it: 0.1 is what people begin to notice. */
  readonly layoutShift: number;
  /** Transferred until the page is quiet. */
  readonly scriptKb: number;
  readonly documentKb: number;
}

type Cookies = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>;

const BLOCKING_FROM_MS = 50;
/** Without a long task for this long, the page is quiet. */
const QUIET_MS = 1_500;
/** A page that refreshes itself may never be quiet on a busy machine: it is watched for this long after it has loaded. */
const WATCHED_MAX_MS = 8_000;
const LOAD_LIMIT_MS = 30_000;

declare global {
  interface Window {
    pageLoad: { largestPaintMs: number; layoutShift: number; tasks: { start: number; duration: number }[] };
  }
}

/**
 * Opens a page with a processor `slowdown` times slower, and waits until its scripts have nothing long to do. Throws when another page
 * or none came: its figures would be those of an error.
 */
async function loadPage(
  browser: Browser,
  url: string,
  { cookies, slowdown }: { cookies: Cookies; slowdown: number },
): Promise<Load> {
  const context = await browser.newContext({ storageState: cookies, viewport: { width: 1_440, height: 900 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.addInitScript(observeLoad);
    const response = await page.goto(url, { waitUntil: 'load', timeout: LOAD_LIMIT_MS });
    if (response?.ok() !== true || page.url().includes('/sign-in')) throw new Error(`${url} was not shown`);
    await page.waitForFunction(isQuiet, [QUIET_MS, WATCHED_MAX_MS] as const, { timeout: LOAD_LIMIT_MS, polling: 250 });
    const seen = await page.evaluate(readLoad);
    const blocking = seen.tasks.filter(
      ({ start, duration }) => start + duration > seen.firstPaintMs && duration > BLOCKING_FROM_MS,
    );
    return {
      firstPaintMs: Math.round(seen.firstPaintMs),
      largestPaintMs: Math.round(seen.largestPaintMs),
      blockedMs: Math.round(blocking.reduce((sum, { duration }) => sum + duration - BLOCKING_FROM_MS, 0)),
      longestTaskMs: Math.round(Math.max(0, ...blocking.map(({ duration }) => duration))),
      layoutShift: Math.round(seen.layoutShift * 1_000) / 1_000,
      scriptKb: Math.round(seen.scriptBytes / 1_000),
      documentKb: Math.round(seen.documentBytes / 1_000),
    };
  } finally {
    await context.close();
  }
}

/** Each figure's median over several loads. */
function medianLoad(loads: readonly Load[]): Load {
  const median = (read: (load: Load) => number) => {
    const sorted = loads.map(read).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    firstPaintMs: median((load) => load.firstPaintMs),
    largestPaintMs: median((load) => load.largestPaintMs),
    blockedMs: median((load) => load.blockedMs),
    longestTaskMs: median((load) => load.longestTaskMs),
    layoutShift: median((load) => load.layoutShift),
    scriptKb: median((load) => load.scriptKb),
    documentKb: median((load) => load.documentKb),
  };
}

/** Runs in the page before anything else. */
function observeLoad(): void {
  window.pageLoad = { largestPaintMs: 0, layoutShift: 0, tasks: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.pageLoad.largestPaintMs = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.pageLoad.tasks.push({ start: startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    // TypeScript has no type for these entries, as browsers other than Chromium have none of them.
    for (const entry of list.getEntries()) window.pageLoad.layoutShift += Number(Reflect.get(entry, 'value'));
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Runs in the page. */
function isQuiet([quietMs, watchedMaxMs]: readonly [number, number]): boolean {
  const last = window.pageLoad.tasks.at(-1);
  const [navigation] = performance.getEntriesByType('navigation');
  const loaded = navigation instanceof PerformanceNavigationTiming ? navigation.loadEventEnd : 0;
  const busyUntil = Math.max(loaded, last === undefined ? 0 : last.start + last.duration);
  const now = performance.now();
  return loaded > 0 && (now - busyUntil > quietMs || now - loaded > watchedMaxMs);
}

/** Runs in the page. */
function readLoad() {
  const [navigation] = performance.getEntriesByType('navigation');
  const resources = performance.getEntriesByType('resource').filter((entry) => entry instanceof PerformanceResourceTiming);
  return {
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    ...window.pageLoad,
    scriptBytes: resources
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    documentBytes: navigation instanceof PerformanceNavigationTiming ? navigation.encodedBodySize : 0,
  };
}

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
