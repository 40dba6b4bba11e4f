import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './surroundings.ts';

/** Where a secret is read from, and where its question is shown. */
export interface SecretStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: { write(text: string): unknown };
}

/**
 * Asks for a line that is not shown while it is typed; reads it from a pipe where there is no terminal. Throws {@link UsageError} when the
 * question is left with Ctrl-C or Ctrl-D, when `signal` is aborted, and when the pipe ends without a line.
 */
export async function readSecret(question: string, { input, output }: SecretStreams, signal: AbortSignal): Promise<string> {
  const isTerminal = input.isTTY === true;
  if (isTerminal) output.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: isTerminal });
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(new UsageError('No key was given; nothing is saved.'));
  // Without these, Ctrl-D and a pipe that ends would leave the question open for ever, and Ctrl-C would throw.
  lines.once('SIGINT', leave);
  lines.once('close', leave);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([lines.question(''), left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
    lines.close();
    if (isTerminal) output.write('\n');
  }
}
