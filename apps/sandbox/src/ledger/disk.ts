import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Entry } from './ledger.ts';
import { accountSchema, callSchema, checkoutSchema, hookSchema, refundSchema, settlementSchema } from './records.ts';

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account'), record: accountSchema }),
  z.object({ kind: z.literal('checkout'), record: checkoutSchema }),
  z.object({ kind: z.literal('refund'), record: refundSchema }),
  z.object({ kind: z.literal('settlement'), record: settlementSchema }),
  z.object({ kind: z.literal('call'), record: callSchema }),
  z.object({ kind: z.literal('hook'), record: hookSchema }),
]);

/** Lines after which the file is rewritten with the current records only. */
const defaultRewriteAfterLines = 400_000;

/** Reads a journal file back: later lines replace earlier ones of the same id; a line cut short by a crash is left out. */
export function readEntries(path: string): Entry[] {
  if (!existsSync(path)) return [];
  const entries: Entry[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue;
    const parsed = entrySchema.safeParse(parseLine(line));
    if (parsed.success) entries.push(parsed.data);
  }
  return entries;
}

function parseLine(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return value;
  } catch {
    return null;
  }
}

/**
 * An append-only file of JSON lines. Each line is handed to the operating system before the call returns,
 * so a killed process loses nothing it has answered. Readable by its owner only: it contains keys.
 */
export class DiskJournal {
  readonly #path: string;
  readonly #snapshot: () => Iterable<Entry>;
  readonly #rewriteAfterLines: number;
  #file: number;
  #lines = 0;

  constructor(path: string, snapshot: () => Iterable<Entry>, rewriteAfterLines = defaultRewriteAfterLines) {
    this.#path = path;
    this.#snapshot = snapshot;
    this.#rewriteAfterLines = rewriteAfterLines;
    mkdirSync(dirname(path), { recursive: true });
    this.#file = this.rewrite();
  }

  append(entry: Entry): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
    this.#lines += 1;
    if (this.#lines < this.#rewriteAfterLines) return;
    closeSync(this.#file);
    this.#file = this.rewrite();
  }

  /** Replaces the file by the current records, atomically, and returns the handle to append to. */
  rewrite(): number {
    const next = `${this.#path}.next`;
    writeFileSync(next, '', { mode: 0o600 });
    const file = openSync(next, 'a', 0o600);
    for (const entry of this.#snapshot()) writeSync(file, `${JSON.stringify(entry)}\n`);
    renameSync(next, this.#path);
    this.#lines = 0;
    return file;
  }

  clear(): void {
    closeSync(this.#file);
    this.#file = this.rewrite();
  }

  close(): void {
    closeSync(this.#file);
  }
}
