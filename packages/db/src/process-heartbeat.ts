import type { Database } from './connect.ts';
import { newId } from './uuid.ts';

const BEAT_MS = 1_000;
/** A process that sent no heartbeat for this long has ended: more than twice the interval, so that one late beat is not taken for it. */
const SILENT_MS = 2_500;

const BEAT = `
WITH expired AS (DELETE FROM process_heartbeat WHERE seen_at < now() - interval '1 day')
INSERT INTO process_heartbeat (process_id, seen_at) VALUES ($1, now())
ON CONFLICT (process_id) DO UPDATE SET seen_at = excluded.seen_at`;

/** The last heartbeat of any process, where that was too long ago. */
const ABSENT_SINCE = `
SELECT max(seen_at) AS since FROM process_heartbeat HAVING max(seen_at) < now() - $1 * interval '1 millisecond'`;

const HAS_BEATEN = `
SELECT FROM process_heartbeat WHERE process_id = $1 AND seen_at >= now() - $2 * interval '1 millisecond'`;

/** Heartbeats of this process, and which other processes have ended; all by the database's clock. */
export interface ProcessHeartbeat {
  /** The id of this process. The first call sends the first heartbeat, so that a reader of the id finds the process alive. */
  id(): Promise<string>;
  /**
   * True when a process sent no heartbeat for 2.5 seconds. It may still live, and only be slow: what is taken over from it has to bear
   * that it goes on. False while this process has not itself sent heartbeats without a gap for as long, because after an outage of the
   * database every process looks as if it had ended.
   */
  hasEnded(processId: string): Promise<boolean>;
  /**
   * Sends heartbeats from now on, and calls `onAbsence` when no process at all had sent any for 2.5 seconds before one of them: none ran, or
   * none reached the database. `since` is the last moment before. It is called again with the next heartbeat where it rejects.
   */
  watchForAbsence(onAbsence: (since: Date) => Promise<void>): void;
  /** Ends the heartbeats. */
  close(): void;
}

/** Opens the heartbeat of this process, about one statement a second from the first use on. Errors of later beats go to `onError`. */
export function openProcessHeartbeat(
  { pool }: Pick<Database, 'pool'>,
  onError: (error: unknown) => void,
  clock: () => number = () => performance.now(),
): ProcessHeartbeat {
  const processId = newId();
  let isBeating = false;
  let first: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let beatAt: number | null = null;
  let gapEndedAt = Number.NEGATIVE_INFINITY;
  let onAbsence: ((since: Date) => Promise<void>) | null = null;
  let absentSince: Date | null = null;

  async function send(): Promise<void> {
    if (onAbsence !== null) {
      const { rows } = await pool.query<{ since: Date }>({ name: 'absent-since', text: ABSENT_SINCE, values: [SILENT_MS] });
      absentSince ??= rows[0]?.since ?? null;
    }
    await pool.query({ name: 'send-process-heartbeat', text: BEAT, values: [processId] });
    const now = clock();
    if (beatAt !== null && now - beatAt > SILENT_MS) gapEndedAt = now;
    beatAt = now;
    if (onAbsence === null || absentSince === null) return;
    await onAbsence(absentSince);
    absentSince = null;
  }

  async function beat(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    try {
      await send();
    } catch (error) {
      onError(error);
    } finally {
      isBeating = false;
    }
  }

  async function begin(): Promise<void> {
    await send();
    goOn();
  }

  function goOn(): void {
    timer ??= setInterval(beat, BEAT_MS).unref();
  }

  return {
    async id() {
      first ??= begin().catch((error: unknown) => {
        first = null;
        throw error;
      });
      await first;
      return processId;
    },
    async hasEnded(other) {
      const now = clock();
      const isSteady = beatAt !== null && now - beatAt <= SILENT_MS && now - gapEndedAt >= SILENT_MS;
      if (other === processId || !isSteady) return false;
      const { rowCount } = await pool.query({ name: 'has-process-beaten', text: HAS_BEATEN, values: [other, SILENT_MS] });
      return rowCount === 0;
    },
    watchForAbsence(react) {
      onAbsence = react;
      goOn();
      void beat();
    },
    close() {
      clearInterval(timer);
    },
  };
}
