/**
 * Makes reference and distributed tables of the schema on a Citus cluster, in the database of `DATABASE_URL`, the coordinator's. Stop web,
 * worker and reporting first. May be run again at any time; what is done already stays.
 *
 *   npm run db:distribute                     distributes what is not distributed yet
 *   npm run db:distribute -- --shards 64      with so many parts for each table, the server's citus.shard_count when left out
 *   npm run db:distribute -- --check          says what is wrong with the cluster, and changes nothing
 */
import { Problem } from './bootstrap/problem.mjs';
import { checkDistribution, distribute } from './distribute/distribute.ts';
import { readOptions, runCommand } from './stack/command.ts';
import { ensureDatabase, withConnection } from './stack/database.ts';
import { oneAtATime } from './stack/deployment-lock.ts';

const USAGE = 'npm run db:distribute [-- --shards 32 | --check]';
const SHARDS_MAX = 1_024;

await runCommand(
  async () => {
    const options = { shards: { type: 'string' }, check: { type: 'boolean', default: false } } as const;
    const { shards, check } = readOptions(USAGE, { options }).values;
    const shardCount = shards === undefined ? undefined : Number(shards);
    if (shardCount !== undefined && !(Number.isInteger(shardCount) && shardCount >= 1 && shardCount <= SHARDS_MAX)) {
      throw new Problem(`--shards takes a whole number from 1 to ${SHARDS_MAX}.`, [USAGE]);
    }
    const url = process.env.DATABASE_URL;
    if (!url)
      throw new Problem('DATABASE_URL is not set.', [
        "Set it to the coordinator's database: the embedded PostgreSQL has no Citus.",
      ]);
    await ensureDatabase(url);
    return withConnection(url, async (client) => {
      if (check) {
        const faults = await checkDistribution(client);
        for (const fault of faults) console.log(fault);
        if (faults.length === 0) console.log('Every table is where it should be, and every node answers.');
        return faults.length === 0 ? 0 : 1;
      }
      await oneAtATime(url, () => distribute(client, { shardCount, tell: console.log }));
      console.log('The database is distributed.');
      return 0;
    });
  },
  { failed: 1 },
);
