/**
 * `npm run test:long -- [paths]`: suites that take a minute or more of a processor each and protect what changes seldom: an installation is
 * upgraded, backed up and restored, installed from, compiled and broken by chaos. Others play in full what `npm test` plays in part: the demo's
 * history and faults of gateways. They are no part of `npm test`, which is for every change. Hosted CI runs both.
 */
import { runCommand } from '../../stack/command.ts';
import { thisProject } from '../../stack/project.ts';
import { runTool } from '../checks.ts';
import { generated, pages } from '../steps.ts';

const CONFIG = 'scripts/testing/long/vitest.config.ts';
const project = thisProject();

await runCommand(async () => {
  for (const step of [generated(project), pages(project)]) await step.run();
  return runTool('vitest', ['run', '--config', CONFIG, ...process.argv.slice(2)], project.root);
});
process.exit(); // the channel to the parent process would keep this one running
