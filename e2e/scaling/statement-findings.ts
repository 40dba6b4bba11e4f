import type { Catalog } from './citus-catalog.ts';
import { REFERENCE_TABLES } from './citus-plan.ts';
import type { SentStatement } from './record-statements.ts';
import { statementShape } from './statement-shape.ts';

/**
 * Where a statement leaves one merchant's shard, and what of it Citus refuses:
 * - every distributed table is confined to one merchant by a value, or by a join on the distribution columns: what runs on one node may
 *   use all of SQL: https://docs.citusdata.com/en/stable/develop/reference_workarounds.html
 * - FOR UPDATE goes to one shard: https://github.com/citusdata/citus/issues/4647
 * - no volatile functions in what is modified, no stable ones of columns, no queries among inserted values: reference_workarounds
 * - tables of the coordinator are not joined with distributed ones: reference_workarounds
 */
export function statementFindings(
  statement: SentStatement,
  catalog: Catalog,
): { readonly name: string; readonly findings: readonly string[] } {
  const shape = statementShape(statement.text, statement.values, catalog);
  if (shape === undefined) return { name: statement.name ?? statement.text, findings: [] };
  const { distributedBy, volatility } = catalog;
  const used = [...new Set(shape.tables.map(({ table }) => table))];
  const name = statement.name ?? `${shape.verb} ${used.join(', ')}`;
  const distributed = used.filter((table) => distributedBy.has(table));
  if (distributed.length === 0) return { name, findings: [] };
  const findings = new Set<string>();
  for (const { table, isWritten, tenantScope } of shape.tables) {
    if (!distributedBy.has(table) || tenantScope === 'one merchant') continue;
    findings.add(`${table} is ${isWritten ? 'written' : 'read'} of ${tenantScope}`);
  }
  if (shape.locksRows && findings.size > 0) findings.add('locks rows across shards');
  if (shape.merchantCount > 1) findings.add(`names ${shape.merchantCount} merchants`);
  for (const { table, columns } of shape.conflictTargets) {
    const by = distributedBy.get(table);
    if (by !== undefined && columns[0] !== by) findings.add(`conflicts on ${table} (${columns.join(', ')})`);
  }
  const local = used.filter((table) => !distributedBy.has(table) && !(table in REFERENCE_TABLES));
  if (local.length > 0) findings.add(`mixes ${distributed.join(', ')} with ${local.join(', ')} of the coordinator`);
  for (const called of shape.modifyingFunctions) {
    const kind = volatility.get(called.name);
    if (kind === 'v') findings.add(`calls ${called.name}, which is volatile`);
    if (kind === 's' && called.withColumns) findings.add(`calls ${called.name}, which is stable, with columns`);
  }
  if (shape.insertsSubquery) findings.add('inserts what a query among its values gives');
  return { name, findings: [...findings] };
}
