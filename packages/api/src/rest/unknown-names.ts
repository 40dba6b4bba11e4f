import { closestMatch } from 'leven';

/** Names farther from every known one than this are no misspelling of it. */
const DISTANCE_MAX = 3;
const NAMES_MAX = 20;

/** The parameters of a query that are not known, each with the rule and the known name that it may stand for; at most 20. */
export function describeUnknownNames(given: readonly string[], known: readonly string[]): string[] {
  const unknown = [...new Set(given)].filter((name) => !known.includes(name)).slice(0, NAMES_MAX);
  return unknown.map((name) => {
    const meant = closestMatch(name, known, { maxDistance: DISTANCE_MAX });
    return meant === undefined ? `${name} is not known` : `${name} is not known; did you mean ${meant}?`;
  });
}
