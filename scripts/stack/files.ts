import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file whole or not at all, readable by the current user only. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.unfinished`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Opens a log for appending, after moving up to three earlier ones out of the way: `web.log` becomes `web.1.log`. */
export function openFreshLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  const numbered = (n: number): string => (n === 0 ? file : file.replace(/\.log$/, `.${n}.log`));
  for (const n of [2, 1, 0]) {
    try {
      renameSync(numbered(n), numbered(n + 1));
    } catch {
      // there was none
    }
  }
  return openSync(file, 'a', 0o600);
}

/** The last lines of a log, at most the given number; none when it cannot be read. */
export function lastLines(file: string, count: number): string[] {
  const LONGEST_TAIL_BYTES = 16_384;
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const tail = Buffer.alloc(Math.min(size, LONGEST_TAIL_BYTES));
      readSync(descriptor, tail, 0, tail.length, size - tail.length);
      return tail.toString('utf8').trimEnd().split('\n').filter(Boolean).slice(-count);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return [];
  }
}
