import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startChild } from './managed-process.ts';

/** A database server that can be restarted. */
export interface RestartablePostgres {
  readonly url: string;
  /** Restarts it, after any restart that is under way. `immediate` ends it as a crash would: it recovers from its log. */
  restart(how: 'fast' | 'immediate', awayMs: number): Promise<void>;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('../../../scripts/testing/restartable-postgres.ts', import.meta.url));
const startedSchema = z.object({ url: z.string() });
const CLOSE_MS = 20_000;

export async function startRestartablePostgres(log: string): Promise<RestartablePostgres> {
  const child = startChild(PROGRAM, process.env, log);
  const { url } = startedSchema.parse(await child.answer());
  let restarted: Promise<void> = Promise.resolve();
  const restart = async (how: 'fast' | 'immediate', awayMs: number): Promise<void> => {
    const answer = child.answer();
    child.process.send({ restart: how, awayMs });
    const { url: moved } = startedSchema.parse(await answer);
    if (moved !== url) throw new Error('the database came back at another address: another program took its port');
  };
  return {
    url,
    restart(how, awayMs) {
      restarted = restarted.then(() => restart(how, awayMs));
      return restarted;
    },
    async close() {
      child.process.disconnect();
      await Promise.race([child.ended, pause(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
