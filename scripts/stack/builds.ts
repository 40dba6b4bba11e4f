import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readText } from '../bootstrap/files.mjs';
import { prismaCommand } from './database.ts';
import { type Environment, runProgram } from './programs.ts';
import type { Project } from './project.ts';

/** Something built from the sources, with a stamp that says from which. */
interface Build {
  /** Files and folders it is built from. */
  readonly sources: readonly string[];
  /** Among what is built, so that it is deleted with it, by hand or by the next build. */
  readonly stamp: string;
}

const SCHEMA = ['prisma/schema.prisma', 'prisma/models'];
const CLIENT: Build = {
  sources: [...SCHEMA, 'prisma.config.ts', 'package-lock.json'],
  stamp: 'packages/db/src/generated/.made-from',
};
const REST_TYPES: Build = {
  sources: ['packages', ...SCHEMA, 'e2e/client/generate-types.ts', 'package-lock.json'],
  stamp: 'packages/client/src/generated/.made-from',
};
const PAGES: Build = {
  sources: [
    'apps/web',
    'packages',
    ...SCHEMA,
    'package-lock.json',
    'tsconfig.base.json',
    'scripts/build-install.ts',
    'scripts/install',
  ],
  stamp: 'apps/web/.next/.made-from',
};

/** Folders that hold what was built. */
const BUILT = new Set(['node_modules', 'generated', 'dist', 'coverage', '.next', 'public', '.turbo', '.local', 'test-results']);
const NOT_A_SOURCE = /\.(test|spec)\.tsx?$|\.tsbuildinfo$|\.md$|^next-env\.d\.ts$/;

function filesBelow(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => (entry.isDirectory() ? !BUILT.has(entry.name) : entry.isFile() && !NOT_A_SOURCE.test(entry.name)))
    .flatMap((entry) => filesBelow(join(path, entry.name)));
}

/** A hash over the names and contents of these files and of what is below these folders; tests and built files are left out. */
export function fingerprint({ root }: Project, { sources }: Pick<Build, 'sources'>): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((path) => filesBelow(join(root, path))).sort()) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function isCurrent(project: Project, build: Build): boolean {
  const stamp = readText(join(project.root, build.stamp));
  return stamp !== undefined && stamp === fingerprint(project, build);
}

async function rebuild(project: Project, build: Build, run: () => Promise<void>): Promise<void> {
  const stamp = join(project.root, build.stamp);
  rmSync(stamp, { force: true });
  // From before the build: an edit during the build leads to another build.
  const sources = fingerprint(project, build);
  await run();
  writeFileSync(stamp, sources);
}

/** True if the generated database client is the schema's. */
export function isClientCurrent(project: Project): boolean {
  return isCurrent(project, CLIENT);
}

/** Generates the database client from the schema. */
export async function generateClient(project: Project): Promise<void> {
  const command = prismaCommand(project.root, ['generate'], process.env);
  const program = { ...command, cwd: project.root, log: join(project.logs, 'generate.log') };
  await rebuild(project, CLIENT, () => runProgram(program, 'The database client could not be generated'));
}

/**
 * Generates what the checks of types need and is not of the sources: the database client, and the types of the REST API for its client,
 * which no program needs to run.
 */
export async function generateTypes(project: Project): Promise<void> {
  if (!isClientCurrent(project)) await generateClient(project);
  if (isCurrent(project, REST_TYPES)) return;
  const program = {
    command: process.execPath,
    args: ['e2e/client/generate-types.ts'],
    cwd: project.root,
    env: process.env,
    log: join(project.logs, 'generate-types.log'),
  };
  await rebuild(project, REST_TYPES, () => runProgram(program, 'The types of the REST API could not be generated'));
}

/** True if the built pages are those of the sources. */
export function arePagesCurrent(project: Project): boolean {
  return isCurrent(project, PAGES);
}

/** Builds the pages by the `build` script of the web application. */
export async function buildPages(project: Project, env: Environment): Promise<void> {
  const cwd = join(project.root, 'apps/web');
  const program = {
    command: process.execPath,
    args: ['--run', 'build'],
    cwd,
    env,
    log: join(project.logs, 'build.log'),
  };
  await rebuild(project, PAGES, () => runProgram(program, 'The pages could not be built'));
}

/** Fills the compile cache with what the programs load, so that the first start takes no more memory than later ones. */
export async function compilePrograms(project: Project, env: Environment): Promise<void> {
  const program = { command: process.execPath, args: ['scripts/compile.ts'], cwd: project.root, env };
  await runProgram({ ...program, log: join(project.logs, 'compile.log') }, 'The programs could not be compiled');
}
