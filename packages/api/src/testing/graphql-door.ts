import { handleGraphql } from '../graphql/handle.ts';
import { toWebHandler } from '../http/web-adapter.ts';
import type { Switchyard } from '../process.ts';

/** How many questions of reports the database is at work on. */
export async function questionsAtWork({ resources }: Switchyard): Promise<number> {
  const { rows } = await resources.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE application_name = 'switchyard reports' AND datname = current_database() AND state = 'active'`,
  );
  return rows[0]?.n ?? 0;
}

/** Sends a request to `/api/graphql`, the way of Next's route handlers. */
export function sendGraphql(switchyard: Switchyard, request: Request): Promise<Response> {
  return toWebHandler(() => switchyard, handleGraphql)(request);
}
