import type { Database } from '@switchyard/db';
import type { MerchantsContext } from '../context.ts';
import { type ApiKeyUse, recordApiKeyUse } from './queries.ts';

const FLUSH_AFTER_MS = 10_000;

/** Remembers when keys were used and how often, and writes that down now and then, so that no request waits for it. */
export interface KeyUseRecorder {
  note(use: ApiKeyUse): void;
  /** Writes what was noted, in one statement. Rejects when it cannot; the notes are then kept for the next time. */
  flush(): Promise<void>;
}

export function createKeyUseRecorder(database: Database, flushAfterMs: number = FLUSH_AFTER_MS): KeyUseRecorder {
  let notes = new Map<string, ApiKeyUse>();
  let timer: NodeJS.Timeout | undefined;

  function note(use: ApiKeyUse): void {
    const known = notes.get(use.keyId);
    const last = known !== undefined && known.usedAt > use.usedAt ? known : use;
    notes.set(use.keyId, { ...last, requests: use.requests + (known?.requests ?? 0) });
    // Trouble with the database is everybody's news already; the notes wait for the next flush.
    timer ??= setTimeout(() => void flush().catch(() => undefined), flushAfterMs).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (notes.size === 0) return;
    const writing = [...notes.values()];
    notes = new Map();
    try {
      await recordApiKeyUse(database, writing);
    } catch (error) {
      for (const use of writing) note(use);
      throw error;
    }
  }

  return { note, flush };
}

const recorders = new WeakMap<Database, KeyUseRecorder>();

/** The recorder of a process's database. */
export function keyUseOf(context: MerchantsContext): KeyUseRecorder {
  const { database } = context.resources;
  const known = recorders.get(database) ?? createKeyUseRecorder(database);
  recorders.set(database, known);
  return known;
}

/** Writes down now when keys were last used: before a process ends. */
export async function flushKeyUse(context: MerchantsContext): Promise<void> {
  await keyUseOf(context).flush();
}
