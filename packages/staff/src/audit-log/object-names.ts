import { type Database, isUuid, type JsonValue } from '@switchyard/db';
import { readApiKeyNames } from '@switchyard/merchants/console/api-keys';
import { formatMoney } from '@switchyard/routing';
import { readTokenNames } from '../machine-tokens/queries.ts';
import { readStaffNames } from '../users/staff-names.ts';
import type { AuditRow } from './queries.ts';

/** The object of an audit entry. */
type AuditObject = Pick<AuditRow, 'tenantId' | 'objectType' | 'objectId' | 'before' | 'after'>;

/**
 * The names of the objects of audit entries, by {@link objectKey}: as they are called now, else as the entry recorded them, else as
 * another entry did. Objects that were deleted keep the name they were last recorded with. Left out are objects without any.
 */
export async function readObjectNames(database: Database, objects: readonly AuditObject[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const add = (object: AuditObject, name: string | null | undefined) => {
    if (name && !names.has(objectKey(object))) names.set(objectKey(object), name);
  };
  const byType = Map.groupBy(objects, ({ objectType }) => objectType);
  for (const [objectType, some] of byType) {
    const present = await readPresentNames(database, objectType, some);
    for (const object of some) add(object, present.get(object.objectId));
  }
  for (const object of objects) add(object, recordedName(object));
  const unnamed = objects.filter((object) => !names.has(objectKey(object)));
  for (const entry of await readEntriesOf(database, unnamed)) add(entry, recordedName(entry));
  return names;
}

/** The key of an object among those of several tenants and types. */
export function objectKey({ tenantId, objectType, objectId }: Omit<AuditObject, 'before' | 'after'>): string {
  return `${tenantId} ${objectType} ${objectId}`;
}

/** The names that objects of one type have now, by id. */
async function readPresentNames(
  database: Database,
  objectType: string,
  objects: readonly AuditObject[],
): Promise<ReadonlyMap<string, string>> {
  const { prisma } = database;
  const ids = [...new Set(objects.map(({ objectId }) => objectId))].filter(isUuid);
  const tenantIds = [...new Set(objects.map(({ tenantId }) => tenantId))];
  const where = { merchantId: { in: tenantIds }, id: { in: ids } };
  if (ids.length === 0) return new Map();
  switch (objectType) {
    case 'staff':
      return readStaffNames(database, ids);
    case 'api_key':
      return readApiKeyNames(database, tenantIds, ids);
    case 'machine_token':
      return readTokenNames(database, ids);
    case 'custom_role':
      return named(await prisma.customRole.findMany({ where: { id: { in: ids } } }), ({ name }) => name);
    case 'merchant': {
      const own = ids.filter((id) => tenantIds.includes(id));
      return named(await prisma.merchant.findMany({ where: { id: { in: own } } }), ({ name }) => name);
    }
    case 'gateway_account':
      return named(await prisma.gatewayAccount.findMany({ where, select: { id: true, label: true } }), ({ label }) => label);
    case 'rule_set_version': {
      const select = { id: true, version: true, name: true };
      return named(await prisma.ruleSetVersion.findMany({ where, select }), ({ version, name }) => ruleSetName(version, name));
    }
    case 'routing_override': {
      const overrides = await prisma.routingOverride.findMany({ where });
      const accountIds = overrides.flatMap(({ accountId }) => accountId ?? []);
      const ofOverrides = { merchantId: { in: tenantIds }, id: { in: accountIds } };
      const accounts = await prisma.gatewayAccount.findMany({ where: ofOverrides, select: { id: true, label: true } });
      const labels = named(accounts, ({ label }) => label);
      return named(overrides, ({ accountId, gateway, method }) => {
        const account = accountId === null ? `all accounts at ${gateway}` : (labels.get(accountId) ?? accountId);
        return method === null ? account : `${account}, ${method}`;
      });
    }
    case 'payment': {
      const select = { id: true, merchantOrderId: true };
      return named(await prisma.payment.findMany({ where, select }), ({ merchantOrderId }) => `order ${merchantOrderId}`);
    }
    case 'refund':
      return named(await prisma.refund.findMany({ where }), ({ amount, currency }) => formatMoney(currency, amount));
    case 'duplicate_charge':
      return named(await prisma.duplicateCharge.findMany({ where }), ({ transactionId }) => transactionId);
    case 'webhook_endpoint':
      return named(await prisma.webhookEndpoint.findMany({ where, select: { id: true, url: true } }), ({ url }) => url);
    default:
      return new Map();
  }
}

function named<Row extends { readonly id: string }>(rows: readonly Row[], nameOf: (row: Row) => string): Map<string, string> {
  return new Map(rows.map((row) => [row.id, nameOf(row)]));
}

function ruleSetName(version: number | null, name: string | null): string {
  if (version === null) return name === null ? 'draft' : `draft “${name}”`;
  return `version ${version}`;
}

/** Fields that name an object, the best first. */
const NAMING = ['name', 'label', 'merchantOrderId', 'url', 'email', 'reference', 'subject', 'day'] as const;

/** The name in the values of an entry, the later ones first; null without one. */
function recordedName({ objectType, before, after }: AuditObject): string | null {
  for (const value of [after, before]) {
    const fields = fieldsOf(value);
    if (objectType === 'rule_set_version' && typeof fields.version === 'number') return ruleSetName(fields.version, null);
    for (const field of NAMING) {
      const name = fields[field];
      if (typeof name === 'string' && name !== '') return objectType === 'rule_set_version' ? ruleSetName(null, name) : name;
    }
  }
  return null;
}

function fieldsOf(value: JsonValue): Readonly<Record<string, JsonValue | undefined>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries<JsonValue>(Object.entries(value)) : {};
}

const ENTRIES_PER_OBJECT = 20;

/** The latest entries of these objects, of every object at most 20. */
async function readEntriesOf(database: Database, objects: readonly AuditObject[]): Promise<AuditObject[]> {
  if (objects.length === 0) return [];
  const tenantIds = [...new Set(objects.map(({ tenantId }) => tenantId))];
  const objectIds = [...new Set(objects.map(({ objectId }) => objectId))];
  return database.prisma.$queryRaw<AuditObject[]>`
    SELECT "tenantId", "objectType", "objectId", before, after FROM (
      SELECT tenant_id AS "tenantId", object_type AS "objectType", object_id AS "objectId", before, after,
        row_number() OVER (PARTITION BY tenant_id, object_id ORDER BY created_at DESC) AS place
      FROM audit_entry WHERE tenant_id = ANY (${tenantIds}::uuid[]) AND object_id = ANY (${objectIds}::text[])) AS entry
    WHERE place <= ${ENTRIES_PER_OBJECT} ORDER BY place`;
}
