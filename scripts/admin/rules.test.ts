import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const COMMAND = fileURLToPath(new URL('main.ts', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-rules-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command as a pipeline would: in another folder, with a clean environment but for the cache of compiled code. */
function check(...args: string[]) {
  return runIn(folder, {}, args);
}

function runIn(cwd: string, more: Record<string, string>, args: readonly string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'rules', 'check', ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return { status, lines: stdout.split('\n').slice(0, -1), stderr };
}

function write(name: string, content: unknown): string {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

const rule = (ruleId: string, account: string, to: number | null) => ({
  ruleId,
  name: ruleId,
  enabled: true,
  when: { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to } },
  then: { strategy: 'priority', accounts: [account] },
});
const expectation = (...goesTo: string[]) => ({
  name: 'small cards',
  payment: { currency: 'NGN', amount: 2500, method: 'CARD', customerCountry: null },
  goesTo,
});
const rules = (ruleSet: object) => ({
  schemaVersion: 1,
  mode: 'live',
  version: 4,
  ruleSet: { defaultOrder: ['main'], ...ruleSet },
});
const account = (label: string, change: object = {}) => ({
  gateway: 'paystack',
  label,
  enabled: true,
  configured: true,
  currencies: ['NGN'],
  methods: ['CARD'],
  minAmount: 0,
  maxAmount: null,
  fees: null,
  ...change,
});
const accounts = (...list: object[]) => ({ schemaVersion: 1, mode: 'live', accounts: list });

describe('rules that could be published', () => {
  it('end with 0 and one line', () => {
    const file = write('rules.json', rules({ rules: [rule('all', 'main', null)], expectations: [expectation('main')] }));
    expect(check(file, '--accounts', write('accounts.json', accounts(account('main'), account('second'))))).toEqual({
      status: 0,
      lines: [
        'note ruleSet.defaultOrder unlisted_account: second is in no rule and not in the default order: it is tried only behind those that are listed and healthy.',
        'rules.json: 1 note. 1 of 1 expectations hold.',
      ],
      stderr: '',
    });
  });

  it('print warnings with a payment that shows each, and end with 1 on them only with --strict', () => {
    const file = write('rules.json', rules({ rules: [rule('wide', 'main', null), rule('narrow', 'second', 5000)] }));
    const { status, lines } = check(file);
    expect(lines).toEqual([
      'warning ruleSet.rules.1 shadowed: Rule 2 never decides: rule 1 takes every payment it matches, such as NGN 1.00 by card. {"currency":"NGN","amount":1,"method":"CARD","customerCountry":null}',
      'rules.json: 1 warning. No accounts were given: each was assumed to be enabled and to take every payment.',
    ]);
    expect(status).toBe(0);
    expect(check(file, '--strict').status).toBe(1);
  });
});

describe('rules that could not be published end with 1', () => {
  it('and print the place of each error in the file', () => {
    const broken = {
      ...rule('x', 'main', 5),
      name: '',
      when: { currency: 'naira', methods: ['CARD'], amount: { from: 9, to: 5 } },
    };
    const { status, lines } = check(write('rules.json', rules({ rules: [broken], note: 'to do' })));
    expect(status).toBe(1);
    expect(lines.toSorted()).toEqual([
      'error ruleSet.note is not a known field',
      'error ruleSet.rules.0.name must not be empty',
      'error ruleSet.rules.0.when.amount.to must not be below "from"',
      'error ruleSet.rules.0.when.currency must be an ISO 4217 code in capitals',
      'rules.json: 4 errors. No accounts were given: each was assumed to be enabled and to take every payment.',
    ]);
  });

  it('and every expectation that breaks, with its payment', () => {
    const file = write('rules.json', rules({ rules: [rule('all', 'main', null)], expectations: [expectation('second')] }));
    const { status, lines } = check(file);
    expect(status).toBe(1);
    expect(lines[0]).toBe(
      'error ruleSet.expectations.0 small cards: NGN 2,500.00 by card goes to main, and not to second. {"currency":"NGN","amount":2500,"method":"CARD","customerCountry":null}',
    );
    expect(lines.at(-1)).toContain('0 of 1 expectations hold.');
  });

  it('and every label that is not among the accounts given', () => {
    const file = write('rules.json', rules({ rules: [rule('all', 'second', null)] }));
    const { status, lines } = check(file, '--accounts', write('accounts.json', accounts(account('main'))));
    expect(status).toBe(1);
    expect(lines[0]).toBe('error ruleSet.rules.0.then.accounts.0 must be the label of an account in the accounts file');
  });

  it('and print names on one line, whatever they contain', () => {
    const name = 'all\u001b[31m\n::error::\u2028x';
    const file = write('rules.json', rules({ rules: [], expectations: [{ ...expectation('second'), name }] }));
    const { lines } = check(file);
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['error', 'note', 'rules.json:']);
    expect(lines[0]).toContain('all\\u001b[31m\\u000a::error::\\u2028x');
  });
});

it('accounts that are disabled or too small are reported', () => {
  const file = write('rules.json', rules({ rules: [rule('all', 'main', null)] }));
  const given = accounts(account('main', { enabled: false }), account('small', { maxAmount: 100 }));
  const { status, lines } = check(file, '--accounts', write('accounts.json', given));
  expect(status).toBe(0);
  expect(lines.filter((line) => line.startsWith('critical ruleSet.rules.0 no_account:'))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith('warning ruleSet.rules.0 disabled_account:'))).toHaveLength(1);
});

it('started by npm, paths are those of the folder npm was called in', () => {
  write('rules.json', rules({ rules: [rule('all', 'main', null)] }));
  const npm = { npm_lifecycle_event: 'admin', INIT_CWD: folder };
  expect(runIn(tmpdir(), npm, ['rules.json'])).toMatchObject({ status: 0, stderr: '' });
});

describe('input that cannot be checked ends with 2, and a reason on stderr', () => {
  it.each([
    ['no file', () => [], 'usage: switchyard-admin rules check'],
    ['two files', () => ['a.json', 'b.json'], 'usage: switchyard-admin rules check'],
    ['an unknown option', () => ['a.json', '--loose'], '--loose'],
    ['a file that is not there', () => ['missing.json'], 'missing.json cannot be read'],
    ['a folder', () => [folder], 'cannot be read'],
    ['a file that is not JSON', () => [write('rules.json', '{')], 'rules.json cannot be read'],
    [
      'accounts that are not in order',
      () => [write('rules.json', rules({ rules: [] })), '--accounts', write('accounts.json', accounts({ label: '' }))],
      'accounts.json: accounts.0.label must not be empty',
    ],
  ])('%s', (_what, args, message) => {
    const { status, lines, stderr } = check(...args());
    expect(status).toBe(2);
    expect(lines).toEqual([]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });
});
