import { readFileSync } from 'node:fs';
import { SwitchyardApiError, SwitchyardConnectionError, SwitchyardIdError, SwitchyardTimeoutError } from '@switchyard/client';
import { Command, CommanderError } from 'commander';
import { addCertify } from './commands/certify.ts';
import { addDisputes } from './commands/disputes.ts';
import { addListen } from './commands/listen.ts';
import { addLogin } from './commands/login.ts';
import { addLogs } from './commands/logs.ts';
import { addPayments } from './commands/payments.ts';
import { addRules } from './commands/rules.ts';
import { addSettlements } from './commands/settlements.ts';
import { addTrigger } from './commands/trigger.ts';
import { printable, type Surroundings, UsageError } from './print.ts';

export { type Surroundings, UsageError } from './print.ts';
export { readLine, readText } from './read-line.ts';

/** How a command ended. */
const EXIT = {
  done: 0,
  /** Switchyard refused, or rules have an error. */
  refused: 1,
  /** A wrong argument or file, or no key. */
  usage: 2,
  /** No answer came. */
  unreachable: 3,
  /** Ctrl-C before it was done, as shells count it. */
  stopped: 130,
} as const;

/** Commands that run until they are stopped; that is their end. */
const ENDLESS = new Set(['listen', 'tail']);
/** Commands that end by themselves when they are stopped, with something left to write. */
const FINISHING = new Set(['certify']);

/** Runs one command line, without the names of the programs. Returns the exit code. */
export async function runCli(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { signal, err } = surroundings;
  const state = { failed: false, endless: false, finishing: false };
  const program = createProgram(surroundings, () => {
    state.failed = true;
  }).hook('preAction', (_, command) => {
    state.endless = ENDLESS.has(command.name());
    state.finishing = FINISHING.has(command.name());
  });
  const stopped = Promise.withResolvers<'stopped'>();
  const stop = () => {
    if (!state.finishing) stopped.resolve('stopped');
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([stopped.promise, program.parseAsync([...args], { from: 'user' })]);
    if (signal.aborted) {
      err('Stopped.\n');
      return state.endless ? EXIT.done : EXIT.stopped;
    }
    return state.failed ? EXIT.refused : EXIT.done;
  } catch (error) {
    // A question that was left because the command was stopped.
    if (signal.aborted && error instanceof UsageError) {
      err('Stopped.\n');
      return EXIT.stopped;
    }
    return explain(error, surroundings);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function createProgram(surroundings: Surroundings, onFailure: () => void): Command {
  const version = readVersion();
  const program = new Command('switchyard')
    .description('Payments, webhooks on localhost, routing rules and certification of gateways by Switchyard.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: surroundings.out, writeErr: surroundings.err });
  addLogin(program, surroundings);
  addPayments(program, surroundings);
  addSettlements(program, surroundings);
  addDisputes(program, surroundings);
  addListen(program, surroundings);
  addTrigger(program, surroundings);
  addRules(program, surroundings, onFailure);
  addLogs(program, surroundings);
  addCertify(program, surroundings, version, onFailure);
  return program;
}

function explain(error: unknown, { err }: Surroundings): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof UsageError || error instanceof SwitchyardIdError) {
    err(`${error.message}\n`);
    return EXIT.usage;
  }
  if (error instanceof SwitchyardApiError) {
    const problems = error.errors.map(({ field, rule }) => `  ${field} ${rule}`);
    const request = error.requestId === null ? [] : [`  request ${error.requestId}`];
    err(`${[`${error.message} (${error.statusCode})`, ...problems, ...request].map(printable).join('\n')}\n`);
    return EXIT.refused;
  }
  if (error instanceof SwitchyardConnectionError || error instanceof SwitchyardTimeoutError) {
    err(`${error.message}\n`);
    return EXIT.unreachable;
  }
  throw error;
}

/** The manifest lies above the sources, and above the folders of the built files. */
function readVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const { version }: { version: string } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      return version;
    } catch {
      // it is at the other place
    }
  }
  return 'unknown';
}
