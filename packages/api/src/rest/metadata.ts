import { isDeeperThan } from '@switchyard/db';
import { findExactNumber } from '@switchyard/db/exact-json';

const BYTES_MAX = 16 * 1024;
const LEVELS_MAX = 5;

/** The rule that a metadata object violates; null when it can be stored. */
export function metadataProblem(value: object): string | null {
  if (isDeeperThan(value, LEVELS_MAX)) return `must be at most ${LEVELS_MAX} levels deep`;
  const inexact = findExactNumber(value);
  if (inexact !== null) return `must not contain a number that a double does not hold exactly (${inexact}): send it as text`;
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > BYTES_MAX) return `must be at most ${BYTES_MAX} bytes`;
  if (hasUnstorableText(value)) return 'must not contain NUL or unpaired surrogates';
  return null;
}

function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => hasUnstorableText(name) || hasUnstorableText(inner));
}
