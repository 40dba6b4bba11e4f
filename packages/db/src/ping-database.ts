import type { Database } from './connect.ts';

/** Resolves when the database answers; rejects like any query when it does not. */
export async function pingDatabase({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query('SELECT 1');
}
