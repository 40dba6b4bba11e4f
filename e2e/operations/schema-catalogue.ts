/**
 * Everything that a schema consists of, as PostgreSQL's own catalogue has it, a line an object. Columns are sorted by name: their order differs
 * between tables with rows and new ones. NOT NULL has no name here: PostgreSQL gives it one from version 18 on, by what the table was first
 * called. Objects of kinds that are not listed stand in it by their names.
 */
const CATALOGUE = String.raw`
WITH
  relation AS (
    SELECT c.*, c.oid::regclass::text AS name FROM pg_class AS c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'
      AND NOT EXISTS (SELECT FROM pg_index AS i WHERE i.indexrelid = c.oid AND i.indrelid = to_regclass('public._prisma_migrations'))
  ),
  line (kind, name, definition) AS (
    SELECT 'relation', name, concat_ws(' ', relkind, relpersistence, relreplident, relrowsecurity, relforcerowsecurity,
      (SELECT amname FROM pg_am AS m WHERE m.oid = relam), (SELECT spcname FROM pg_tablespace AS s WHERE s.oid = reltablespace),
      (SELECT array_agg(option ORDER BY option) FROM unnest(reloptions) AS option), relacl)
    FROM relation
    UNION ALL
    SELECT 'column', r.name || ' ' || quote_ident(attname),
      concat_ws(' ', format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
        'DEFAULT ' || pg_get_expr(adbin, adrelid), 'IDENTITY ' || nullif(attidentity::text, ''), 'GENERATED ' || nullif(attgenerated::text, ''),
        (SELECT 'COLLATE ' || collname FROM pg_collation AS l WHERE l.oid = attcollation), 'STORAGE ' || attstorage::text,
        'COMPRESSION ' || nullif(attcompression::text, ''), 'STATISTICS ' || attstattarget, attoptions, attacl)
    FROM relation AS r JOIN pg_attribute AS a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE r.relkind <> 'i'
    UNION ALL
    SELECT 'constraint', concat_ws(' ', r.name, CASE WHEN contype <> 'n' THEN conname END), pg_get_constraintdef(k.oid)
    FROM relation AS r JOIN pg_constraint AS k ON k.conrelid = r.oid
    UNION ALL
    SELECT 'index', r.name, concat_ws(' ', pg_get_indexdef(i.indexrelid),
      indisunique, indisprimary, indimmediate, indisclustered, indisvalid, indisready, indislive, indisreplident)
    FROM relation AS r JOIN pg_index AS i ON i.indexrelid = r.oid
    UNION ALL
    SELECT 'trigger', concat_ws(' ', r.name, tgname), concat_ws(' ', tgenabled, pg_get_triggerdef(t.oid))
    FROM relation AS r JOIN pg_trigger AS t ON t.tgrelid = r.oid AND NOT t.tgisinternal
    UNION ALL
    SELECT 'view', name, pg_get_viewdef(oid) FROM relation WHERE relkind IN ('v', 'm')
    UNION ALL
    SELECT 'rule', r.name, pg_get_ruledef(u.oid) FROM relation AS r JOIN pg_rewrite AS u ON u.ev_class = r.oid
    UNION ALL
    SELECT 'policy', concat_ws(' ', r.name, polname), concat_ws(' ', polcmd, polpermissive, polroles::regrole[],
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    FROM relation AS r JOIN pg_policy AS p ON p.polrelid = r.oid
    UNION ALL
    SELECT 'sequence', r.name, concat_ws(' ', format_type(seqtypid, NULL), seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle)
    FROM relation AS r JOIN pg_sequence AS s ON s.seqrelid = r.oid
    UNION ALL
    SELECT 'statistics', stxname, pg_get_statisticsobjdef(oid) FROM pg_statistic_ext WHERE stxnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'function', oid::regprocedure::text, concat_ws(' ', pg_get_functiondef(oid), proacl)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')
    UNION ALL
    SELECT 'type', t.oid::regtype::text, concat_ws(' ', typtype, format_type(nullif(typbasetype, 0), typtypmod), typnotnull, typdefault,
      (SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid),
      (SELECT string_agg(pg_get_constraintdef(k.oid), ', ' ORDER BY conname) FROM pg_constraint AS k WHERE contypid = t.oid), typacl)
    FROM pg_type AS t WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd', 'r', 'm')
    UNION ALL
    SELECT 'comment', o.identity, description FROM pg_description AS d, pg_identify_object(d.classoid, d.objoid, d.objsubid) AS o
    WHERE o.schema = 'public'
    UNION ALL
    SELECT 'object', o.identity, o.type FROM pg_depend AS d, pg_identify_object(d.classid, d.objid, d.objsubid) AS o
    WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = 'public'::regnamespace AND o.identity NOT LIKE '%\_prisma\_migrations%'
    UNION ALL
    SELECT 'extension', extname, concat_ws(' ', extversion, extnamespace::regnamespace) FROM pg_extension
    UNION ALL
    SELECT 'event trigger', evtname, concat_ws(' ', evtevent, evtfoid::regproc, evtenabled, evttags) FROM pg_event_trigger
    UNION ALL
    SELECT 'publication', pubname, '' FROM pg_publication
    UNION ALL
    SELECT 'privileges', defaclobjtype::text, defaclacl::text FROM pg_default_acl
    UNION ALL
    SELECT 'setting', coalesce(rolname, ''), setconfig::text FROM pg_db_role_setting AS s LEFT JOIN pg_roles AS r ON r.oid = s.setrole
    WHERE s.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
  )
SELECT concat_ws(' | ', kind, name, definition) AS line FROM line ORDER BY 1`;

/** A connection, or a pool of them. */
interface Queryable {
  query(statement: string): Promise<{ readonly rows: readonly { readonly line: string }[] }>;
}

/** Objects of the schema `public` of a database, without the record of migrations: a line an object, equal where schemas are. */
export async function schemaCatalogue(database: Queryable): Promise<string> {
  const { rows } = await database.query(CATALOGUE);
  return rows.map(({ line }) => line).join('\n');
}
