import pg from 'pg';
import { DISTRIBUTION } from '../../prisma/distribution.ts';
import { Problem } from '../bootstrap/problem.mjs';

/** How Citus keeps a table. Of a local one it knows nothing: it is on the coordinator alone. */
export type Placement = 'reference' | 'distributed' | 'local';

/** A table of this schema whose rows are elsewhere than {@link DISTRIBUTION} says. */
export interface Misplaced {
  readonly table: string;
  readonly wanted: Placement;
  readonly found: Placement;
}

const PLACEMENTS = `
SELECT class.relname AS table, CASE part.partmethod WHEN 'n' THEN 'reference' WHEN 'h' THEN 'distributed' ELSE 'local' END AS found
FROM pg_class AS class JOIN pg_namespace AS space ON space.oid = class.relnamespace AND space.nspname = current_schema()
LEFT JOIN pg_dist_partition AS part ON part.logicalrelid = class.oid
WHERE class.relkind IN ('r', 'p') AND NOT EXISTS (
  SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = class.oid AND deptype = 'e')`;

/** Where each table of this schema is. Copies of one table's parts, which Citus keeps under names of their own, are hidden by it. */
export async function readPlacements(client: pg.Client): Promise<ReadonlyMap<string, Placement>> {
  const { rows } = await client.query<{ table: string; found: Placement }>(PLACEMENTS);
  return new Map(rows.map(({ table, found }) => [table, found]));
}

/** Where a table should be: one that {@link DISTRIBUTION} does not name is local. */
function wantedPlacement(table: string): Placement {
  if (DISTRIBUTION.reference.some((name) => name === table)) return 'reference';
  return Object.hasOwn(DISTRIBUTION.distributed, table) ? 'distributed' : 'local';
}

/** Tables that are not where they should be. */
export function findMisplaced(placements: ReadonlyMap<string, Placement>): readonly Misplaced[] {
  return [...placements].flatMap(([table, found]) => {
    const wanted = wantedPlacement(table);
    return found === wanted ? [] : [{ table, wanted, found }];
  });
}

/** True in a database that has the extension. */
export async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  return rowCount === 1;
}

/** Steps that are left until the tables are where {@link DISTRIBUTION} says. */
export type Remaining =
  /** None: they are there, or the database has no nodes that take rows. */
  | 'none'
  /** Tables have to be placed that have no rows, or functions: those of a new database, or the new ones of a distributed one. */
  | 'empty tables'
  /** Rows have to move from the coordinator to the nodes. */
  | 'rows';

/** Printed where {@link Remaining} is `rows`. */
export const ROWS_REMAIN = 'Citus: rows are on the coordinator alone. Stop Switchyard, and: npm run admin -- database distribute';

/** Finds out which steps are left. Tables that a pending migration is yet to make count as empty. */
export async function findRemaining(client: pg.Client): Promise<Remaining> {
  if (!(await hasCitus(client))) return 'none';
  if (!(await readNodes(client)).some(({ holdsShards }) => holdsShards)) return 'none';
  const placements = await readPlacements(client);
  if (!placements.has('merchant')) return 'empty tables';
  const misplaced = findMisplaced(placements);
  if (misplaced.length === 0) return (await findMisplacedFunctions(client)).length === 0 ? 'none' : 'empty tables';
  for (const { table } of misplaced) {
    const { rowCount } = await client.query(`SELECT FROM ${pg.escapeIdentifier(table)} LIMIT 1`);
    if (rowCount !== 0) return 'rows';
  }
  return 'empty tables';
}

const MISPLACED_FUNCTIONS = `
SELECT proc.oid::regprocedure::text AS name FROM pg_proc AS proc
LEFT JOIN pg_dist_object AS object ON object.classid = 'pg_proc'::regclass AND object.objid = proc.oid
WHERE proc.pronamespace = current_schema()::regnamespace AND proc.proname = ANY ($1::text[]) AND distribution_argument_index IS NULL
ORDER BY proc.oid`;

/** Functions of {@link DISTRIBUTION} that do not run beside the rows of their merchant, with their arguments. */
export async function findMisplacedFunctions(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(MISPLACED_FUNCTIONS, [DISTRIBUTION.functions]);
  return rows.map(({ name }) => name);
}

/** Connections of web, worker and reporting to the database, which all have this name. */
const APPLICATION = 'switchyard';

/** The number of connections that processes of the product hold to this database. */
export async function countProcessConnections(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()`,
    [APPLICATION],
  );
  return rows[0]?.count ?? 0;
}

/** One server of a cluster. */
export interface ClusterNode {
  readonly host: string;
  readonly port: number;
  readonly isCoordinator: boolean;
  readonly isActive: boolean;
  readonly holdsShards: boolean;
}

/** The servers that the coordinator knows, itself included once it was given an address. */
export async function readNodes(client: pg.Client): Promise<readonly ClusterNode[]> {
  const { rows } = await client.query<ClusterNode>(
    `SELECT nodename AS host, nodeport AS port, groupid = 0 AS "isCoordinator", isactive AS "isActive", shouldhaveshards AS "holdsShards"
     FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`,
  );
  return rows;
}

/** Versions that one server of a cluster runs. */
export interface NodeVersion {
  readonly host: string;
  readonly port: number;
  /** For example `18.4, Citus 14.0-1`; what went wrong where it did not answer. */
  readonly runs: string;
  readonly answers: boolean;
}

const VERSION = `SELECT current_setting('server_version') || ', Citus ' || extversion FROM pg_extension WHERE extname = 'citus'`;

/** Versions of each server of the cluster. */
export async function readVersions(client: pg.Client): Promise<readonly NodeVersion[]> {
  const { rows } = await client.query<NodeVersion>(
    `SELECT node.nodename AS host, node.nodeport AS port, answer.result AS runs, answer.success AS answers
     FROM run_command_on_all_nodes($1) AS answer JOIN pg_dist_node AS node USING (nodeid) ORDER BY node.groupid`,
    [VERSION],
  );
  return rows;
}

/**
 * Settings of every connection to a distributed database. Triggers of ours write rows of the merchant whose row was changed, which are on
 * the same node: Citus cannot know it, and has to be configured so. Citus 14.0 loses memory for good with each execution of a kept plan
 * that runs on the node itself (https://github.com/citusdata/citus/issues/8371): plans are made anew each time.
 */
export const SESSION_SETTINGS = {
  'citus.enable_unsafe_triggers': 'on',
  'citus.allow_nested_distributed_execution': 'on',
  plan_cache_mode: 'force_custom_plan',
} as const;

/** Set beside them for speed: a statement over all parts opens no second connection to a node, which takes longer than it saves. */
export const FAN_OUT_SETTINGS = { 'citus.max_adaptive_executor_pool_size': '1' } as const;

/** Those of {@link SESSION_SETTINGS} that some server has otherwise: the coordinator, or a node where triggers and functions run. */
export async function findMissingSettings(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ setting: string }>(
    `SELECT setting FROM json_each_text($1::json) AS wanted (setting, value)
     WHERE EXISTS (
       SELECT FROM run_command_on_all_nodes(format('SELECT current_setting(%L)', setting)) AS answer
       WHERE answer.success AND answer.result <> value)`,
    [JSON.stringify(SESSION_SETTINGS)],
  );
  return rows.map(({ setting }) => setting);
}

/** Throws a Problem for a distributed database that no process may run on: one of its servers lacks a setting. */
export async function refuseUnfit(client: pg.Client): Promise<void> {
  if (!(await hasCitus(client)) || (await readPlacements(client)).get('payment') !== 'distributed') return;
  const missing = await findMissingSettings(client);
  if (missing.length === 0) return;
  throw new Problem(`Some server of the cluster is without ${missing.join(', ')}.`, [
    'Stop Switchyard, and: npm run admin -- database distribute',
    'Without it the servers lose memory with each payment, until they have none: docs/scaling.md, Citus.',
  ]);
}
