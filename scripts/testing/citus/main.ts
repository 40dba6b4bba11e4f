/**
 * `npm run test:citus`: the suites of the database, each with a database on a Citus coordinator and two worker nodes. What follows goes to
 * vitest: `npm run test:citus -- packages/payments`. `npm test` runs a part of it.
 */
import { runCommand } from '../../stack/command.ts';
import { thisProject } from '../../stack/project.ts';
import { runTool } from '../checks.ts';
import { CITUS_CONFIG, generated } from '../steps.ts';

const project = thisProject();

await runCommand(async () => {
  await generated(project).run();
  return runTool('vitest', ['run', '--config', CITUS_CONFIG, ...process.argv.slice(2)], project.root);
});
process.exit(); // the channel to the parent process would keep this one running
