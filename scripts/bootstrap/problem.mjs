/** An error that the person at the terminal can fix: shown without a stack trace, with hints at ways to fix it. */
export class Problem extends Error {
  /**
   * @param {string} message
   * @param {readonly string[]} [hints]
   * @param {unknown} [cause]
   */
  constructor(message, hints = [], cause = undefined) {
    super(message, { cause });
    this.name = 'Problem';
    this.hints = hints;
  }
}

/**
 * The code of a system or database error (`EACCES`, `3D000`), or undefined when it carries none.
 *
 * @param {unknown} error
 * @returns {string | undefined}
 */
export function errorCode(error) {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * The Problem of a file or folder that the current user may not write.
 *
 * @param {string} path
 * @param {unknown} [cause]
 */
export function noWriteAccess(path, cause) {
  const user = process.getuid?.() === 0 ? 'root' : (process.env.USER ?? `user ${process.getuid?.() ?? ''}`.trim());
  const hints = [
    `This process runs as ${user}, who may not write there.`,
    'Run it as the user who owns the folder, or copy the project into a folder of your own.',
  ];
  return new Problem(`No write access: ${path}`, hints, cause);
}

/**
 * Turns whatever was thrown into a Problem. Faults of the file system are explained.
 *
 * @param {unknown} error
 * @param {readonly string[]} hints for an error that is not known
 */
export function asProblem(error, hints) {
  if (error instanceof Problem) return error;
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return noWriteAccess(error instanceof Error && 'path' in error ? String(error.path) : 'a file', error);
    case 'ENOSPC':
      return new Problem('The disk is full.', ['Free some space and start again.'], error);
    default:
      return new Problem(`That did not work: ${error instanceof Error ? error.message : String(error)}`, hints, error);
  }
}

/**
 * The message with the hints below it.
 *
 * @param {Problem} problem
 */
export function problemText({ message, hints }) {
  return [message, ...hints].join('\n  ');
}
