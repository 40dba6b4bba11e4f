import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const LOCAL = join(import.meta.dirname, '..', '.local');

// Started manually, the journeys run against the stack of `npm start`.
process.env.DEMO_FILE ??= join(LOCAL, 'demo.json');

const baseURL = process.env.WEB_URL ?? (existsSync(process.env.DEMO_FILE) ? readWebUrl(process.env.DEMO_FILE) : undefined);

function readWebUrl(demoFile: string): string {
  return JSON.parse(readFileSync(demoFile, 'utf8')).webUrl;
}

/** Journeys on a cluster alone, where `CLUSTER` is set. */
const OF_A_CLUSTER = fileOf('pages-of-a-cluster');
/** Journeys that open many pages and change nothing. */
const ONLY_PAGES = ['documentation', 'every-page'].map(fileOf);
/** Journeys to which it is all the same what gateways do and which payments come in meanwhile. They wait more than they work. */
const BESIDE_PAYMENTS = ['agents', 'alerts', 'keys', 'liveness', 'second-person', 'smoke', 'staff', 'team'].map(fileOf);

function fileOf(name: string): string {
  return `**/${name}.spec.ts`;
}

export default defineConfig({
  testDir: 'journeys',
  workers: 3,
  // A gateway fault affects every payment: journeys that set one, and those it would affect, never run concurrently.
  projects: [
    { name: 'only pages', testMatch: ONLY_PAGES, workers: 1 },
    { name: 'beside payments', testMatch: BESIDE_PAYMENTS, workers: 1 },
    { name: 'payments', testMatch: '**/*.spec.ts', testIgnore: [...ONLY_PAGES, ...BESIDE_PAYMENTS, OF_A_CLUSTER], workers: 1 },
    ...(process.env.CLUSTER ? [{ name: 'of a cluster', testMatch: OF_A_CLUSTER, workers: 1 }] : []),
  ],
  retries: 0,
  forbidOnly: true,
  // Against journeys that hang: how long one takes, and each step of it, is a matter of the machine.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  outputDir: join(LOCAL, 'test-results', 'journeys'),
  reporter: [['list'], ['json', { outputFile: process.env.JOURNEYS_REPORT ?? join(LOCAL, 'test-results', 'journeys.json') }]],
  use: {
    ...(baseURL === undefined ? {} : { baseURL }),
    // As in the checks of accessibility, which are made on pages without motion.
    reducedMotion: 'reduce',
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // Pictures and copies of the page at every step take more of the machine than the journeys themselves.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: [
        // A page is gone before compiling its scripts to faster code has paid.
        '--js-flags=--no-maglev --no-opt --single-threaded-gc',
        '--no-sandbox',
        // Pages of a context share a renderer, which has their scripts from before.
        '--process-per-site',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
