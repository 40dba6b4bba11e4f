import leven from 'leven';

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

/** One problem as an error says it: the path of the unknown name, and that of the one that was meant. */
export function describeUnknownName(path: string, meant: string | null): string {
  return meant === null ? `${path} is not known` : `${path} is not known; did you mean ${meant}?`;
}

/** Without what conventions of writing differ in: `redirect_URL` is `redirecturl`. */
function plainly(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
