import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file whole or not at all, readable by the current user only.
 *
 * @param {string} file
 * @param {string} text
 */
export function writeWhole(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.unfinished`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, file);
}

/**
 * The text of a file; undefined when it cannot be read.
 *
 * @param {string} file
 */
export function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Opens a log for appending, after moving up to three earlier ones out of the way: `web.log` becomes `web.1.log`.
 *
 * @param {string} file
 */
export function openFreshLog(file) {
  mkdirSync(dirname(file), { recursive: true });
  const numbered = [3, 2, 1].map((number) => file.replace(/\.log$/, `.${number}.log`));
  for (const [index, older] of numbered.entries()) {
    try {
      renameSync(numbered[index + 1] ?? file, older);
    } catch {
      // there was none
    }
  }
  return openSync(file, 'a', 0o600);
}

/**
 * The last lines of a log, at most the given number; none when it cannot be read.
 *
 * @param {string} file
 * @param {number} count
 */
export function lastLines(file, count) {
  return (readText(file) ?? '').trimEnd().split('\n').filter(Boolean).slice(-count);
}

/**
 * Bytes of a file; 0 when there is none.
 *
 * @param {string} file
 */
export function sizeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * The text of a file from a byte on, at most the last 64 kB of it; none when it cannot be read.
 *
 * @param {string} file
 * @param {number} from
 */
export function textFrom(file, from) {
  try {
    const opened = openSync(file, 'r');
    try {
      const { size } = fstatSync(opened);
      const start = Math.max(from, size - 65_536);
      const bytes = Buffer.alloc(Math.max(0, size - start));
      return bytes.toString('utf8', 0, readSync(opened, bytes, 0, bytes.length, start));
    } finally {
      closeSync(opened);
    }
  } catch {
    return '';
  }
}
