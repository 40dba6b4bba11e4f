import type { Mode } from '@switchyard/db/client';
import type { RuleSet } from '@switchyard/routing';
import { parseRuleDocument, ruleSetSchema } from '@switchyard/routing/rule-set';
import type { FieldProblem } from '@switchyard/runtime';
import { z } from 'zod';
import { namedAccounts, renameAccounts } from '../document/named-accounts.ts';

/** Path of these files' JSON Schema, below the public address. */
export const RULE_SET_FILE_SCHEMA_PATH = '/schemas/rule-set-1.json';

/**
 * Rules as a file for a merchant's repository, which can move between modes and merchants: accounts are named by label, never by
 * id. The same rules always give the same text, so that files differ only where rules do.
 */
export interface RuleSetFile {
  /** Address of the JSON Schema, for editors; ignored on import. */
  readonly $schema?: string;
  readonly schemaVersion: 1;
  /** Mode of the exported rules; they can be imported into any mode. */
  readonly mode: Mode;
  /** The exported version; 0 for a draft. */
  readonly version: number;
  /** Accounts by label. */
  readonly ruleSet: Omit<RuleSet, 'version'>;
}

const envelope = {
  $schema: z.string('must be text').max(2_000, 'must have at most 2000 characters').exactOptional(),
  schemaVersion: z.literal(1, 'must be 1'),
  mode: z.enum(['test', 'live'], 'must be test or live'),
  version: z.int('must be a whole number').min(0, 'must not be negative'),
};
const envelopeSchema = z.strictObject({ ...envelope, ruleSet: z.looseObject({}, 'must be an object') }, 'must be an object');
const fileSchema = z.strictObject({ ...envelope, ruleSet: ruleSetSchema.omit({ version: true }) });

/** JSON Schema (draft 2020-12) of a rule-set file. Sums, repeats, the order of band ends and labels are beyond it. */
export function ruleSetFileJsonSchema(url?: string): Record<string, unknown> {
  return {
    ...(url !== undefined && { $id: url }),
    ...z.toJSONSchema(fileSchema, { io: 'input' }),
    title: 'Switchyard rule-set file',
    description: 'Routing rules of one merchant and mode. Accounts are named by their labels.',
  };
}

/** Converts a rule set to a file. `labelOf` is undefined for an account that no longer exists: each of its paths is a problem. */
export function toRuleSetFile(
  ruleSet: RuleSet,
  about: { readonly mode: Mode; readonly schemaUrl: string },
  labelOf: (accountId: string) => string | undefined,
): { readonly ok: true; readonly file: RuleSetFile } | { readonly ok: false; readonly problems: readonly FieldProblem[] } {
  const problems = namedAccounts(ruleSet)
    .filter(({ account }) => labelOf(account) === undefined)
    .map(({ path, account }) => ({ field: path, message: `names account ${account}, which is gone` }));
  if (problems.length > 0) return { ok: false, problems };
  const { version, ...labelled } = renameAccounts(ruleSet, (account) => labelOf(account) ?? account);
  const { mode, schemaUrl } = about;
  return { ok: true, file: { $schema: schemaUrl, schemaVersion: 1, mode, version, ruleSet: labelled } };
}

/** The text of a file: indented, with a line end. */
export function formatRuleSetFile(file: RuleSetFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The rules of a file, or every problem. */
export type ReadRuleSetFile =
  | { readonly ok: true; readonly ruleSet: RuleSet }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Parses a file from plain JSON, with every problem at its path in the file. Accounts are still named by label. */
export function readRuleSetFile(json: unknown): ReadRuleSetFile {
  const outer = envelopeSchema.safeParse(json, { reportInput: true });
  const problems: FieldProblem[] = outer.success ? [] : outer.error.issues.flatMap(outerProblems);
  const inner = innerOf(json);
  if (inner === null) return { ok: false, problems };
  if ('version' in inner) problems.push({ field: 'ruleSet.version', message: 'is not a known field' });
  const parsed = parseRuleDocument(inner);
  if (!parsed.ok) {
    problems.push(...parsed.problems.map(({ field, message }) => ({ field: inFile(field), message })));
  }
  return parsed.ok && problems.length === 0 ? parsed : { ok: false, problems };
}

/** Converts a path in a document to a path in its file. */
export function inFile(path: string): string {
  return `ruleSet.${path}`;
}

function innerOf(json: unknown): object | null {
  if (typeof json !== 'object' || json === null || !('ruleSet' in json)) return null;
  const { ruleSet } = json;
  return typeof ruleSet === 'object' && ruleSet !== null && !Array.isArray(ruleSet) ? ruleSet : null;
}

function outerProblems(issue: z.core.$ZodIssue): FieldProblem[] {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: [...at, key].join('.'), message: 'is not a known field' }));
  }
  return [{ field: at.join('.') || 'file', message: issue.input === undefined ? 'is required' : issue.message }];
}
