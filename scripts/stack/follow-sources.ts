import { readdirSync, statSync, watch } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { readText } from '../bootstrap/files.mjs';
import { problemText } from '../bootstrap/problem.mjs';
import { endProcess } from '../bootstrap/processes.mjs';
import { areProgramsStopping } from './programs.ts';
import { seconds } from './progress.ts';
import type { Project } from './project.ts';
import type { RunningService, Service, Stack } from './stack.ts';

/** Editors write a file in several steps, and a checkout many files: changes within this time are one. */
const SETTLE_MS = 60;
/** Longer than the programs give their own requests and jobs. */
const DRAIN_LIMIT_MS = 30_000;
const OURS = '@switchyard/';
const SOURCE = /\.(ts|tsx|mjs|json|prisma|graphql)$/;
const NO_SOURCE = /\.(test|spec)\.tsx?$|(^|\/)(testing|fixtures|node_modules|\.next|dist)\//;

const manifest = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

/** Folders of a service's sources: what it loads of its own, and the packages that it depends on, directly or through others. */
function sourceFolders({ root }: Project, { folder }: Service): string[] {
  // The pages are followed by Next itself.
  const own = folder === 'apps/web' ? join(folder, 'src', 'server') : join(folder, 'src');
  const packages = new Set<string>();
  const collect = (workspace: string): void => {
    const { dependencies } = manifest.parse(JSON.parse(readText(join(root, workspace, 'package.json')) ?? '{}'));
    for (const name of Object.keys(dependencies).filter((each) => each.startsWith(OURS))) {
      const next = join('packages', name.slice(OURS.length));
      if (packages.has(next)) continue;
      packages.add(next);
      collect(next);
    }
  };
  collect(folder);
  return [own, ...[...packages].map((each) => join(each, 'src'))];
}

/**
 * Calls back with the path of each source that changes below a folder; never when there is no such folder. Each folder is watched by
 * itself: Node's recursive watch loses a file that an editor replaces.
 */
function watchFolder(folder: string, changed: (path: string) => void): void {
  if (NO_SOURCE.test(`${folder}/`) || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const watcher = watch(folder, (_event, name) => {
    if (name === null) return;
    const path = join(folder, name);
    if (SOURCE.test(name) && !NO_SOURCE.test(name)) changed(path);
    else if (!watched.has(path)) follow(path);
  });
  const watched = new Set<string>();
  const follow = (path: string): void => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    watched.add(path);
    watchFolder(path, changed);
  };
  // It was removed: what is made in its place is followed from the folder above.
  watcher.on('error', () => watcher.close());
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) follow(join(folder, entry.name));
}

/** Stops a service and starts it again for each change, one after the other. Returns what takes the changes. */
function restarter(service: Service, started: RunningService, stack: Stack): (path: string) => void {
  let running = started;
  let work: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Says that it stopped by itself; the next change starts it again. */
  function tellDeath(of: RunningService): void {
    void of.died.then((problem) => {
      if (of === running && !areProgramsStopping()) tell(problemText(problem));
    });
  }

  async function restart(path: string): Promise<void> {
    const began = Date.now();
    const { process } = running;
    running = { ...running }; // what ends from here on was ended by this
    // Requests and jobs that run are finished first.
    await endProcess(process, ['SIGTERM', 'SIGKILL'], DRAIN_LIMIT_MS);
    running = stack.launch(service);
    tellDeath(running);
    await running.ready();
    tell(`The ${service.name} runs again after a change of ${path}, ${seconds(began)}`);
  }

  tellDeath(running);
  return (path) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A start that fails was reported as the service's end.
      work = work.then(() => restart(path)).catch(() => undefined);
    }, SETTLE_MS);
  };
}

function tell(text: string): void {
  console.log(`  ${text}`);
}

/** Starts each service of a running stack again whenever one of its sources changes, until this process ends. */
export function followSources(project: Project, stack: Stack): void {
  for (const { service, running } of stack.services) {
    const changed = restarter(service, running, stack);
    for (const folder of sourceFolders(project, service)) {
      watchFolder(join(project.root, folder), (path) => changed(relative(project.root, path)));
    }
  }
}
