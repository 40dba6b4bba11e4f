import { handleGraphql } from '../graphql/handle.ts';
import type { Switchyard } from '../process.ts';

/** The number of running reporting queries in the database. */
export async function countActiveReportQueries({ resources }: Switchyard): Promise<number> {
  const { rows } = await resources.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE application_name = 'switchyard reports' AND datname = current_database() AND state = 'active'`,
  );
  return rows[0]?.n ?? 0;
}

/** Sends a request to `/api/graphql`. */
export function sendGraphql(switchyard: Switchyard, request: Request): Promise<Response> {
  return handleGraphql(switchyard, request);
}
