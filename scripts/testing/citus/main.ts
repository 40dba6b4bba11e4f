/**
 * `npm run test:citus`: the suites of the database, each with a database on a Citus coordinator and two worker nodes. What follows goes to
 * vitest: `npm run test:citus -- packages/payments`. `npm run test:citus -- e2e [specs]`: the browser journeys, against everything that
 * `npm start` starts, on such a cluster. `npm test` runs a part of the suites.
 */
import { mkdirSync } from 'node:fs';
import { runCommand } from '../../stack/command.ts';
import { stopPrograms } from '../../stack/programs.ts';
import { thisProject } from '../../stack/project.ts';
import { runTool } from '../checks.ts';
import { CITUS_CONFIG, generated, journeys, pages } from '../steps.ts';
import { startThrowawayCluster } from './cluster.ts';

/** Enough for rows of several merchants to be on both nodes. */
const SHARDS = 8;

const project = thisProject();
const [part, ...rest] = process.argv.slice(2);

await runCommand(async () => {
  await generated(project).run();
  if (part === 'e2e') return runJourneys(rest);
  return runTool('vitest', ['run', '--config', CITUS_CONFIG, ...process.argv.slice(2)], project.root);
});
process.exit(); // the channel to the parent process would keep this one running

async function runJourneys(specs: readonly string[]): Promise<number> {
  mkdirSync(project.logs, { recursive: true });
  await pages(project).run();
  const cluster = await startThrowawayCluster(project, { workers: 2, shards: SHARDS, database: 'journeys' });
  const { failed } = await journeys(project, specs, async () => cluster.url).run();
  await stopPrograms();
  await cluster.stop();
  return failed === 0 ? 0 : 1;
}
