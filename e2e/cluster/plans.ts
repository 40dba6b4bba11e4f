import type { TestDatabase } from '@switchyard/db/testing';
import type { SentStatement } from './recording-proxy.ts';

/** Statements that begin, end or prepare a transaction or a session, and read or write no table. A new connection sends the last kind. */
const NO_PLAN =
  /^\s*((BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|LISTEN|UNLISTEN|DEALLOCATE|DISCARD|SHOW)\b|SELECT set_config\([^()]*\) (WHERE|FROM) )/i;

/** The number of tasks that the cluster makes of a statement; 0 for one about reference and local tables alone, null for one without a plan. */
export async function countTasks({ pool }: TestDatabase, { text, parameters }: SentStatement): Promise<number | null> {
  if (NO_PLAN.test(text)) return null;
  const client = await pool.connect();
  const literal = (value: string | null | undefined): string =>
    value === null || value === undefined ? 'NULL' : client.escapeLiteral(value);
  const statement = text.replaceAll(/\$(\d+)/g, (_, number: string) => literal(parameters[Number(number) - 1]));
  const { rows } = await client
    .query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS off) ${statement}`)
    .finally(() => client.release());
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  if (counts.length === 0 && /Custom Scan \(Citus/.test(plan)) return Number.POSITIVE_INFINITY;
  return counts.reduce((sum, count) => sum + count, 0);
}

const TWO_PHASE = `
SELECT coalesce(sum(result::int), 0)::int AS count
FROM run_command_on_all_nodes('SELECT count(*) FROM pg_dist_transaction') WHERE success`;

/** How many transactions were prepared on a node so far, by any server: the record of each stays, as the cluster of the tests removes none. */
export async function countPreparedTransactions({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(TWO_PHASE);
  return rows[0]?.count ?? 0;
}
