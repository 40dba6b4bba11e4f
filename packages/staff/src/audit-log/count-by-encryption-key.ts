import type { Database } from '@switchyard/db';

const COUNT = `
SELECT substr(key_id, length('encryption/') + 1) AS "keyId", count(*)::int AS entries FROM audit_entry
WHERE key_id LIKE 'encryption/%' GROUP BY 1`;

/** Counts the entries of all chains whose hashes are made with keys derived from encryption keys, by the encryption key's id. */
export async function countByEncryptionKey({ pool }: Pick<Database, 'pool'>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ keyId: string; entries: number }>(COUNT);
  return new Map(rows.map(({ keyId, entries }) => [keyId, entries]));
}
