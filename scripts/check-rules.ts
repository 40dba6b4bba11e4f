/**
 * Checks exported routing rules without a database: in a merchant's own pipeline, before a change of them is merged.
 *
 *   npm run check-rules -- rules.json [--accounts accounts.json] [--strict]
 *
 * Prints its findings, one per line: severity, place in the file, message, and a payment that shows it. Ends with 0 when the rules
 * could be published, 1 when something blocks them (with --strict also on warnings), 2 when they could not be checked.
 */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkRuleSetFile, describeCheck, linesOfCheck } from '@switchyard/rule-sets/check-rule-set-file';
import { Problem } from './bootstrap/problem.mjs';
import { readOptions, runCommand } from './stack/command.ts';

const USAGE = 'usage: check-rules <rules.json> [--accounts <accounts.json>] [--strict]';
const FILE_MAX_BYTES = 16 * 1024 * 1024;

function readJson(path: string): unknown {
  try {
    const file = resolve(startFolder(), path);
    if (statSync(file).size > FILE_MAX_BYTES) throw new Error(`it has more than ${FILE_MAX_BYTES} bytes`);
    const json: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
    return json;
  } catch (error) {
    throw new Problem(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** npm runs a script in the project's folder, whichever it was called from. */
function startFolder(): string {
  return (process.env.npm_lifecycle_event === 'check-rules' && process.env.INIT_CWD) || process.cwd();
}

await runCommand(async () => {
  const options = { accounts: { type: 'string' }, strict: { type: 'boolean', default: false } } as const;
  const { values, positionals } = readOptions(USAGE, { options, allowPositionals: true });
  const [rules, ...more] = positionals;
  if (rules === undefined || more.length > 0) throw new Problem(USAGE);
  const { accounts, strict } = values;
  const check = checkRuleSetFile(readJson(rules), accounts === undefined ? undefined : readJson(accounts));
  if (check.kind === 'unreadable_accounts') {
    const problems = check.problems.map(({ field, message }) => `${accounts ?? 'accounts'}: ${field} ${message}`);
    throw new Problem(problems.join('\n'));
  }
  const lines = linesOfCheck(check);
  process.stdout.write(describeCheck(rules, lines, check));
  const fails = check.blocks || (strict && lines.some(({ grade }) => grade === 'critical' || grade === 'warning'));
  return fails ? 1 : 0;
});
