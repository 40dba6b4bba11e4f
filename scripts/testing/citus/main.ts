/**
 * `npm run test:citus`: the suites of the database, each with a database on a Citus coordinator and two worker nodes. What follows goes to
 * vitest: `npm run test:citus -- packages/payments`. `npm run test:citus -- e2e [specs]`: the browser journeys, against everything that
 * `npm start` starts, on such a cluster; `-- pages` opens each page there once. `npm test` runs a part of the suites.
 */
import { mkdirSync } from 'node:fs';
import { runCommand } from '../../stack/command.ts';
import { thisProject } from '../../stack/project.ts';
import { runTool, type Step } from '../checks.ts';
import { CITUS_CONFIG, generated, journeysOnCitus, pages, pagesOnCitus } from '../steps.ts';

const project = thisProject();
const [part, ...rest] = process.argv.slice(2);

await runCommand(async () => {
  await generated(project).run();
  if (part === 'e2e') return runInBrowser(journeysOnCitus(project, rest));
  if (part === 'pages') return runInBrowser(pagesOnCitus(project));
  return runTool('vitest', ['run', '--config', CITUS_CONFIG, ...process.argv.slice(2)], project.root);
});
process.exit(); // the channel to the parent process would keep this one running

async function runInBrowser(step: Step): Promise<number> {
  mkdirSync(project.logs, { recursive: true });
  await pages(project).run();
  const { failed } = await step.run();
  return failed === 0 ? 0 : 1;
}
