import { isDeeperThan, type JsonValue } from '@switchyard/db';
import type { Merchant, Prisma, RuleSetVersion } from '@switchyard/db/client';
import { updateMetadataKeys } from '@switchyard/merchants';
import type { MetadataKey, RoutableAccount, RuleSet } from '@switchyard/routing';
import {
  type Analysis,
  analyse,
  checkExpectations,
  combinationProblems,
  type ExpectationResult,
} from '@switchyard/routing/analyse';
import { completeRulesOf } from '@switchyard/routing/complete-rules';
import { KEY_LIMITS, parseRuleDocument, readMetadataKeys } from '@switchyard/routing/rule-set';
import type { FieldProblem } from '@switchyard/runtime';
import { z } from 'zod';
import { unknownAccounts } from './named-accounts.ts';

/** The metadata keys that a merchant declares. */
export function declaredKeys({ metadataKeys }: Pick<Merchant, 'metadataKeys'>): readonly MetadataKey[] {
  return readMetadataKeys(metadataKeys) ?? [];
}

/** Declarations of a document that differ from the merchant's. Its labels may differ, and an enum may lack values. */
export function keyConflicts({ keys = [] }: RuleSet, declared: readonly MetadataKey[]): FieldProblem[] {
  const known = new Map(declared.map((key) => [key.name, key]));
  const conflicts = keys.flatMap((key, at): FieldProblem[] => {
    const own = known.get(key.name);
    const difference = own === undefined ? null : differenceOf(key, own);
    return difference === null ? [] : [{ field: `keys.${at}.${difference.field}`, message: difference.message }];
  });
  if (withKeys(declared, keys).length <= KEY_LIMITS.keys) return conflicts;
  return [...conflicts, { field: 'keys', message: `must be at most ${KEY_LIMITS.keys} with those that the merchant declares` }];
}

function differenceOf(key: MetadataKey, own: MetadataKey): FieldProblem | null {
  if (key.type !== own.type) return { field: 'type', message: `must be ${own.type}, as the merchant declares it` };
  if (!('ignoreCase' in own || 'ignoreCase' in key) && key.type !== 'enum') return null;
  const isLoose = (each: MetadataKey) => 'ignoreCase' in each && each.ignoreCase === true;
  if (isLoose(key) !== isLoose(own))
    return { field: 'ignoreCase', message: `must be ${isLoose(own)}, as the merchant declares it` };
  if (key.type !== 'enum' || own.type !== 'enum') return null;
  const unknown = key.values.find((value) => !own.values.includes(value));
  if (unknown === undefined) return null;
  return { field: 'values', message: `must be among those that the merchant declares: ${own.values.join(', ')}` };
}

/** The merchant's keys with those of a document that it does not declare yet. */
function withKeys(declared: readonly MetadataKey[], keys: readonly MetadataKey[]): readonly MetadataKey[] {
  return [...declared, ...keys.filter(({ name }) => !declared.some((own) => own.name === name))];
}

/** Declares the keys of a document that is published and that the merchant does not declare yet; returns their names. */
export async function declareKeysOf(
  transaction: Prisma.TransactionClient,
  merchant: Pick<Merchant, 'id' | 'metadataKeys'>,
  { keys = [] }: RuleSet,
  now: Date,
): Promise<readonly string[]> {
  const declared = declaredKeys(merchant);
  const all = withKeys(declared, keys);
  if (all.length === declared.length) return [];
  await updateMetadataKeys(transaction, merchant.id, all, now);
  return all.slice(declared.length).map(({ name }) => name);
}

/**
 * Result of checking a document before its publication.
 *
 * Mistakes of the document block its publication: `problems` (its form, accounts that are not the merchant's) and broken
 * expectations. Findings never block, whatever their severity: they describe accounts at present (disabled, above their limit, the
 * only one), which no rule can fix, because routing tries every eligible account whether a rule names it or not; and rules that
 * react to an outage must be publishable during it. `critical` and `warning` need review, `info` does not.
 */
export interface DocumentCheck extends Analysis {
  readonly blocks: boolean;
  readonly problems: readonly FieldProblem[];
  /** Each expectation of the document and whether it holds. */
  readonly expectations: readonly ExpectationResult[];
}

/** The problem of a rule that names an account the merchant does not have. */
export const UNKNOWN_ACCOUNT = "must be one of the merchant's accounts in this mode";

/**
 * Checks a document, which may be any JSON, against a merchant's accounts and declared metadata keys. Reports all problems at once. Findings are those of the
 * complete rules: an incomplete one is a problem, and counts as switched off.
 */
export function checkDocument(
  document: unknown,
  accounts: readonly RoutableAccount[],
  declared: readonly MetadataKey[] = [],
): DocumentCheck {
  const read = parseRuleDocument(document);
  if (read.ok) return checkRuleSet(read.ruleSet, accounts, UNKNOWN_ACCOUNT, declared);
  const complete = completeRulesOf(document);
  const nothing = { blocks: true, problems: read.problems, expectations: [], findings: [], omitted: 0 };
  if (complete === null) return nothing;
  const others = checkRuleSet(complete.ruleSet, accounts, UNKNOWN_ACCOUNT, declared);
  return { ...others, blocks: true, problems: [...read.problems, ...others.problems] };
}

/** The same for a parsed document. `unknown` is the problem message for unknown accounts. */
export function checkRuleSet(
  ruleSet: RuleSet,
  accounts: readonly RoutableAccount[],
  unknown: string,
  declared: readonly MetadataKey[] = [],
): DocumentCheck {
  const combinations = combinationProblems(ruleSet);
  if (combinations.length > 0) return { blocks: true, problems: combinations, expectations: [], findings: [], omitted: 0 };
  const known = new Set(accounts.map(({ accountId }) => accountId));
  const problems = [...unknownAccounts(ruleSet, (account) => known.has(account), unknown), ...keyConflicts(ruleSet, declared)];
  const expectations = checkExpectations(ruleSet, accounts);
  const { findings, omitted } = analyse(ruleSet, accounts);
  return {
    blocks: problems.length > 0 || expectations.some(({ holds }) => !holds),
    problems,
    expectations,
    // These are among the problems already, with their paths.
    findings: findings.filter(({ kind }) => kind !== 'unknown_account'),
    omitted,
  };
}

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

const REASON_MAX = 500;
const NAME_MAX = 120;
const PLAIN = /^[^\p{Cc}\p{Cs}]*$/u;

const reason = z.string().max(REASON_MAX).regex(PLAIN).nullable();
const name = z.string().trim().min(1).max(NAME_MAX).regex(PLAIN).nullable();

/** Problems of a reason; empty where it can be stored. */
export function reasonProblems(value: unknown): FieldProblem[] {
  if (reason.safeParse(value).success) return [];
  return [{ field: 'reason', message: `must be text of at most ${REASON_MAX} characters without control characters` }];
}

/** Problems of a draft's name; empty where it can be stored. */
export function nameProblems(value: unknown): FieldProblem[] {
  if (name.safeParse(value).success) return [];
  return [{ field: 'name', message: `must be text of 1 to ${NAME_MAX} characters without control characters` }];
}

/** The rule set of a stored version; null without one, or when it does not parse. */
export function ruleSetOf(row: Pick<RuleSetVersion, 'document' | 'version'> | null): RuleSet | null {
  const read = row === null ? null : parseRuleDocument(row.document);
  return read?.ok === true ? { ...read.ruleSet, version: row?.version ?? 0 } : null;
}
