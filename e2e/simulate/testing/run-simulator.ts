import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../main.ts', import.meta.url));

/** A command that has ended. */
interface Ended {
  readonly output: string;
  readonly code: number | string | null | undefined;
}

/**
 * Runs the simulator as `npm run simulate` does, on the project's own Node, with types and modules as they are when it is started by hand, and
 * in one process, which opens once.
 */
export function runSimulator(options: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, '--jobs', '1', ...options], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, code: error === null ? 0 : error.code }),
    );
  });
}
