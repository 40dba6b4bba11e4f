import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { LineStreams } from './read-line.ts';

/**
 * Reads lines until the input ends or a line is a dot alone. Of a terminal each key is read, and not each line: a terminal cuts lines at 4096
 * characters.
 */
export async function readText({ input }: LineStreams, signal: AbortSignal): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: silent, terminal: input.isTTY === true, signal });
  const lines: string[] = [];
  for await (const line of reader) {
    if (line === '.') break;
    lines.push(line);
  }
  reader.close();
  return lines.join('\n');
}
