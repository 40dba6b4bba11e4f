import { Problem } from '../bootstrap/problem.mjs';
import { checkDistribution, distribute } from '../distribute/distribute.ts';
import { ensureDatabase, oneAtATime, withConnection } from '../stack/database.ts';

/**
 * `database distribute`: makes reference and distributed tables of the schema, on the cluster whose coordinator `DATABASE_URL` names. Web,
 * worker and reporting have to be stopped. May be run again at any time; what is done already stays. With `check` it resolves with 0 when
 * nothing is wrong with the cluster, else 1.
 */
export async function distributeRows({ shards, check }: { shards?: number | undefined; check: boolean }): Promise<number> {
  const url = process.env.DATABASE_URL;
  if (!url) {
    throw new Problem('DATABASE_URL is not set.', [
      "Set it to the coordinator's database: the embedded PostgreSQL has no Citus.",
    ]);
  }
  await ensureDatabase(url);
  return withConnection(url, async (client) => {
    if (check) {
      const faults = await checkDistribution(client);
      for (const fault of faults) console.log(fault);
      if (faults.length === 0) console.log('Every table is where it should be, and every node answers.');
      return faults.length === 0 ? 0 : 1;
    }
    await oneAtATime(url, () => distribute(client, { shardCount: shards, tell: console.log }));
    console.log('The database is distributed.');
    return 0;
  });
}
