import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Progress } from '../bootstrap/progress.mjs';
import { withConnection } from '../stack/migrations.ts';
import { type Project, thisProject } from '../stack/project.ts';
import { startStack } from '../stack/stack.ts';
import { createTeardown, type Teardown } from '../stack/teardown.ts';
import { findBrowser } from './browser.ts';
import type { Step } from './step.ts';
import { playwrightJourneys } from './suites.ts';

const DATABASE = 'switchyard_journeys';
/** Variables that the user set for another stack. */
const OF_ANOTHER_STACK = /^(DATABASE_URL|PORT|SANDBOX_.*|SWITCHYARD_.*)$/;
const ANY_PORT = '0';

/** Removes what an earlier run left, the database's files included, which may lie elsewhere behind a link. */
function resetFolder(local: string): void {
  for (const folder of ['postgres', '.']) {
    try {
      rmSync(realpathSync(join(local, folder)), { recursive: true });
    } catch {
      // there was none
    }
  }
  rmSync(local, { recursive: true, force: true });
  mkdirSync(local, { recursive: true });
}

/** A database on the server that the user set aside for tests; undefined when there is none. */
async function databaseForTests(): Promise<string | undefined> {
  const admin = process.env.TEST_DATABASE_URL;
  if (!admin) return undefined;
  const name = pg.escapeIdentifier(DATABASE);
  await withConnection(admin, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
  });
  const url = new URL(admin);
  url.pathname = `/${DATABASE}`;
  return url.href;
}

/**
 * The journeys of people through the product in a real browser, against everything that `npm start` starts, with data, secrets
 * and ports of its own.
 */
export function journeys(project: Project, filters: readonly string[], progress: Progress, outer: Teardown): Step {
  return {
    name: 'browser journeys',
    async run() {
      const browser = findBrowser(project);
      progress.note(`Browser: ${browser}`);
      const own = thisProject(join(project.local, 'journeys'));
      const teardown = createTeardown();
      await outer.add(() => teardown.run());
      resetFolder(own.local);
      const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_ANOTHER_STACK.test(name)));
      const DATABASE_URL = await databaseForTests();
      const ports = {
        PORT: ANY_PORT,
        REPORTING_PORT: ANY_PORT,
        SANDBOX_PORT: ANY_PORT,
        SANDBOX_PAYSTACK_PORT: ANY_PORT,
        SANDBOX_FLUTTERWAVE_PORT: ANY_PORT,
      };
      try {
        const stack = await startStack({ project: own, user: { ...inherited, ...ports, DATABASE_URL }, progress, teardown });
        const { webUrl: WEB_URL, sandboxUrl: SANDBOX_URL } = stack.demo;
        const env = { WEB_URL, SANDBOX_URL, DEMO_FILE: own.demoFile, CHROMIUM_PATH: browser };
        let dead: string | undefined;
        stack.died.then(
          (problem) => (dead = [problem.message, ...problem.hints].join('\n  ')),
          () => undefined,
        );
        const tally = await playwrightJourneys(project, env, filters, outer);
        if (dead) console.log(`\n${dead}`);
        return dead && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
      } finally {
        await teardown.run();
      }
    },
  };
}
