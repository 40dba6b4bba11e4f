import { execFileSync, spawnSync } from 'node:child_process';
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
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Problem } from '../stack/problem.ts';
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

/** Whether this is a browser that starts: on some systems a script of that name only prints how to install one. */
function starts(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return spawnSync(path, ['--no-sandbox', '--version'], { timeout: ANSWER_LIMIT_MS }).status === 0;
  } catch {
    return false;
  }
}

function fromEndToEnd(project: Project): NodeJS.Require {
  return createRequire(join(project.root, 'e2e', 'package.json'));
}

/** The browser that Playwright downloads by itself. */
function downloadedByPlaywright(project: Project): string | undefined {
  try {
    const playwright: { chromium: { executablePath(): string } } = fromEndToEnd(project)('@playwright/test');
    return playwright.chromium.executablePath();
  } catch {
    return undefined;
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

/** Unpacks the headless Chromium that one of the packages carries; undefined when it does not run on this machine. */
export function unpackedBrowser(project: Project): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const entry = fromEndToEnd(project).resolve('@sparticuz/chromium');
  const manifest = readFileSync(join(dirname(dirname(entry)), 'package.json'), 'utf8');
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest));
  const folder = join(project.root, '.local', 'browser', version);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}.unfinished`;
    mkdirSync(unfinished, { recursive: true });
    // It unpacks into the system's folder for temporary files, whose name is this variable.
    const program = fileURLToPath(new URL('./unpack-browser.ts', import.meta.url));
    execFileSync(process.execPath, [program, entry], { env: { ...process.env, TMPDIR: unfinished } });
    chmodSync(join(unfinished, 'chromium'), 0o755);
    renameSync(unfinished, folder);
  }
  const script = join(folder, 'chromium.sh');
  writeFileSync(join(folder, 'fonts.conf'), fontSettings(folder));
  writeFileSync(script, wrapper(folder), { mode: 0o755 });
  if (starts(script)) return script;
  rmSync(folder, { recursive: true });
  return undefined;
}

/** Last resort, where the user may install for the whole system. */
function installedByApt(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update'], { env, stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env, stdio: 'ignore' });
  return '/usr/bin/chromium';
}

/**
 * The path of a Chromium for the browser journeys: the one of `CHROMIUM_PATH`, else one that the machine has, else the one that
 * came with the packages, else one from the system's packages. Throws a Problem when there is none to be had.
 */
export function findBrowser(project: Project): string {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted) {
    if (starts(wanted)) return wanted;
    throw new Problem(`CHROMIUM_PATH names ${wanted}, which does not start.`, ['Correct it, or leave it out.']);
  }
  const sources = [
    ...INSTALLED.map((path) => () => path),
    () => downloadedByPlaywright(project),
    () => unpackedBrowser(project),
    installedByApt,
  ];
  for (const source of sources) {
    const path = source();
    if (path && existsSync(path) && starts(path)) return path;
  }
  throw new Problem('There is no Chromium for the browser journeys, and none could be installed.', [
    'Install one (Debian: apt-get install chromium), or name it: CHROMIUM_PATH=/path/to/chromium npm test',
  ]);
}
