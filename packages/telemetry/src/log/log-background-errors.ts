import { OwnFaultError } from '@switchyard/db';
import type { Logger } from 'pino';

/** Writes errors of background work to a log: warnings, and errors where the fault is this installation's own. */
export function logBackgroundErrors(log: Logger, words = 'trouble'): (error: unknown, doing: string) => void {
  return (error, doing) => log[error instanceof OwnFaultError ? 'error' : 'warn']({ error }, `${words} while ${doing}`);
}
