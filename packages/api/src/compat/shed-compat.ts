import type { DialectAnswer } from '@switchyard/compat';
import * as flutterwave from '@switchyard/compat/flutterwave';
import * as paystack from '@switchyard/compat/paystack';

/** A path under a dialect's prefix: the dialect, and the path in it. */
export const DIALECT_PATH = /^\/compat\/(paystack|flutterwave)(\/.*)?$/;

/** The answer to a request that is shed, in the form of the path's dialect; null for a path of none. */
export function shedCompat(path: string): DialectAnswer | null {
  const [, name] = DIALECT_PATH.exec(path) ?? [];
  if (name === undefined) return null;
  return (name === 'flutterwave' ? flutterwave : paystack).refuse({ kind: 'unavailable' });
}
