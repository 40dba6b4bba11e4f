import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { LineStreams } from './read-line.ts';

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
