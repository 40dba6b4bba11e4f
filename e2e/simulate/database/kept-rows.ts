/** Runs a statement at once. */
export type Query = (text: string) => readonly Readonly<Record<string, string | null>>[];

const TABLES = `
SELECT format('%I.%I', namespace.nspname, class.relname) AS name, format('%I', class.oid::text) AS kept,
  (SELECT string_agg(format('%I', attname), ', ' ORDER BY attnum) FROM pg_attribute
   WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
FROM pg_class AS class JOIN pg_namespace AS namespace ON namespace.oid = class.relnamespace
WHERE class.relkind = 'r' AND namespace.nspname IN ('public', 'graphile_worker', 'observed') ORDER BY 1`;

const SEQUENCES = `
SELECT format('%I.%I', schemaname, sequencename) AS name, coalesce(last_value, start_value) AS value, last_value IS NOT NULL AS called
FROM pg_sequences`;

/**
 * Keeps the rows of all tables; what it gives puts them back in the place of all others. Unlike a copy of the memory it leaves the server
 * as it has become meanwhile: with the plans of its statements, and with what it knows of its tables.
 */
export function keepRows(query: Query): () => void {
  const tables = query(TABLES);
  const sequences = query(SEQUENCES);
  query('CREATE SCHEMA kept');
  for (const { name, kept, columns } of tables) query(`CREATE TABLE kept.${kept} AS SELECT ${columns} FROM ${name}`);
  return () => {
    // Neither triggers nor references.
    query('SET session_replication_role = replica');
    for (const { name, kept, columns } of tables) {
      query(`DELETE FROM ${name}`);
      query(`INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM kept.${kept}`);
    }
    for (const { name, value, called } of sequences) query(`SELECT setval('${name}', ${value}, ${called === 't'})`);
    query('DROP SCHEMA kept CASCADE');
    query('RESET session_replication_role');
  };
}
