import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asProblem, problemText } from '../bootstrap/problem.mjs';
import { readCommandLine, runCommandLine } from './command-line.ts';
import { NOUNS } from './nouns.ts';

const COMMAND = join(import.meta.dirname, 'main.ts');
const VERBS = [...NOUNS].flatMap(([noun, verbs]) => [...verbs.keys()].map((verb) => `${noun} ${verb}`));

/** The output of a command line, or the message of its refusal. */
async function admin(words: string, program = 'switchyard-admin'): Promise<{ printed: string } | { refused: string }> {
  const printed: string[] = [];
  const commandLine = readCommandLine(words.split(' ').filter(Boolean), program);
  try {
    await runCommandLine(commandLine, (text) => printed.push(text));
    return { printed: printed.join('\n') };
  } catch (error) {
    return { refused: problemText(asProblem(error, [])) };
  }
}

test('the help names every verb, and a command line without one is refused with it', async () => {
  const help = await admin('--help');
  for (const verb of VERBS) expect(help).toEqual({ printed: expect.stringContaining(`\n  ${verb} `) });
  expect(await admin('help')).toEqual(help);
  expect(await admin('')).toEqual({ refused: 'printed' in help && help.printed });
});

test.each([
  ['keys --help', /^usage: switchyard-admin keys <verb> \[options\]\n\n {2}keys rotate {2}\w/],
  [
    'backups prune -h',
    /^usage: switchyard-admin backups prune --backup FOLDER \[--keep N\]\n\n.*\n\n(.*\n)* {2}--keep N {2,}how many/,
  ],
])('%s names what is below the word', async (words, text) => {
  expect(await admin(words)).toEqual({ printed: expect.stringMatching(text) });
});

test.each([
  ['key rotate', 'There is no key.\n  Nearest: keys'],
  ['audit verfy', 'There is no audit verfy.\n  Nearest: audit verify'],
  ['accounts list', 'There is no accounts.\n  There are: owner, keys'],
  ['keys rotate --dryrun', 'There is no --dryrun.\n  Nearest: --dry-run\n  usage: switchyard-admin keys rotate [--dry-run]'],
  ['reports check all', 'There is no place for all.\n  usage: switchyard-admin reports check'],
  ['backups prune --backup here --keep 0', '--keep has to be a whole number above 0.\n  usage: '],
  ['backups restore --backup here --to now --data there', '--to has to be a moment with an offset'],
  ['customers erase --mode test', '--merchant is needed.'],
  ['decisions verify --merchant M-100001', "--merchant has to be a merchant's id."],
  ['database distribute --shards 2000', '--shards has to be at most 1024.'],
  ['rules check', 'FILE is needed.'],
])('%s is refused with what is near or right', async (words, message) => {
  expect(await admin(words)).toEqual({ refused: expect.stringContaining(message) });
});

function run(words: string, changes: NodeJS.ProcessEnv = {}) {
  const args = [COMMAND, ...words.split(' ').filter(Boolean)];
  return spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ...changes } });
}

test('a command that cannot run ends with 2, some with 1, and names itself as npm runs it', () => {
  expect(run('')).toMatchObject({ status: 2, stdout: '' });
  const npm = { npm_lifecycle_event: 'admin' };
  expect(run('owner create', npm)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('usage: npm run admin -- owner create'),
  });
});

/** Prints our modules as a process loads them. */
const REPORT = `
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    const own = /(scripts.admin|packages).+/.exec(url.includes('node_modules') ? '' : url);
    if (own) console.error('loads', own[0]);
    return next(url, context);
  },
});`;

function loadedBy(words: string): string[] {
  const { stderr } = run(words, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REPORT)}` });
  return [...stderr.matchAll(/^loads (.+)$/gm)].map(([, path = '']) => path);
}

test('only the modules of the verb that is called are loaded', () => {
  const always = ['scripts/admin/command-line.ts', 'scripts/admin/main.ts', 'scripts/admin/nouns.ts', 'scripts/admin/verb.ts'];
  expect(loadedBy('customers erase --help').toSorted()).toEqual(always);
  const loaded = loadedBy('rules check nowhere.json');
  expect(loaded.filter((path) => path.startsWith('scripts/')).toSorted()).toEqual(
    [...always, 'scripts/admin/rules.ts'].toSorted(),
  );
  expect(loaded).toContain('packages/rule-sets/src/files/check-rule-set-file.ts');
  expect(loaded.filter((path) => /^packages.(staff|privacy|reporting|payments)/.test(path))).toEqual([]);
});
