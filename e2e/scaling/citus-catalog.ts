import type { Database } from '@switchyard/db';
import { LOCAL_TABLES, REFERENCE_TABLES } from './citus-plan.ts';
import type { TableColumns } from './statement-shape.ts';

interface Key {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
}

interface ForeignKey extends Key {
  readonly references: string;
  readonly referencedColumns: readonly string[];
  /** `a` for no action, `r` for restrict, `c` for cascade, `n` and `d` for null and default. */
  readonly onUpdate: string;
  readonly onDelete: string;
}

/** Parts of a database's catalog that Citus has rules about. All lists are sorted. */
export interface Catalog extends TableColumns {
  readonly tables: readonly string[];
  readonly uniqueIndexes: readonly Key[];
  readonly foreignKeys: readonly ForeignKey[];
  /** `table.column`, by identity or by a default. */
  readonly sequences: readonly { readonly table: string; readonly column: string }[];
  /** `table.trigger calls function`. */
  readonly triggers: readonly string[];
  /** Names of functions that no trigger calls. */
  readonly functions: readonly string[];
  /** Of functions by name, the least stable of those that share one: `i`, `s` or `v`. */
  readonly volatility: ReadonlyMap<string, string>;
}

const TABLES = `
SELECT c.relname AS "table", array_agg(a.attname::text ORDER BY a.attnum) AS columns
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations' GROUP BY c.relname`;

const UNIQUE_INDEXES = `
SELECT t.relname AS "table", c.relname AS name,
  ARRAY(SELECT pg_get_indexdef(i.indexrelid, n, true) FROM generate_series(1, i.indnkeyatts) AS n) AS columns
FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid
WHERE c.relnamespace = 'public'::regnamespace AND (i.indisunique OR i.indisexclusion) ORDER BY 1, 2`;

const FOREIGN_KEYS = `
SELECT t.relname AS "table", k.conname AS name, r.relname AS references, k.confupdtype AS "onUpdate", k.confdeltype AS "onDelete",
  ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u (n, place)
    JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = u.n ORDER BY place) AS columns,
  ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u (n, place)
    JOIN pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = u.n ORDER BY place) AS "referencedColumns"
FROM pg_constraint AS k JOIN pg_class AS t ON t.oid = k.conrelid JOIN pg_class AS r ON r.oid = k.confrelid
WHERE k.contype = 'f' AND t.relnamespace = 'public'::regnamespace ORDER BY 1, 2`;

const SEQUENCES = `
SELECT t.relname AS "table", a.attname AS "column" FROM pg_attribute AS a JOIN pg_class AS t ON t.oid = a.attrelid
LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p')
  AND (a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%') ORDER BY 1, 2`;

const TRIGGERS = `
SELECT t.relname || '.' || g.tgname || ' calls ' || p.proname AS name FROM pg_trigger AS g
JOIN pg_class AS t ON t.oid = g.tgrelid JOIN pg_proc AS p ON p.oid = g.tgfoid
WHERE NOT g.tgisinternal AND t.relnamespace = 'public'::regnamespace ORDER BY 1`;

const FUNCTIONS = `
SELECT p.proname AS name FROM pg_proc AS p
WHERE p.pronamespace = 'public'::regnamespace AND p.oid NOT IN (SELECT tgfoid FROM pg_trigger) ORDER BY 1`;

const VOLATILITY = `
SELECT proname AS name, max(provolatile) AS volatility FROM pg_proc
WHERE pronamespace IN ('public'::regnamespace, 'pg_catalog'::regnamespace) GROUP BY proname`;

/** Reads the catalog. A table is distributed by its `merchant_id` or `tenant_id` unless the plan says otherwise. */
export async function readCatalog({ pool }: Pick<Database, 'pool'>): Promise<Catalog> {
  const { rows: tables } = await pool.query<{ table: string; columns: string[] }>(TABLES);
  const { rows: uniqueIndexes } = await pool.query<Key>(UNIQUE_INDEXES);
  const { rows: foreignKeys } = await pool.query<ForeignKey>(FOREIGN_KEYS);
  const { rows: sequences } = await pool.query<{ table: string; column: string }>(SEQUENCES);
  const { rows: triggers } = await pool.query<{ name: string }>(TRIGGERS);
  const { rows: functions } = await pool.query<{ name: string }>(FUNCTIONS);
  const { rows: volatility } = await pool.query<{ name: string; volatility: string }>(VOLATILITY);
  const distributedBy = new Map<string, string>();
  for (const { table, columns } of tables) {
    const column = ['merchant_id', 'tenant_id'].find((name) => columns.includes(name));
    if (column !== undefined && !(table in REFERENCE_TABLES) && !(table in LOCAL_TABLES)) distributedBy.set(table, column);
  }
  return {
    tables: tables.map(({ table }) => table).sort(),
    columns: new Map(tables.map(({ table, columns }) => [table, new Set(columns)])),
    distributedBy,
    uniqueIndexes,
    foreignKeys,
    sequences,
    triggers: triggers.map(({ name }) => name).sort(),
    functions: functions.map(({ name }) => name).sort(),
    volatility: new Map(volatility.map(({ name, volatility: most }) => [name, most])),
  };
}

/**
 * Parts of a schema that Citus refuses:
 * - unique indexes without the distribution column: https://docs.citusdata.com/en/stable/develop/reference_ddl.html
 * - foreign keys, except between distribution columns in the same place, or to reference tables; and those that change the distribution
 *   column: src/backend/distributed/commands/foreign_constraint.c of github.com/citusdata/citus
 * - sequences, which Citus takes with reservations: https://docs.citusdata.com/en/stable/develop/reference_workarounds.html
 */
export function schemaFindings({ distributedBy, uniqueIndexes, foreignKeys, sequences }: Catalog): string[] {
  const findings: string[] = [];
  for (const { table, name, columns } of uniqueIndexes) {
    const by = distributedBy.get(table);
    if (by !== undefined && !columns.includes(by)) findings.push(`${table}.${name} is unique across shards`);
  }
  for (const { table, name, columns, references, referencedColumns, onUpdate, onDelete } of foreignKeys) {
    const by = distributedBy.get(table);
    const referencedBy = distributedBy.get(references);
    if (by === undefined && referencedBy === undefined) continue;
    if (referencedBy === undefined) {
      if (!(references in REFERENCE_TABLES)) findings.push(`${table}.${name} names ${references}, which is on the coordinator`);
      continue;
    }
    const place = by === undefined ? -1 : columns.indexOf(by);
    if (place < 0 || referencedColumns[place] !== referencedBy)
      findings.push(`${table}.${name} does not match distribution columns`);
    else if (!['a', 'r'].includes(onUpdate)) findings.push(`${table}.${name} changes the distribution column on update`);
    else if (['n', 'd'].includes(onDelete)) findings.push(`${table}.${name} changes the distribution column on delete`);
  }
  for (const { table, column } of sequences) {
    if (distributedBy.has(table)) findings.push(`${table}.${column} takes its values from a sequence`);
  }
  return findings.sort();
}
