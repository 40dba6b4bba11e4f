import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OURS = '@switchyard';
/** Packages of a workspace that differ from those of the root, and what holds workspaces. */
const WORKSPACE_FOLDERS = ['apps', 'packages'];
const SINGLE_WORKSPACES = ['e2e', 'bench'];
/** Runs there and is not of that version. */
const BROUGHT_ALONG = 'e2e/operations/released-merchant.ts';
const GENERATE_LIMIT_MS = 240_000;

/** A version that was released. */
export interface Release {
  readonly version: string;
  readonly commit: string;
}

/** The newest release that CHANGELOG.md names, with its commit. */
export function lastRelease(): Release {
  const [newest] = releases();
  if (newest === undefined) throw new Error('CHANGELOG.md names no commit of its newest release');
  return newest;
}

/** A release by its version. Throws when CHANGELOG.md names none. */
export function releaseOf(version: string): Release {
  const release = releases().find((each) => each.version === version);
  if (release === undefined) throw new Error(`CHANGELOG.md names no commit of ${version}`);
  return release;
}

function releases(): Release[] {
  const text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const headings = text.matchAll(/^## \[(\d+\.\d+\.\d+)\][^\n]*\n+Commit: ([0-9a-f]{40})$/gm);
  return [...headings].map(([, version = '', commit = '']) => ({ version, commit }));
}

/**
 * The folder of a released version that can be run: its files from this repository's history, its own database client, and the packages
 * that are installed here. Made once for each commit. Throws when the history here does not reach back to it.
 */
export function releasedVersion({ version, commit }: Release): string {
  const folder = join(ROOT, '.local', 'released', commit);
  if (!existsSync(folder)) {
    if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status !== 0) {
      throw new Error(`${version} (${commit}), which CHANGELOG.md names, is not in this clone: git fetch --unshallow`);
    }
    // Two suites may make it at the same time.
    const unfinished = `${folder}.${randomUUID()}.unfinished`;
    mkdirSync(unfinished, { recursive: true });
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
    execFileSync('tar', ['-x'], { cwd: unfinished, input: archive });
    linkPackages(unfinished);
    const generated = runThere(unfinished, 'scripts/prisma.ts', ['generate'], {});
    if (generated.status !== 0) throw new Error(`the client of ${version} could not be generated:\n${generated.output}`);
    if (existsSync(folder)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, folder);
  }
  copyFileSync(join(ROOT, BROUGHT_ALONG), join(folder, BROUGHT_ALONG));
  return folder;
}

/** Runs a program of a released version to its end. */
export function runThere(
  folder: string,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, program), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment },
    timeout: GENERATE_LIMIT_MS,
  });
  return { status, stdout, output: stdout + stderr };
}

/** Packages that are installed below one workspace here, and were needed by another then. Those of the root come first. */
function linkNestedPackages(modules: string): void {
  for (const parent of WORKSPACE_FOLDERS) {
    for (const workspace of readdirSync(join(ROOT, parent))) {
      const nested = join(ROOT, parent, workspace, 'node_modules');
      if (!existsSync(nested)) continue;
      for (const name of readdirSync(nested)) {
        if (!existsSync(join(modules, name))) symlinkSync(join(nested, name), join(modules, name));
      }
    }
  }
}

/** Gives it the packages that are installed here, and its own in place of ours. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, OURS), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== OURS) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  linkNestedPackages(modules);
  const workspaces = WORKSPACE_FOLDERS.flatMap((parent) => readdirSync(join(folder, parent)).map((name) => join(parent, name)));
  for (const workspace of [...workspaces, ...SINGLE_WORKSPACES]) {
    const { name } = z
      .object({ name: z.string() })
      .parse(JSON.parse(readFileSync(join(folder, workspace, 'package.json'), 'utf8')));
    if (dirname(name) === OURS) symlinkSync(relative(join(modules, OURS), join(folder, workspace)), join(modules, name));
    const own = join(ROOT, workspace, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(folder, workspace, 'node_modules'));
  }
}
