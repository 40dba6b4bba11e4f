import type { Database } from '@switchyard/db';

/** How the database server archives its log, from which a moment can be restored. Ages are in seconds. */
export interface Archiving {
  /** True if the server archives at all; a managed one may be backed up otherwise. */
  readonly archives: boolean;
  /** True if the last segment that was tried could not be archived. */
  readonly failing: boolean;
  /** Age of the last segment that was archived; null where none was. */
  readonly archivedSeconds: number | null;
  /** Age of the last base backup; null where none is known. */
  readonly baseSeconds: number | null;
  /** True if this role may see the folder of the log, where base backups leave their record. */
  readonly seesBackups: boolean;
}

const ARCHIVER = `
SELECT current_setting('archive_mode') <> 'off' AS archives,
  last_failed_time > coalesce(last_archived_time, '-infinity') IS TRUE AS failing,
  extract(epoch FROM now() - last_archived_time)::float8 AS "archivedSeconds",
  has_function_privilege('pg_ls_waldir()', 'EXECUTE') AS "seesBackups"
FROM pg_stat_archiver`;

/** The record of the last base backup stays in the folder of the log until the next one. */
const BASE_BACKUP = `
SELECT extract(epoch FROM now() - max(modification))::float8 AS "baseSeconds" FROM pg_ls_waldir() WHERE name LIKE '%.backup'`;

/** Reads how the server archives; on a cluster, how its coordinator does. */
export async function readArchiving({ pool }: { readonly pool: Pick<Database['pool'], 'connect'> }): Promise<Archiving> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<Omit<Archiving, 'baseSeconds'>>(ARCHIVER);
    const [archiver] = rows;
    if (archiver === undefined) throw new Error('the archiver has no row');
    if (!archiver.seesBackups) return { ...archiver, baseSeconds: null };
    const backups = await client.query<Pick<Archiving, 'baseSeconds'>>(BASE_BACKUP);
    return { ...archiver, baseSeconds: backups.rows[0]?.baseSeconds ?? null };
  } finally {
    client.release();
  }
}
