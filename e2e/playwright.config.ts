import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const LOCAL = join(import.meta.dirname, '..', '.local');

/** By hand, the journeys run against whatever `npm start` has started. */
function runningStack(): string | undefined {
  const file = process.env.DEMO_FILE ?? join(LOCAL, 'demo.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).webUrl : undefined;
}

export default defineConfig({
  testDir: 'journeys',
  testMatch: '**/*.spec.ts',
  // A gateway's fault is everybody's: journeys that set one must not meet others.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: join(LOCAL, 'test-results', 'journeys'),
  reporter: [['list'], ['json', { outputFile: process.env.JOURNEYS_REPORT ?? join(LOCAL, 'test-results', 'journeys.json') }]],
  use: {
    ...((process.env.WEB_URL ?? runningStack()) ? { baseURL: process.env.WEB_URL ?? runningStack() } : {}),
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: [
        '--no-sandbox',
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
