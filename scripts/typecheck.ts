/** `npm run typecheck`: checks the types of everything. */
import { generateTypes } from './stack/builds.ts';
import { runCommand } from './stack/command.ts';
import { thisProject } from './stack/project.ts';
import { checkTypes } from './testing/checks.ts';

await runCommand(async () => {
  const project = thisProject();
  await generateTypes(project);
  return checkTypes(project);
});
process.exit(); // the channel to the parent process would keep this one running
