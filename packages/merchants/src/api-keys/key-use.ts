import type { Database } from '@switchyard/db';
import type { MerchantsContext } from '../context.ts';
import { type ApiKeyUse, recordApiKeyUse } from './record-key-use.ts';

const FLUSH_AFTER_MS = 10_000;

/** Collects when and how often keys were used and writes it in batches, so that no request waits for a write. */
export interface KeyUseRecorder {
  record(use: ApiKeyUse): void;
  /** Writes the collected uses in one statement. Rejects when the write fails; the uses then stay for the next flush. */
  flush(): Promise<void>;
}

/** A recorder that flushes `flushAfterMs` after the first use since the last flush. */
export function createKeyUseRecorder(database: Database, flushAfterMs: number = FLUSH_AFTER_MS): KeyUseRecorder {
  let pending = new Map<string, ApiKeyUse>();
  let timer: NodeJS.Timeout | undefined;

  function record(use: ApiKeyUse): void {
    const known = pending.get(use.keyId);
    const last = known !== undefined && known.usedAt > use.usedAt ? known : use;
    pending.set(use.keyId, { ...last, requests: use.requests + (known?.requests ?? 0) });
    // Other callers report database errors; these uses wait for the next flush.
    timer ??= setTimeout(() => void flush().catch(() => undefined), flushAfterMs).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    const writing = [...pending.values()];
    pending = new Map();
    try {
      await recordApiKeyUse(database, writing);
    } catch (error) {
      for (const use of writing) record(use);
      throw error;
    }
  }

  return { record, flush };
}

const recorders = new WeakMap<Database, KeyUseRecorder>();

/** The process's one recorder for its database. */
export function keyUseOf(context: MerchantsContext): KeyUseRecorder {
  const { database } = context.resources;
  const known = recorders.get(database) ?? createKeyUseRecorder(database);
  recorders.set(database, known);
  return known;
}

/** Writes collected key uses now, before the process ends. Rejects when the write fails. */
export async function flushKeyUse(context: MerchantsContext): Promise<void> {
  await keyUseOf(context).flush();
}
