/**
 * `npm run verify [paths]`: what is worth knowing about a change before it is committed. Format and lint of the changed files, types,
 * boundaries, unused code, and the suites in the changed folders that reach what changed. Changed is what differs from where the branch
 * left main; with paths, what is below them. `npm test` does the same for everything, and more.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { startVitest } from 'vitest/node';
import { readText } from './bootstrap/files.mjs';
import { generateTypes } from './stack/builds.ts';
import { runCommand } from './stack/command.ts';
import { seconds } from './stack/progress.ts';
import { thisProject } from './stack/project.ts';
import { checks, type Step } from './testing/checks.ts';
import { FAILED, PASSED } from './testing/runner-reports.ts';
import { projectFiles } from './testing/sources.ts';
import { suiteFolders } from './testing/suites.ts';

const BRANCHES = ['origin/main', 'main'];
const project = thisProject();

function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: project.root, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}

/** Files that differ from where the branch left main, or from the last commit where there is no main; new ones included. */
function changedFiles(): string[] {
  const bases = BRANCHES.flatMap((branch) => git('merge-base', 'HEAD', branch)?.trim() ?? []);
  const changed = git('diff', '--name-only', '--diff-filter=d', '-z', bases[0] ?? 'HEAD') ?? '';
  const added = git('ls-files', '--others', '--exclude-standard', '-z') ?? '';
  return [...new Set(`${changed}${added}`.split('\0'))].filter((path) => path !== '' && existsSync(join(project.root, path)));
}

function filesBelow(paths: readonly string[]): string[] {
  const wanted = paths.map((path) => relative(project.root, resolve(process.env.INIT_CWD ?? '.', path)));
  return projectFiles(project.root).filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}/`)));
}

function suites(files: readonly string[]): Step {
  return {
    name: 'tests',
    async run() {
      const related = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file)).map((file) => join(project.root, file));
      const all = projectFiles(project.root).filter((file) => /\.test\.ts$/.test(file));
      const folders = suiteFolders(files, all);
      if (related.length === 0 || folders.length === 0) return PASSED;
      process.env.VITEST = 'true';
      const options = { run: true, related, passWithNoTests: true, reporters: ['dot'], project: ['unit'] };
      const vitest = await startVitest('test', folders, options, {}, { stdout: process.stdout });
      const failed = vitest.state.getCountOfFailedTests() + vitest.state.getUnhandledErrors().length;
      await vitest.close();
      return failed === 0 && !process.exitCode ? PASSED : FAILED;
    },
  };
}

async function runStep(step: Step, log?: string): Promise<boolean> {
  const began = Date.now();
  const { failed } = await step.run(log);
  if (failed > 0 && log !== undefined) console.log(`\n── ${step.name}\n${readText(log) ?? ''}`);
  console.log(`${failed === 0 ? '✓' : '✗'} ${step.name}, ${seconds(began)}`);
  return failed === 0;
}

await runCommand(async () => {
  const paths = process.argv.slice(2);
  const files = paths.length > 0 ? filesBelow(paths) : changedFiles();
  if (files.length === 0) {
    console.log(paths.length > 0 ? `There is nothing at ${paths.join(', ')}.` : 'Nothing changed.');
    return paths.length > 0 ? 1 : 0;
  }
  const began = Date.now();
  await generateTypes(project);
  const results = await Promise.all([
    ...checks(project, files).map((step) => runStep(step, join(project.logs, `verify-${step.name}.log`))),
    runStep(suites(files)),
  ]);
  const right = results.every(Boolean);
  console.log(`\n${right ? '✓' : '✗'} ${files.length} ${files.length === 1 ? 'file' : 'files'}, ${seconds(began)}`);
  return right ? 0 : 1;
});
process.exit(); // the channel to the parent process would keep this one running
