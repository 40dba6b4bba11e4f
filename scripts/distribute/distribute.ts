import pg from 'pg';
import { DISTRIBUTION } from '../../prisma/distribution.ts';
import { Problem } from '../bootstrap/problem.mjs';
import { seconds } from '../stack/progress.ts';
import {
  countProcessConnections,
  FAN_OUT_SETTINGS,
  findMisplaced,
  findMisplacedFunctions,
  findMissingSettings,
  findRemaining,
  hasCitus,
  readNodes,
  readPlacements,
  readVersions,
  SESSION_SETTINGS,
} from './cluster.ts';

/** Options of {@link distribute}. */
export interface DistributeOptions {
  /**
   * Parts that each distributed table is split into, as the server's `citus.shard_count` has it when left out; {@link distribute} never
   * changes it for tables that are distributed.
   */
  readonly shardCount?: number | undefined;
  /** Reports each thing that was done, with the time it took. */
  readonly tell: (text: string) => void;
}

/** The table that the others are kept beside. */
const [FIRST = ''] = Object.keys(DISTRIBUTION.distributed);

const NO_CITUS = new Problem('This database has no Citus.', [
  "On every server: shared_preload_libraries = 'citus', and in this database CREATE EXTENSION citus.",
]);

/**
 * Brings the database of a coordinator into the form of {@link DISTRIBUTION}: reference tables, then distributed ones, with the rows that
 * they have. Tables that have their form already are left alone, so that it may be run again at any time and goes on where it was
 * interrupted; each table changes in a transaction of its own. Throws a Problem, before anything was changed, when the database has no
 * Citus, the cluster is not fit for it, the migrations were not applied, or processes of the product are connected that have to be
 * stopped for it.
 */
export async function distribute(client: pg.Client, { shardCount, tell }: DistributeOptions): Promise<void> {
  if (!(await hasCitus(client))) throw NO_CITUS;
  const faults = await findNodeFaults(client);
  if (faults.length > 0) throw new Problem('The cluster is not ready.', faults);
  const placements = await readPlacements(client);
  const tables = [...DISTRIBUTION.reference, ...Object.keys(DISTRIBUTION.distributed)];
  const missing = tables.filter((table) => !placements.has(table));
  if (missing.length > 0)
    throw new Problem(`Tables are missing: ${missing.join(', ')}.`, [
      'Apply the migrations first: npm run admin -- database deploy',
    ]);
  const connections = await countProcessConnections(client);
  // New tables of a later version are unknown to the processes that run beside.
  const isAddition = placements.get(FIRST) === 'distributed' && (await findRemaining(client)) !== 'rows';
  if (connections > 0 && !isAddition) {
    throw new Problem(`Web, worker or reporting are connected to this database (${connections} connections).`, [
      'Stop them first.',
    ]);
  }
  const isFirst = ![...placements.values()].includes('distributed');
  await applySettings(client);
  if (shardCount !== undefined) await client.query(`SET citus.shard_count TO ${shardCount}`);
  for (const table of DISTRIBUTION.reference) {
    if (placements.get(table) === 'reference') continue;
    await placeTable(client, table, `SELECT create_reference_table('${table}')`, 'is on every node', tell);
  }
  for (const [table, column] of Object.entries(DISTRIBUTION.distributed)) {
    if (placements.get(table) === 'distributed') continue;
    const beside = table === FIRST ? 'none' : FIRST;
    const statement = `SELECT create_distributed_table('${table}', '${column}', colocate_with => '${beside}')`;
    await placeTable(client, table, statement, `is split by ${column}`, tell);
  }
  await copyFunctions(client);
  await placeFunctions(client);
  // Rows that move from the coordinator for the first time lose none on the way: its nodes begin no epoch.
  if (isFirst) await client.query(RECORD_NODES);
}

const RECORD_NODES = `
INSERT INTO database_epoch (identity, began_at)
SELECT result, to_timestamp(0) FROM run_command_on_all_nodes('SELECT database_identity()') WHERE success ON CONFLICT DO NOTHING`;

interface Trigger {
  readonly name: string;
  readonly definition: string;
}

const TRIGGERS = `
SELECT tgname AS name, pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal`;

async function placeTable(
  client: pg.Client,
  table: string,
  statement: string,
  form: string,
  tell: (text: string) => void,
): Promise<void> {
  const began = Date.now();
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${pg.escapeIdentifier(table)}`);
  await client.query('BEGIN');
  try {
    // Rows that move to their nodes are no new ones: triggers are made again after they have moved.
    const triggers = await client.query<Trigger>(TRIGGERS, [table]);
    for (const { name } of triggers.rows)
      await client.query(`DROP TRIGGER ${pg.escapeIdentifier(name)} ON ${pg.escapeIdentifier(table)}`);
    await client.query(statement);
    for (const { definition } of triggers.rows) await client.query(definition);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  tell(`${table} ${form}: ${rows[0]?.count ?? 0} rows, ${seconds(began)}`);
}

/** Functions that triggers call are on every node, where the rows are. Those made after the nodes were added are there already. */
async function copyFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT proc.oid::regprocedure::text AS name FROM pg_proc AS proc
     WHERE pronamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = proc.oid AND deptype = 'e')
       AND NOT EXISTS (SELECT FROM pg_dist_object WHERE classid = 'pg_proc'::regclass AND objid = proc.oid)
     ORDER BY proc.oid`,
  );
  for (const { name } of rows) await client.query('SELECT create_distributed_function($1::regprocedure)', [name]);
}

/** Functions of {@link DISTRIBUTION} run beside the rows of their merchant, which have to be of one merchant then. */
async function placeFunctions(client: pg.Client): Promise<void> {
  for (const name of await findMisplacedFunctions(client)) {
    await client.query("SELECT create_distributed_function($1::regprocedure, 'merchant', colocate_with := $2)", [name, FIRST]);
  }
  await client.query("CREATE OR REPLACE FUNCTION rows_share_a_node() RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS 'SELECT false'");
}

/** Every later connection of this role has the settings, on all nodes; this one at once. */
async function applySettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: string; database: string }>(
    'SELECT current_user AS role, current_database() AS database',
  );
  for (const { role, database } of rows) {
    for (const [setting, value] of Object.entries({ ...SESSION_SETTINGS, ...FAN_OUT_SETTINGS })) {
      await client.query(
        `ALTER ROLE ${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(database)} SET ${setting} TO ${value}`,
      );
      await client.query(`SET ${setting} TO ${value}`);
    }
  }
}

/** Faults of the servers, each as a sentence: none is known, some do not answer, or their versions differ. */
async function findNodeFaults(client: pg.Client): Promise<string[]> {
  const nodes = await readNodes(client);
  const versions = await readVersions(client);
  const silent = versions.filter(({ answers }) => !answers);
  const [first, ...others] = versions.filter(({ answers }) => answers);
  const different = others.filter(({ runs }) => runs !== first?.runs);
  return [
    ...(nodes.some(({ isCoordinator }) => isCoordinator)
      ? []
      : ['The coordinator has no address: SELECT citus_set_coordinator_host(…)']),
    ...(nodes.some(({ holdsShards }) => holdsShards) ? [] : ['No node takes rows: SELECT citus_add_node(…)']),
    ...nodes
      .filter(({ isActive }) => !isActive)
      .map(({ host, port }) => `${host}:${port} is not active: SELECT citus_activate_node(…)`),
    ...silent.map(({ host, port, runs }) => `${host}:${port} does not answer: ${runs}`),
    ...different.map(({ host, port, runs }) => `${host}:${port} runs ${runs}, ${first?.host}:${first?.port} runs ${first?.runs}`),
  ];
}

/** Faults of the cluster and of the database on it, each as a sentence; none in a database that is distributed as it should be. */
export async function checkDistribution(client: pg.Client): Promise<readonly string[]> {
  if (!(await hasCitus(client))) return [NO_CITUS.message];
  const misplaced = findMisplaced(await readPlacements(client));
  const functions = await findMisplacedFunctions(client);
  const settings = await findMissingSettings(client);
  const { rows: unsound } = await client.query<{ pair: string }>(
    `SELECT format('%s:%s cannot reach %s:%s', from_nodename, from_nodeport, to_nodename, to_nodeport) AS pair
     FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE LIMIT 100`,
  );
  return [
    ...(await findNodeFaults(client)),
    ...unsound.map(({ pair }) => `${pair}.`),
    ...misplaced.map(
      ({ table, wanted, found }) => `${table} is ${found}, and should be ${wanted}: npm run admin -- database distribute`,
    ),
    ...functions.map((name) => `${name} does not run beside its rows: npm run admin -- database distribute`),
    ...settings.map((setting) => `${setting} is not set on some server: npm run admin -- database distribute`),
  ];
}
