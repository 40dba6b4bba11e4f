import { readFileSync, statSync } from 'node:fs';
import { checkRuleSetFile, describeCheck, linesOfCheck } from '@switchyard/rule-sets/check-rule-set-file';
import { Problem } from '../bootstrap/problem.mjs';
import { fromHere } from './verb.ts';

const FILE_MAX_BYTES = 16 * 1024 * 1024;

function readJson(path: string): unknown {
  try {
    const file = fromHere(path);
    if (statSync(file).size > FILE_MAX_BYTES) throw new Error(`it has more than ${FILE_MAX_BYTES} bytes`);
    const json: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
    return json;
  } catch (error) {
    throw new Problem(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * `rules check`: prints the findings, one a line: severity, place in the file, message, and a payment that shows it. Resolves with 0 when the
 * rules could be published, 1 when something blocks them (with `strict` also on warnings).
 */
export async function checkRules(given: { rules: string; accounts?: string | undefined; strict: boolean }): Promise<number> {
  const { rules, accounts, strict } = given;
  const check = checkRuleSetFile(readJson(rules), accounts === undefined ? undefined : readJson(accounts));
  if (check.kind === 'unreadable_accounts') {
    const problems = check.problems.map(({ field, message }) => `${accounts ?? 'accounts'}: ${field} ${message}`);
    throw new Problem(problems.join('\n'));
  }
  const lines = linesOfCheck(check);
  process.stdout.write(describeCheck(rules, lines, check));
  const fails = check.blocks || (strict && lines.some(({ grade }) => grade === 'critical' || grade === 'warning'));
  return fails ? 1 : 0;
}
