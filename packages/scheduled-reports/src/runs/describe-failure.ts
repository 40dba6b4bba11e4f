import { isDatabaseUnavailable } from '@switchyard/db';
import { WorkbookLimitError } from '@switchyard/reporting/files';
import { FileTooLargeError } from './packed-file.ts';

/** Why a try failed, as a code or a short text that the dashboard puts into words; `again`: another try may help. */
export interface RunFailure {
  readonly code: string;
  readonly again: boolean;
}

/** The failure behind an error. An answer of a mail server is `email 550`, a failure of its connection `email ECONNREFUSED`. */
export function describeFailure(error: unknown): RunFailure {
  if (error instanceof WorkbookLimitError) return { code: 'too_many_rows', again: false };
  if (error instanceof FileTooLargeError) return { code: 'too_large', again: false };
  if (isDatabaseUnavailable(error)) return { code: 'database_unavailable', again: true };
  if (!(error instanceof Error)) return { code: 'unknown', again: true };
  if (error.name === 'TimeoutError') return { code: 'timeout', again: true };
  if ('responseCode' in error && typeof error.responseCode === 'number') {
    return { code: `email ${error.responseCode}`, again: error.responseCode < 500 };
  }
  const isMail = 'code' in error && typeof error.code === 'string' && 'command' in error;
  return isMail ? { code: `email ${String(error.code)}`, again: true } : { code: 'unknown', again: true };
}
