import { createInterface } from 'node:readline';

/** The first line that a program prints. */
export function firstLine(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => createInterface({ input: output }).once('line', resolve));
}
