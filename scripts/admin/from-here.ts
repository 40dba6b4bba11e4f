import { resolve } from 'node:path';

/** A path below the folder that the command was given in: npm runs it in the project's folder, whichever it was called from. */
export function fromHere(path: string): string {
  return resolve((process.env.npm_lifecycle_event === 'admin' && process.env.INIT_CWD) || process.cwd(), path);
}
