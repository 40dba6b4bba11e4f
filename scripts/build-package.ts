/**
 * Builds a package that is published, `npm run build:package -- packages/client [folder]`, into its `dist` folder or the one named:
 * `npm publish packages/client/dist` publishes it.
 */
import { join, resolve } from 'node:path';
import { buildPublishable } from './install/publishable.ts';
import { generateTypes } from './stack/builds.ts';
import { runCommand } from './stack/command.ts';
import { thisProject } from './stack/project.ts';

const [source, target] = process.argv.slice(2);
if (source === undefined) throw new Error('usage: build-package <folder> [target]');
const folder = resolve(source);
const built = resolve(target ?? join(folder, 'dist'));

await runCommand(async () => {
  const project = thisProject();
  await generateTypes(project);
  buildPublishable(project, folder, built);
  return 0;
});
