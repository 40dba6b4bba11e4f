import type { CheckedRuleSetFile } from './check-rule-set-file.ts';

type Finding = CheckedRuleSetFile['findings'][number];

/** One thing that the check of a file found. */
export interface CheckLine {
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
