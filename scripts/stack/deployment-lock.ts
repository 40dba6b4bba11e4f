import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../bootstrap/problem.mjs';
import { withConnection } from './database.ts';

/** A number of its own: Prisma takes another one beside it. */
const DEPLOYMENT_LOCK = 7_240_118;
const POLL_MS = 200;
const WAIT_LIMIT_MS = 600_000;

/**
 * Runs a deployment while no other one runs on this database. Asks for its turn again and again: one who waits for a lock has a
 * snapshot, for whose end `CREATE INDEX CONCURRENTLY` of the other would wait. Throws a Problem after ten minutes.
 */
export async function oneAtATime(url: string, deploy: () => Promise<void>): Promise<void> {
  await withConnection(url, async (client) => {
    const deadline = Date.now() + WAIT_LIMIT_MS;
    for (;;) {
      const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [DEPLOYMENT_LOCK]);
      if (rows[0]?.mine) break;
      if (Date.now() > deadline)
        throw new Problem('Another process has been migrating or distributing this database for ten minutes.', [
          'Try again later.',
        ]);
      await pause(POLL_MS);
    }
    await deploy();
  });
}
