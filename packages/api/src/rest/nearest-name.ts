import leven from 'leven';
import type { FieldError } from './envelope.ts';

/** Names farther from every known one than this, or than half of their length, are no misspelling of it. */
const DISTANCE_MAX = 2;

/** The known name that a misspelt one was probably meant to be; conventions of writing do not count. Null when none is near. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const plain = plainly(name);
  const maxDistance = Math.min(DISTANCE_MAX, Math.floor(plain.length / 2));
  const near = known
    .map((candidate) => ({ candidate, apart: leven(plain, plainly(candidate), { maxDistance: maxDistance + 1 }) }))
    .filter(({ apart }) => apart <= maxDistance)
    .toSorted((one, other) => one.apart - other.apart)[0];
  return near?.candidate ?? null;
}

/** The error about an unknown name at a path, and the path of the name that was meant. */
export function describeUnknownName(field: string, meant: string | null): FieldError {
  return { field, code: 'unknown_field', rule: meant === null ? 'is not known' : `is not known; did you mean ${meant}?` };
}

/** Without what conventions of writing differ in: `redirect_URL` is `redirecturl`. */
function plainly(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
