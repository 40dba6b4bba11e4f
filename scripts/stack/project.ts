import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holderOf } from '../bootstrap/claim.mjs';
import { Problem } from '../bootstrap/problem.mjs';

/** Where the project is, and where what it makes on this machine goes. */
export interface Project {
  readonly root: string;
  readonly migrations: string;
  /** Everything local to this machine: data, secrets, logs. Ignored by git. */
  readonly local: string;
  readonly logs: string;
  readonly postgres: string;
  readonly demoFile: string;
  readonly secretsFile: string;
  /** Claimed by the process that runs the stack or its database. */
  readonly runFile: string;
  /** Environment that the last start gave its programs. */
  readonly environmentFile: string;
}

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The project that this file belongs to, with its local files in `.local` or in the folder given. */
export function thisProject(local: string = join(ROOT, '.local')): Project {
  const at = (...path: string[]): string => join(resolve(local), ...path);
  return {
    root: ROOT,
    migrations: join(ROOT, 'prisma', 'migrations'),
    local: resolve(local),
    logs: at('logs'),
    postgres: at('postgres'),
    demoFile: at('demo.json'),
    secretsFile: at('secrets.json'),
    runFile: at('run.json'),
    environmentFile: at('env'),
  };
}

/** The Problem of a second start from the same folder. */
export function alreadyRunning(project: Project): Problem {
  const holder = holderOf(project.runFile);
  const pid = holder?.owner.pid ?? '?';
  return new Problem(`Switchyard is already running from this folder (process ${pid}).`, [
    holder?.webUrl ? `It answers at ${holder.webUrl}` : 'It is still starting.',
    `Stop it by Ctrl-C in its terminal, or by: kill ${pid}`,
  ]);
}
