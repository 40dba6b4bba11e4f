import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { RuleSetFile, RulesCheck } from '@switchyard/client';
import type { Command } from 'commander';
import { json, printable, type Surroundings, UsageError } from '../print.ts';
import { openClient } from './payments.ts';

const FILE = 'rules.json';
const FILE_MAX_BYTES = 1024 * 1024;

/** `switchyard rules`. `onFailure` is called when rules have an error. */
export function addRules(program: Command, surroundings: Surroundings, onFailure: () => void): void {
  const { out } = surroundings;
  const rules = program.command('rules').description('routing rules as files; the key needs rules:read or rules:write');
  rules
    .command('pull [file]')
    .description(`write the active rules to a file, ${FILE} unless given`)
    .option('--accounts <file>', 'write the accounts that rules can name as well')
    .option('--force', 'overwrite files that hold something else, without asking')
    .action(async (path: string = FILE, { accounts: accountsPath, force }: { accounts?: string; force?: true }) => {
      const { file, accounts } = await openClient(surroundings).rules.retrieve();
      if (file === null) throw new UsageError('No rules are published in this mode.');
      const files = [{ path, content: json(file) }];
      if (accountsPath !== undefined) files.push({ path: accountsPath, content: json(accounts) });
      if (!force) for (const each of files) await askToOverwrite(surroundings, each);
      for (const each of files) writeFileSync(each.path, each.content);
      out(`Wrote version ${file.version} to ${path}\n`);
    });
  rules
    .command('check [file]')
    .description('check a file against your accounts, as before a publication')
    .option('--strict', 'fail on warnings too')
    .option('--json', 'for programs')
    .action(async (path: string = FILE, { strict, json: asJson }: { strict?: true; json?: true }) => {
      const check = await openClient(surroundings).rules.check(readRules(path));
      out(asJson ? json(check) : describe(path, check));
      const grave = check.findings.some(({ grade }) => grade === 'critical' || grade === 'warning');
      if (check.blocks || (strict && grave)) onFailure();
    });
  rules
    .command('push [file]')
    .description('save a file as a draft, which staff publish in the dashboard')
    .option('--name <name>', 'what the draft is called')
    .option('--json', 'for programs')
    .action(async (path: string = FILE, { name, json: asJson }: { name?: string; json?: true }) => {
      const file = readRules(path);
      const draft = await openClient(surroundings).rules.createDraft({ file, ...(name !== undefined && { name }) });
      out(asJson ? json(draft) : `Saved as a draft, not published: ${draft.url}\n`);
    });
}

/** Rules that were edited and not pushed are nowhere else. Asks where a person is; refuses in a pipeline. */
async function askToOverwrite(
  { readLine }: Surroundings,
  { path, content }: { readonly path: string; readonly content: string },
): Promise<void> {
  let held: string;
  try {
    held = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw new UsageError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (held === content) return;
  const answer = await readLine(`${path} holds something else. Overwrite it? [y/N] `);
  if (answer === null) throw new UsageError(`${path} holds something else. Give --force to overwrite it; nothing was written.`);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was written.');
}

function readRules(path: string): RuleSetFile {
  let text: string;
  try {
    if (statSync(path).size > FILE_MAX_BYTES) throw new Error(`it has more than ${FILE_MAX_BYTES} bytes`);
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    const file: unknown = JSON.parse(text);
    if (typeof file !== 'object' || file === null || Array.isArray(file)) throw new Error('it holds no object');
    return { ...file };
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function describe(path: string, { findings, omitted, expectations, blocks }: RulesCheck): string {
  const lines = findings.map(({ grade, path: place, message, example }) => {
    return printable(`${grade} ${place} ${message}${example === null ? '' : ` ${JSON.stringify(example)}`}`);
  });
  const more = omitted > 0 ? [`${omitted} more are not shown`] : [];
  const held = expectations.total === 0 ? '' : ` ${expectations.held} of ${expectations.total} expectations hold.`;
  const end = `${path}: ${blocks ? 'these rules cannot be published' : 'these rules can be published'}.${held}`;
  return `${[...lines, ...more, end].join('\n')}\n`;
}
