import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { errorCode, Problem } from '../bootstrap/problem.mjs';

/** An option as the help shows it. */
interface Described {
  /** Stands for its value: `FOLDER`. An option without one is a switch. */
  readonly value?: string;
  readonly about: string;
  /** True if it is given by its place and not by its name. */
  readonly isOperand?: boolean;
}

const descriptions = z.registry<Described>();

/** An option that a schema reads, with what the help says of it. */
export function option<Schema extends z.ZodType>(schema: Schema, described: Described): Schema {
  const own = schema.clone();
  descriptions.add(own, described);
  return own;
}

/** The work of a verb; resolves with the exit code. */
type Run<Values> = (values: Values) => Promise<number>;

/** One verb of a noun, as the command line knows it before its modules are loaded. */
export interface Verb {
  readonly about: string;
  readonly schema: z.ZodObject;
  /** The exit code when it could not run. */
  readonly failed: number;
  /** Shown below an error that is not known; where the logs are when left out. */
  readonly hint?: string | undefined;
  /** True if something of it would keep the process after its end. */
  readonly lingers: boolean;
  /** Reads the arguments, loads its modules and runs it. Throws a Problem with the usage when the arguments are not as the schema says. */
  run(args: readonly string[], usage: string): Promise<number>;
}

/** A verb, whose options are a schema and whose modules `load` brings. */
export function verb<Schema extends z.ZodObject>(given: {
  readonly about: string;
  readonly schema: Schema;
  readonly load: () => Promise<Run<z.output<Schema>>>;
  readonly failed?: number;
  readonly hint?: string;
  readonly lingers?: boolean;
}): Verb {
  const { about, schema, load, failed = 2, hint, lingers = false } = given;
  const run = async (args: readonly string[], usage: string): Promise<number> => {
    const values = readValues(schema, args, usage);
    return (await load())(values);
  };
  return { about, schema, failed, hint, lingers, run };
}

function readValues<Schema extends z.ZodObject>(schema: Schema, args: readonly string[], usage: string): z.output<Schema> {
  const { values, positionals } = parse(schema, args, usage);
  const operands = describedOf(schema).filter(({ isOperand }) => isOperand);
  const [surplus] = positionals.slice(operands.length);
  if (surplus !== undefined) throw new Problem(`There is no place for ${surplus}.`, [usage]);
  const byPlace = Object.fromEntries(
    operands.flatMap(({ name }, at) => (at < positionals.length ? [[name, positionals[at]]] : [])),
  );
  const read = schema.safeParse(
    { ...values, ...byPlace },
    { error: ({ input }) => (input === undefined ? 'is needed' : undefined) },
  );
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => {
    const option = describedOf(schema).find(({ name }) => name === path[0]);
    return `${option?.isOperand ? option.value : `--${String(path[0])}`} ${message}.`;
  });
  throw new Problem(problems.join('\n'), [usage]);
}

function parse(schema: z.ZodObject, args: readonly string[], usage: string) {
  const known = describedOf(schema).filter(({ isOperand }) => !isOperand);
  const config: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    known.map(({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
  );
  try {
    return parseArgs({ args: [...args], options: config, allowPositionals: true });
  } catch (error) {
    const [given] = errorCode(error) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? args.filter((each) => !isKnown(each, config)) : [];
    const names = known.map(({ name }) => `--${name}`);
    if (given !== undefined) throw unknownWord(given.split('=')[0] ?? given, names, { hints: [usage] });
    throw new Problem(error instanceof Error ? error.message : String(error), [usage], error);
  }
}

function isKnown(arg: string, config: object): boolean {
  return !arg.startsWith('-') || Object.hasOwn(config, arg.slice(2).split('=')[0] ?? '');
}

interface DescribedOption extends Described {
  readonly name: string;
  readonly isNeeded: boolean;
}

function describedOf({ shape }: z.ZodObject): DescribedOption[] {
  return Object.entries(shape).map(([name, schema]) => {
    const described = descriptions.get(schema);
    if (described === undefined) throw new Error(`the help says nothing of --${name}`);
    return { name, isNeeded: !z.safeParse(schema, undefined).success, ...described };
  });
}

/** The options of a verb in one line: `--merchant NUMBER_OR_ID [--mode MODE]`. */
export function synopsis(schema: z.ZodObject): string {
  const parts = describedOf(schema).map(({ isNeeded, ...option }) => (isNeeded ? spelled(option) : `[${spelled(option)}]`));
  return parts.join(' ');
}

/** The options of a verb, a line each. */
export function describeOptions(schema: z.ZodObject): string[] {
  return table(describedOf(schema).map((option) => [spelled(option), option.about]));
}

function spelled({ name, value, isOperand }: Omit<DescribedOption, 'isNeeded'>): string {
  if (isOperand) return value ?? name;
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Lines of two columns, indented. */
export function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
}

/**
 * The problem of a word that is not known, with the nearest of the known ones, or with all when none is near. `before` is what the word
 * follows.
 */
export function unknownWord(
  word: string,
  known: readonly string[],
  { before = '', hints = [] }: { readonly before?: string; readonly hints?: readonly string[] } = {},
): Problem {
  const distances = known.map((each) => ({ each, steps: each.startsWith(word) ? 0 : editDistance(word, each) }));
  const near = distances.filter(({ each, steps }) => steps <= each.length / 2).toSorted((one, other) => one.steps - other.steps);
  const shown = (near.length > 0 ? near.map(({ each }) => each) : known).map((each) => `${before}${each}`);
  const nearest = shown.length === 0 ? [] : [`${near.length > 0 ? 'Nearest' : 'There are'}: ${shown.join(', ')}`];
  return new Problem(`There is no ${before}${word}.`, [...nearest, ...hints]);
}

/** How many letters have to be added, removed or replaced to make one word of the other. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, each] of [...other].entries()) {
      const [replaced = 0, removed = 0, added = 0] = [row[at], row[at + 1], next[at]];
      next.push(Math.min(replaced + (letter === each ? 0 : 1), removed + 1, added + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** A path below the folder that the command was given in: npm runs it in the project's folder, whichever it was called from. */
export function fromHere(path: string): string {
  return resolve((process.env.npm_lifecycle_event === 'admin' && process.env.INIT_CWD) || process.cwd(), path);
}
