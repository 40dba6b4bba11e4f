import { PAYMENT_METHODS, type RoutableAccount, type RuleSet } from '@switchyard/routing';
import type { FindingKind } from '@switchyard/routing/analyse';
import type { FieldProblem } from '@switchyard/runtime';
import { checkRuleSet, type DocumentCheck } from '../document/check-document.ts';
import { namedAccounts } from '../document/named-accounts.ts';
import { readAccountsFile } from './files.ts';
import { inFile, readRuleSetFile } from './rule-set-file.ts';

/** The result of checking a rule file outside the database. */
export type RuleSetFileCheck =
  | CheckedRuleSetFile
  | { readonly kind: 'unreadable_accounts'; readonly problems: readonly FieldProblem[] };

/** Result of the check of a file. */
type CheckedRuleSetFile = {
  readonly kind: 'checked';
  /** True without an accounts file: every label was assumed to be an enabled account that takes every payment. */
  readonly accountsAssumed: boolean;
} & DocumentCheck;

/** Findings that do not depend on accounts. */
const OF_RULES_ALONE: ReadonlySet<FindingKind> = new Set(['overlap', 'duplicate', 'shadowed', 'unreachable', 'gap', 'bad_split']);

/**
 * The check of {@link checkDocument} for an exported file, with nothing but the file and, where given, the accounts that
 * `exportAccounts` wrote, for a merchant's own pipeline. Problems have their path in the file; findings name labels.
 */
export function checkRuleSetFile(file: unknown, accountsFile: unknown): RuleSetFileCheck {
  const given = accountsFile === undefined ? null : readAccountsFile(accountsFile);
  if (given?.ok === false) return { kind: 'unreadable_accounts', problems: given.problems };
  const accountsAssumed = given === null;
  const read = readRuleSetFile(file);
  if (!read.ok) {
    return {
      kind: 'checked',
      accountsAssumed,
      blocks: true,
      problems: read.problems,
      expectations: [],
      findings: [],
      omitted: 0,
    };
  }
  const accounts = given?.accounts ?? assumedAccounts(read.ruleSet);
  const check = checkRuleSet(read.ruleSet, accounts, 'must be the label of an account in the accounts file');
  return {
    kind: 'checked',
    accountsAssumed,
    ...check,
    problems: check.problems.map(({ field, message }) => ({ field: inFile(field), message })),
    findings: accountsAssumed ? check.findings.filter(({ kind }) => OF_RULES_ALONE.has(kind)) : check.findings,
  };
}

/** One account per label that takes every payment the document mentions. */
function assumedAccounts(ruleSet: RuleSet): RoutableAccount[] {
  const payments = (ruleSet.expectations ?? []).map(({ payment }) => payment);
  const currencies = [...ruleSet.rules.map(({ when }) => when.currency), ...payments.map(({ currency }) => currency)];
  const methods = [...ruleSet.rules.flatMap(({ when }) => when.methods), ...payments.map(({ method }) => method)];
  const labels = new Set(namedAccounts(ruleSet).map(({ account }) => account));
  return Array.from(labels, (label) => ({
    accountId: label,
    gateway: label,
    label,
    enabled: true,
    configured: true,
    currencies: [...new Set(currencies)],
    methods: PAYMENT_METHODS.filter((method) => methods.includes(method)),
    minAmount: 0,
    maxAmount: null,
    fees: null,
  }));
}

type Finding = CheckedRuleSetFile['findings'][number];

/** One thing that the check of a file found. */
interface CheckLine {
  /** `error` blocks the publication; the others do not. */
  readonly grade: 'error' | 'critical' | 'warning' | 'note';
  /** The place in the file. */
  readonly path: string;
  readonly message: string;
  /** A payment that shows it; null where there is none. */
  readonly example: object | null;
}

/** Findings of a check as lines of text, the gravest first. */
export function linesOfCheck(check: CheckedRuleSetFile): CheckLine[] {
  const broken = check.expectations.filter(({ holds }) => !holds);
  return [
    ...check.problems.map(({ field, message }) => ({ grade: 'error' as const, path: field, message, example: null })),
    ...broken.map(({ position, expectation, message }) => ({
      grade: 'error' as const,
      path: `ruleSet.expectations.${position}`,
      message: `${expectation.name}: ${message}`,
      example: expectation.payment,
    })),
    ...check.findings.map((finding) => ({
      grade: finding.severity === 'info' ? ('note' as const) : finding.severity,
      path: placeOf(finding),
      message: `${finding.kind}: ${finding.message}`,
      example: finding.example,
    })),
  ];
}

function placeOf({ kind, positions }: Finding): string {
  if (kind === 'account_limit') return 'ruleSet';
  const position = positions.at(-1);
  if (position !== undefined) return `ruleSet.rules.${position}`;
  return kind === 'gap' || kind === 'no_account' || kind === 'no_second_choice' ? 'ruleSet.rules' : 'ruleSet.defaultOrder';
}

/** Findings of the check of a file, as text: a line for each and a summary. */
export function describeCheck(path: string, lines: readonly CheckLine[], check: CheckedRuleSetFile): string {
  return [...lines.map(printLine), summary(path, lines, check), ''].join('\n');
}

/** One line of plain text, whatever a name contains. */
function printLine({ grade, path, message, example }: CheckLine): string {
  const shown = example === null ? '' : ` ${JSON.stringify(example)}`;
  const escaped = (character: string) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  return `${grade} ${path} ${message}${shown}`.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped);
}

function summary(path: string, lines: readonly CheckLine[], check: CheckedRuleSetFile): string {
  const count = (grade: CheckLine['grade'], noun: string) => {
    const number = lines.filter((line) => line.grade === grade).length;
    return number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`];
  };
  const counts = [
    ...count('error', 'error'),
    ...count('critical', 'critical finding'),
    ...count('warning', 'warning'),
    ...count('note', 'note'),
    ...(check.omitted > 0 ? [`${check.omitted} not shown`] : []),
  ];
  const kept = check.expectations.filter(({ holds }) => holds).length;
  const expectations = check.expectations.length === 0 ? '' : ` ${kept} of ${check.expectations.length} expectations hold.`;
  const assumed = check.accountsAssumed
    ? ' No accounts were given: each was assumed to be enabled and to take every payment.'
    : '';
  return `${path}: ${counts.join(', ') || 'nothing found'}.${expectations}${assumed}`;
}
