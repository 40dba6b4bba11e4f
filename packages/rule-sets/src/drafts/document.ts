import type { JsonValue } from '@switchyard/db';
import { isDeeperThan } from '@switchyard/db';
import type { RuleSet } from '@switchyard/routing';
import type { FieldProblem } from '@switchyard/runtime';

/** Most characters of JSON a document may have. */
export const DOCUMENT_MAX_CHARS = 8 * 1024 * 1024;
const DEPTH_MAX = 20;

/** A document that can be stored as a draft, or why it cannot. */
export type StorableDocument =
  | { readonly ok: true; readonly document: JsonValue }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Checks a draft's document: any object within bounds, because work in progress need not be valid rules yet. */
export function storableDocument(document: unknown): StorableDocument {
  const refuse = (message: string) => ({ ok: false, problems: [{ field: 'document', message }] }) as const;
  if (!isObject(document)) return refuse('must be an object');
  if (isDeeperThan(document, DEPTH_MAX)) return refuse(`must be nested at most ${DEPTH_MAX} deep`);
  const text = JSON.stringify({ ...document, version: 0 });
  if (text.length > DOCUMENT_MAX_CHARS) return refuse(`must have at most ${DOCUMENT_MAX_CHARS} characters of JSON`);
  return { ok: true, document: JSON.parse(text) };
}

/** A rule set as stored JSON. */
export function documentOf(ruleSet: RuleSet): JsonValue {
  return JSON.parse(JSON.stringify(ruleSet));
}

/** The rule set of a merchant that has never published one. */
export const NO_RULES: RuleSet = { version: 0, rules: [], defaultOrder: [] };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
