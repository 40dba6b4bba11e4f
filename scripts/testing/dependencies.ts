import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** An application or package and those of ours that its package.json declares: the one place that states what it may import. */
export interface Workspace {
  /** `packages/db` */
  readonly folder: string;
  /** `@switchyard/db` */
  readonly name: string;
  /** Names, sorted. */
  readonly dependsOn: readonly string[];
}

const names = z.record(z.string(), z.string()).default({});
const manifest = z.object({ name: z.string(), dependencies: names, devDependencies: names });

/** Every application and package, each after those that it depends on. */
export function readWorkspaces(root: string): readonly Workspace[] {
  const workspaces = globSync('{apps,packages}/*/package.json', { cwd: root }).map((path) => {
    const { name, dependencies, devDependencies } = manifest.parse(JSON.parse(readFileSync(join(root, path), 'utf8')));
    const dependsOn = Object.keys({ ...dependencies, ...devDependencies }).filter((each) => each.startsWith('@switchyard/'));
    return { folder: dirname(path), name, dependsOn: dependsOn.toSorted() };
  });
  const height = (one: Workspace) => reachedFrom(one, workspaces).size;
  return workspaces.toSorted((a, b) => height(a) - height(b) || a.folder.localeCompare(b.folder));
}

/** The folders of all that a workspace depends on, directly or through others. */
export function reachedFrom(workspace: Workspace, workspaces: readonly Workspace[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [workspace];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    for (const name of one.dependsOn) {
      const next = workspaces.find((each) => each.name === name);
      if (next === undefined) throw new Error(`${one.folder} depends on ${name}, which has no folder`);
      if (!reached.has(next.folder)) pending.push(next);
      reached.add(next.folder);
    }
  }
  return reached;
}

/** The table of ARCHITECTURE.md: a line for each application and package. */
export function dependencyTable(workspaces: readonly Workspace[]): string {
  const lines = workspaces.map(({ folder, dependsOn }) => {
    const others = dependsOn.map((name) => `\`${name.replace('@switchyard/', '')}\``);
    return `| \`${folder}\` | ${others.join(' ') || '–'} |`;
  });
  return ['| | depends on |', '|---|---|', ...lines].join('\n');
}
