import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './print.ts';

/** Where a line is read from, and where its question is shown. */
interface LineStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** A question at the terminal. */
export interface Question {
  readonly text: string;
  /** True if the answer is not shown while it is typed. */
  readonly secret: boolean;
}

/**
 * Asks for a line; reads it from a pipe where there is no terminal. Throws {@link UsageError} when the question is left with Ctrl-C or
 * Ctrl-D, when `signal` is aborted, and when the pipe ends without a line.
 */
export async function readLine({ text, secret }: Question, { input, output }: LineStreams, signal: AbortSignal): Promise<string> {
  const isTerminal = input.isTTY === true;
  const shown = isTerminal && !secret;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: shown ? output : silent, terminal: isTerminal });
  // Only now: what is typed before the interface is open is shown.
  if (isTerminal && secret) output.write(text);
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(new UsageError('No key was given; nothing is saved.'));
  // Without these, Ctrl-D and a pipe that ends would leave the question open for ever, and Ctrl-C would throw.
  lines.once('SIGINT', leave);
  lines.once('close', leave);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  let answered = false;
  try {
    const answer = await Promise.race([lines.question(shown ? text : ''), left.promise]);
    answered = true;
    return answer;
  } finally {
    signal.removeEventListener('abort', leave);
    lines.close();
    // The terminal has begun a new line after an answer that it showed.
    if (isTerminal && !(shown && answered)) output.write('\n');
  }
}

/** Ends of a text from outside. */
export interface TextLimits {
  /** Aborted when no more is waited for: what came until then is the text. */
  readonly signal: AbortSignal;
  /** Called on Ctrl-C, which is a key like any other while each key is read. */
  onInterrupt(): void;
}

/**
 * Reads lines until the input ends or a line is a dot alone. Of a terminal each key is read, and not each line: a terminal cuts lines at 4096
 * characters.
 */
export async function readText({ input }: Pick<LineStreams, 'input'>, { signal, onInterrupt }: TextLimits): Promise<string> {
  // An interface that was closed before its lines are asked for never ends.
  if (signal.aborted) return '';
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: silent, terminal: input.isTTY === true, signal });
  reader.once('SIGINT', () => {
    reader.close();
    onInterrupt();
  });
  const lines: string[] = [];
  for await (const line of reader) {
    if (line === '.') break;
    lines.push(line);
  }
  reader.close();
  return lines.join('\n');
}
