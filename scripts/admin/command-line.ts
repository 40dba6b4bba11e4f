import { Problem } from '../bootstrap/problem.mjs';
import { NOUNS } from './nouns.ts';
import { describeOptions, synopsis, table, unknownWord, type Verb } from './verb.ts';

const HELP: readonly string[] = ['--help', '-h'];

type Noun = ReadonlyMap<string, Verb>;

/** The words that were given, and the noun and verb that they name. A word that names nothing is there without it. */
interface CommandLine {
  /** How the command is called: `switchyard-admin`. */
  readonly program: string;
  readonly asksForHelp: boolean;
  readonly nounName: string | undefined;
  readonly noun: Noun | undefined;
  readonly verbName: string | undefined;
  readonly verb: Verb | undefined;
  /** The arguments after the verb. */
  readonly args: readonly string[];
}

export function readCommandLine(given: readonly string[], program: string): CommandLine {
  const asksForHelp = given[0] === 'help' || given.some((each) => HELP.includes(each));
  const words = given.slice(given[0] === 'help' ? 1 : 0).filter((each) => !HELP.includes(each));
  const [nounName, verbName, ...args] = words;
  const noun = nounName === undefined ? undefined : NOUNS.get(nounName);
  const verb = verbName === undefined ? undefined : noun?.get(verbName);
  return { program, asksForHelp, nounName, noun, verbName, verb, args };
}

/**
 * Runs the verb, or prints the help that was asked for. Resolves with the exit code. Throws a Problem that names the nearest words for one
 * that is unknown, and with the help when no verb is named.
 */
export async function runCommandLine(commandLine: CommandLine, print: (text: string) => void): Promise<number> {
  const { asksForHelp, nounName, noun, verbName, verb, args } = commandLine;
  if (nounName !== undefined && noun === undefined) throw unknownWord(nounName, [...NOUNS.keys()]);
  if (verbName !== undefined && noun && !verb) throw unknownWord(verbName, [...noun.keys()], { before: `${nounName} ` });
  const help = (verb ? describeVerb(commandLine, verb) : describeNouns(commandLine)).join('\n');
  if (asksForHelp) {
    print(help);
    return 0;
  }
  if (verb === undefined) throw new Problem(help);
  return verb.run(args, usageOf(commandLine, verb));
}

/** The verbs of the noun that was named, or of all. */
function describeNouns({ program, nounName, noun }: CommandLine): string[] {
  const nouns: Iterable<readonly [string, Noun]> = noun && nounName ? [[nounName, noun]] : NOUNS;
  const rows = [...nouns].flatMap(([name, verbs]) => [...verbs].map(([verb, { about }]) => [`${name} ${verb}`, about] as const));
  const usage = `usage: ${program} ${nounName ?? '<noun>'} <verb> [options]`;
  return [usage, '', ...table(rows), '', `${program} <noun> <verb> --help says what a verb takes.`];
}

function describeVerb(commandLine: CommandLine, verb: Verb): string[] {
  const described = describeOptions(verb.schema);
  return [usageOf(commandLine, verb), '', verb.about, ...(described.length > 0 ? ['', ...described] : [])];
}

function usageOf({ program, nounName, verbName }: CommandLine, { schema }: Verb): string {
  return `usage: ${program} ${nounName} ${verbName} ${synopsis(schema)}`.trimEnd();
}
