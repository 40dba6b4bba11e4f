import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import type { Environment } from './environment.ts';
import { fingerprint } from './fingerprint.ts';
import type { Project } from './project.ts';
import type { Teardown } from './teardown.ts';

const SOURCES = ['apps/web', 'packages', 'prisma/schema.prisma', 'package-lock.json', 'tsconfig.base.json'];

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function buildId(project: Project): string | undefined {
  return read(join(project.root, 'apps/web/.next/BUILD_ID'));
}

/** Which sources were built: a build by another tool has another id, an interrupted one has none. */
function stampFile(project: Project): string {
  return join(project.root, 'apps/web/.next/made-from.json');
}

function stamp(project: Project): string {
  return JSON.stringify({ buildId: buildId(project) ?? null, sources: fingerprint(project.root, SOURCES) });
}

/** Whether the built pages are those of the sources. */
export function arePagesCurrent(project: Project): boolean {
  return buildId(project) !== undefined && read(stampFile(project)) === stamp(project);
}

/** Builds the pages by the `build` script of the web application. */
export async function buildPages(project: Project, env: Environment, teardown: Teardown): Promise<void> {
  rmSync(stampFile(project), { force: true });
  const sources = fingerprint(project.root, SOURCES);
  const command = { program: process.execPath, args: ['--run', 'build'], cwd: join(project.root, 'apps/web') };
  const log = join(project.logs, 'build.log');
  await runCommand({ ...command, failure: 'The pages could not be built', env, log }, teardown);
  // The fingerprint from before the build: an edit during the build leads to another build.
  writeFileSync(stampFile(project), JSON.stringify({ buildId: buildId(project) ?? null, sources }));
}
