import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the project is, and where what it makes on this machine goes. */
export interface Project {
  readonly root: string;
  /** Everything local to this machine: data, secrets, logs. Ignored by git. */
  readonly local: string;
  readonly logs: string;
  readonly postgres: string;
  readonly demoFile: string;
  readonly secretsFile: string;
  readonly runFile: string;
  /** What the last start gave its programs. */
  readonly environmentFile: string;
}

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The project that this file belongs to, with its local files in `.local` or in the folder given. */
export function thisProject(local: string = join(ROOT, '.local')): Project {
  const at = (...path: string[]): string => join(resolve(local), ...path);
  return {
    root: ROOT,
    local: resolve(local),
    logs: at('logs'),
    postgres: at('postgres'),
    demoFile: at('demo.json'),
    secretsFile: at('secrets.json'),
    runFile: at('run.json'),
    environmentFile: at('env'),
  };
}
