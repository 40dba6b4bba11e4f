import { join } from 'node:path';
import { holderOf } from '../bootstrap/claim.mjs';
import { runOnTerminal, stopPrograms } from '../stack/programs.ts';
import { thisProject } from '../stack/project.ts';
import { startStack } from '../stack/stack.ts';
import { findBrowser } from '../testing/browser.ts';

/**
 * `npm run bench -- pages`: measures how long each page of the dashboard takes to appear, on a production build with the demo's data,
 * in a browser whose processor is slowed down. A product that runs from this folder is measured as it is; otherwise one is started
 * and stopped again. Options: see `e2e/page-loads/main.ts`.
 */
export async function measurePages(args: readonly string[]): Promise<number> {
  const project = thisProject(process.env.SWITCHYARD_LOCAL_DIR);
  const isRunning = holderOf(project.runFile)?.webUrl !== undefined;
  const browser = await findBrowser(project);
  const stack = isRunning ? null : await startStack(project, process.env);
  await stack?.pages;
  const code = await runOnTerminal({
    command: process.execPath,
    args: [join(project.root, 'e2e/page-loads/main.ts'), ...args],
    cwd: join(project.root, 'e2e'),
    env: { ...process.env, DEMO_FILE: project.demoFile, ...(browser === undefined ? {} : { CHROMIUM_PATH: browser }) },
  });
  await stopPrograms();
  stack?.release();
  return code;
}
