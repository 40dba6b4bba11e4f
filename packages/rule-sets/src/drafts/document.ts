import type { JsonValue } from '@switchyard/db';
import type { FieldProblem } from '@switchyard/merchants';
import type { RuleSet } from '@switchyard/routing';
import { parseRuleSet } from '@switchyard/routing/rule-set';

/** Most characters of JSON a document may have. */
export const DOCUMENT_MAX_CHARS = 8 * 1024 * 1024;
const DEPTH_MAX = 20;

export type ReadDocument =
  | { readonly ok: true; readonly ruleSet: RuleSet }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/**
 * Reads `{ rules, defaultOrder, expectations? }` as a rule set of version 0; a `version` in it is ignored. Every problem is
 * reported at once.
 */
export function readDocument(document: unknown): ReadDocument {
  const parsed = parseRuleSet(isObject(document) ? { ...document, version: 0 } : document);
  if (parsed.ok) return parsed;
  return { ok: false, problems: parsed.problems.map(({ path, message }) => ({ field: path, message })) };
}

export type StorableDocument =
  | { readonly ok: true; readonly document: JsonValue }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** A document as a draft keeps it: any object within bounds, since work in progress need not be right yet. */
export function storableDocument(document: unknown): StorableDocument {
  const refuse = (message: string) => ({ ok: false, problems: [{ field: 'document', message }] }) as const;
  if (!isObject(document)) return refuse('must be an object');
  if (isDeeperThan(document, DEPTH_MAX)) return refuse(`must be nested at most ${DEPTH_MAX} deep`);
  const text = JSON.stringify({ ...document, version: 0 });
  if (text.length > DOCUMENT_MAX_CHARS) return refuse(`must have at most ${DOCUMENT_MAX_CHARS} characters of JSON`);
  return { ok: true, document: JSON.parse(text) };
}

/** A rule set as it is stored. */
export function documentOf(ruleSet: RuleSet): JsonValue {
  return JSON.parse(JSON.stringify(ruleSet));
}

/** The rule set of a merchant that has never published one. */
export const NO_RULES: RuleSet = { version: 0, rules: [], defaultOrder: [] };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDeeperThan(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((each) => isDeeperThan(each, most - 1));
}
