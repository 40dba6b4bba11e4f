import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { Problem } from '../bootstrap/problem.mjs';
import type { Project } from '../stack/project.ts';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const ANSWER_LIMIT_MS = 20_000;
const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];

/** True if this is a browser that starts: on some systems a script of that name only prints how to install one. */
function starts(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return spawnSync(path, ['--no-sandbox', '--version'], { timeout: ANSWER_LIMIT_MS }).status === 0;
  } catch {
    return false;
  }
}

/** Run by a script that points it at the libraries and fonts which came along: a bare machine has neither. */
function wrapper(folder: string): string {
  return `#!/bin/sh
export LD_LIBRARY_PATH='${folder}/al2023/lib'
export FONTCONFIG_FILE='${folder}/fonts.conf'
exec '${folder}/chromium' "$@"
`;
}

function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;
}

/** Unpacks the archives of the package into a folder. Its own function unpacks into the system's folder for temporary files. */
async function unpack(entry: string, folder: string): Promise<void> {
  const unfinished = `${folder}.${process.pid}.unfinished`;
  mkdirSync(unfinished, { recursive: true });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = unfinished;
  try {
    const chromium: { inflate(archive: string): Promise<string> } = await import(pathToFileURL(entry).href);
    await Promise.all(ARCHIVES.map((name) => chromium.inflate(join(dirname(dirname(entry)), 'bin', name))));
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  chmodSync(join(unfinished, 'chromium'), 0o755);
  renameSync(unfinished, folder);
}

/** Unpacks the headless Chromium that one of the packages carries; undefined when it does not run on this machine. */
export async function unpackedBrowser(project: Project): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const entry = createRequire(join(project.root, 'e2e', 'package.json')).resolve('@sparticuz/chromium');
  const manifest = readFileSync(join(dirname(dirname(entry)), 'package.json'), 'utf8');
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest));
  const folder = join(project.root, '.local', 'browser', version);
  if (!existsSync(folder)) await unpack(entry, folder);
  const script = join(folder, 'chromium.sh');
  writeFileSync(join(folder, 'fonts.conf'), fontSettings(folder));
  writeFileSync(script, wrapper(folder), { mode: 0o755 });
  if (starts(script)) return script;
  rmSync(folder, { recursive: true });
  return undefined;
}

/**
 * The path of a Chromium for the browser journeys: the one of `CHROMIUM_PATH`, else the one that came with the packages, else one
 * that the machine has. The one of the packages is a headless shell, which takes half of the CPU of a whole browser or less.
 * Undefined when there is none: then Playwright uses its own, or says how to install it.
 */
export async function findBrowser(project: Project): Promise<string | undefined> {
  const wanted = process.env.CHROMIUM_PATH;
  if (!wanted) return (await unpackedBrowser(project)) ?? INSTALLED.find(starts);
  if (starts(wanted)) return wanted;
  throw new Problem(`CHROMIUM_PATH names ${wanted}, which does not start.`, ['Correct it, or leave it out.']);
}
