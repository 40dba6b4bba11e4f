/**
 * An error that the person at the terminal can fix. It is shown without a stack trace: the first line is the error, the hints
 * are ways to fix it.
 */
export class Problem extends Error {
  readonly hints: readonly string[];

  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'Problem';
    this.hints = hints;
  }
}

/** The code of a system or database error (`EACCES`, `3D000`), or undefined when it carries none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Turns whatever was thrown into a Problem. Faults of the file system are explained; a bug of ours points at the log. */
export function asProblem(error: unknown, logFile: string): Problem {
  if (error instanceof Problem) return error;
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return noWriteAccess(path ?? 'a file', error);
    case 'ENOSPC':
      return new Problem('The disk is full.', ['Free some space and start again: what was kept so far is intact.'], error);
    default:
      return new Problem(
        `That did not work: ${error instanceof Error ? error.message : String(error)}`,
        [`Details: ${logFile}`],
        error,
      );
  }
}

/** The Problem of a file or folder that the current user may not write. */
export function noWriteAccess(path: string, cause?: unknown): Problem {
  const user = process.getuid?.() === 0 ? 'root' : (process.env.USER ?? `user ${process.getuid?.() ?? ''}`.trim());
  return new Problem(
    `No write access: ${path}`,
    [
      `This process runs as ${user}, who may not write there.`,
      'Run it as the user who owns the folder, or copy the project into a folder of your own.',
    ],
    cause,
  );
}
