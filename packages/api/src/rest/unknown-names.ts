import type { FieldError } from './envelope.ts';
import { describeUnknownName, nearestName } from './nearest-name.ts';

const NAMES_MAX = 20;

/** The parameters of a query that are not known, each with the known name that it may be meant for; at most 20. */
export function describeUnknownNames(given: readonly string[], known: readonly string[]): FieldError[] {
  const unknown = [...new Set(given)].filter((name) => !known.includes(name)).slice(0, NAMES_MAX);
  return unknown.map((name) => describeUnknownName(name, nearestName(name, known)));
}
