import type { Database, JsonValue } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { COUNT_MAX, countInTime, type ListCount, toListCount } from '@switchyard/db/lists';
import type { ChainedAuditEntry, ChainHead } from './hash-chain.ts';

/** The filter of a list; null and empty lists match all. */
export interface AuditFilter {
  /** Merchants, and the nil UUID for the workspace itself. */
  readonly tenantIds: readonly string[];
  readonly actors: readonly string[];
  readonly actions: readonly string[];
  readonly objectTypes: readonly string[];
  readonly objectId: string | null;
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
}

/** The last entry of the previous page. */
export interface AuditPageKey {
  readonly createdAt: Date;
  readonly entryId: string;
}

/** One entry of the log. */
export interface AuditRow {
  readonly tenantId: string;
  readonly entryId: string;
  readonly position: number;
  readonly actor: string;
  readonly action: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly createdAt: Date;
}

interface DatabaseHolder {
  readonly resources: { readonly database: Database };
}

/** A page of the log, by time. */
export interface AuditPagePart {
  readonly newestFirst: boolean;
  /** Only entries after this one in the order of the page; null from the beginning. */
  readonly after: AuditPageKey | null;
  readonly limit: number;
}

const COLUMNS = `tenant_id AS "tenantId", id AS "entryId", position, actor, action, object_type AS "objectType",
  object_id AS "objectId", before, after, created_at AS "createdAt"`;

/** The first entries of a filter in the order of the page. Each tenant's part comes from its own index. */
export function readAuditPage(
  database: Database,
  filter: AuditFilter,
  { newestFirst, after, limit }: AuditPagePart,
): Promise<AuditRow[]> {
  const beyond = Prisma.raw(newestFirst ? '<' : '>');
  const direction = Prisma.raw(newestFirst ? 'DESC' : 'ASC');
  const rest =
    after === null ? [] : [Prisma.sql`(created_at, id) ${beyond} (${after.createdAt}::timestamptz, ${after.entryId}::uuid)`];
  const where = Prisma.join([...conditions(filter), ...rest], ' AND ');
  return database.prisma.$queryRaw<AuditRow[]>`
    SELECT part.* FROM audit_head AS tenant CROSS JOIN LATERAL (
      SELECT ${Prisma.raw(COLUMNS)} FROM audit_entry AS entry WHERE entry.tenant_id = tenant.tenant_id AND ${where}
      ORDER BY created_at ${direction}, id ${direction} LIMIT ${limit}) AS part
    WHERE tenant.tenant_id = ANY (${filter.tenantIds}::uuid[])
    ORDER BY part."createdAt" ${direction}, part."entryId" ${direction} LIMIT ${limit}`;
}

/**
 * The number of entries of a filter. Exact for whole chains, whose heads number their entries, and where counting takes a second at
 * most; else to {@link COUNT_MAX}. Null where that took too long, too.
 */
export async function countAudit({ resources: { database } }: DatabaseHolder, filter: AuditFilter): Promise<ListCount | null> {
  if (isOfWholeChains(filter)) {
    const heads = await readAuditHeads(database, filter.tenantIds);
    return { count: heads.reduce((sum, { position }) => sum + position, 0), more: false };
  }
  const all = await countEntries(database, filter, null);
  if (all !== null) return { count: all, more: false };
  const some = await countEntries(database, filter, COUNT_MAX + 1);
  return some === null ? null : toListCount(some);
}

/** Counts to a limit, or all with null; null where it took longer than a second. */
async function countEntries({ prisma }: Database, filter: AuditFilter, limit: number | null): Promise<number | null> {
  const found = await countInTime<{ count: number }>(
    prisma,
    Prisma.sql`SELECT count(*)::int AS count FROM (
      SELECT FROM audit_entry WHERE tenant_id = ANY (${filter.tenantIds}::uuid[]) AND ${Prisma.join(conditions(filter), ' AND ')}
      LIMIT ${limit}::int) AS counted`,
  );
  return found === null ? null : (found[0]?.count ?? 0);
}

function isOfWholeChains({ actors, actions, objectTypes, objectId, from, to }: AuditFilter): boolean {
  if (actors.length > 0 || actions.length > 0 || objectTypes.length > 0) return false;
  return objectId === null && from === null && to === null;
}

/** One entry of one of these tenants, or null. `entryId` must be a UUID. */
export async function findAuditRow(database: Database, tenantIds: readonly string[], entryId: string): Promise<AuditRow | null> {
  const rows = await database.prisma.$queryRaw<AuditRow[]>`
    SELECT ${Prisma.raw(COLUMNS)} FROM audit_entry WHERE tenant_id = ANY (${tenantIds}::uuid[]) AND id = ${entryId}::uuid LIMIT 1`;
  return rows[0] ?? null;
}

function conditions(filter: AuditFilter): Prisma.Sql[] {
  const { actors, actions, objectTypes, objectId, from, to } = filter;
  return [
    Prisma.sql`true`,
    ...(actors.length > 0 ? [Prisma.sql`actor = ANY (${actors}::text[])`] : []),
    ...(actions.length > 0 ? [Prisma.sql`action = ANY (${actions}::text[])`] : []),
    ...(objectTypes.length > 0 ? [Prisma.sql`object_type = ANY (${objectTypes}::text[])`] : []),
    ...(objectId === null ? [] : [Prisma.sql`object_id = ${objectId}`]),
    ...(from === null ? [] : [Prisma.sql`created_at >= ${from}`]),
    ...(to === null ? [] : [Prisma.sql`created_at < ${to}`]),
  ];
}

/** The filter options. */
export interface AuditChoices {
  readonly actors: readonly string[];
  readonly actions: readonly string[];
  readonly objectTypes: readonly string[];
}

const LOOKED_THROUGH = 20_000;

/** The actors, actions and kinds of objects among the latest entries of these tenants, 20,000 of each tenant at most. */
export async function readAuditChoices(database: Database, tenantIds: readonly string[]): Promise<AuditChoices> {
  const rows = await database.prisma.$queryRaw<{ actor: string; action: string; objectType: string }[]>`
    SELECT DISTINCT part.actor, part.action, part."objectType" FROM audit_head AS tenant CROSS JOIN LATERAL (
      SELECT actor, action, object_type AS "objectType" FROM audit_entry AS entry WHERE entry.tenant_id = tenant.tenant_id
      ORDER BY position DESC LIMIT ${LOOKED_THROUGH}) AS part
    WHERE tenant.tenant_id = ANY (${tenantIds}::uuid[]) LIMIT ${LOOKED_THROUGH}`;
  const distinct = (pick: (row: (typeof rows)[number]) => string) => [...new Set(rows.map(pick))].toSorted();
  return {
    actors: distinct(({ actor }) => actor),
    actions: distinct(({ action }) => action),
    objectTypes: distinct(({ objectType }) => objectType),
  };
}

const CHAIN = `SELECT ${COLUMNS}, previous, hash, key_id AS "keyId"
  FROM audit_entry WHERE tenant_id = $1 AND position > $2 ORDER BY position LIMIT $3`;

/** The next `limit` entries of one tenant's chain, in their order. Read through the pool, because a chain can have millions. */
export async function readAuditChain(
  database: Pick<Database, 'pool'>,
  tenantId: string,
  afterPosition: number,
  limit: number,
): Promise<ChainedAuditEntry[]> {
  const { rows } = await database.pool.query<ChainedAuditEntry>(CHAIN, [tenantId, afterPosition, limit]);
  return rows;
}

/** The recorded heads of these tenants' chains. */
export function readAuditHeads(
  database: Pick<Database, 'prisma'>,
  tenantIds: readonly string[],
): Promise<(ChainHead & { readonly updatedAt: Date })[]> {
  return database.prisma.auditHead.findMany({ where: { tenantId: { in: [...tenantIds] } } });
}

/** Every tenant that has a chain or should have one: creating a merchant is recorded in its own. */
export async function readAuditTenants(
  database: Pick<Database, 'pool'>,
): Promise<{ readonly tenantId: string; readonly name: string | null }[]> {
  const { rows } = await database.pool.query<{ tenantId: string; name: string | null }>(
    `SELECT chain.id AS "tenantId", merchant.name
     FROM (SELECT tenant_id AS id FROM audit_head UNION SELECT tenant_id FROM audit_entry UNION SELECT id FROM merchant) AS chain
     LEFT JOIN merchant ON merchant.id = chain.id ORDER BY chain.id`,
  );
  return rows;
}
