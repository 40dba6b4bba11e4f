import type { CheckLine } from './check-lines.ts';
import type { CheckedRuleSetFile } from './check-rule-set-file.ts';

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
