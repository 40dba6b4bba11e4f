import { type JsonValue, NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from './list-audit.ts';

let context: TestContext;
let merchantId: string;
let otherId: string;
beforeAll(async () => {
  context = await openTestContext();
  merchantId = await testMerchant(context, 'Balogun Books');
  otherId = await testMerchant(context, 'Ade Fabrics');
});
afterAll(() => context.close());

interface Entry {
  readonly tenantId?: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

async function record({ tenantId = merchantId, objectType, objectId, before = null, after = null }: Entry): Promise<string> {
  const entryId = context.newId();
  const entry = { tenantId, entryId, actor: 'system:test', action: 'test.done', objectType, objectId, before, after };
  await context.database.prisma.$transaction((transaction) =>
    appendAuditEntry(transaction, context.resources.auditKeys, entry, context.now()),
  );
  return entryId;
}

async function nameOf(entryId: string, tenantIds = [merchantId, otherId, NIL_ID]): Promise<string | null | undefined> {
  const query = { actors: [], actions: [], objectTypes: [], objectId: null, from: null, to: null, after: null, limit: 200 };
  const { items } = await listAudit(context, { ...query, tenantIds });
  return items.find((item) => item.entryId === entryId)?.objectName;
}

test('an object has the name it has now, whatever the entry recorded', async () => {
  const staffId = await testStaff(context);
  const { name } = await context.database.prisma.staffUser.findUniqueOrThrow({ where: { id: staffId } });
  const ofStaff = await record({ tenantId: NIL_ID, objectType: 'staff', objectId: staffId, after: { name: 'An old name' } });
  expect(await nameOf(ofStaff)).toBe(name);
  expect(await nameOf(await record({ objectType: 'merchant', objectId: merchantId }))).toBe('Balogun Books');
});

test('a deleted object keeps the name that it was last recorded with', async () => {
  const objectId = context.newId();
  const deleted = await record({ objectType: 'webhook_endpoint', objectId, before: { url: 'https://shop.example/hooks' } });
  const silent = await record({ objectType: 'webhook_endpoint', objectId });
  expect([await nameOf(deleted), await nameOf(silent)]).toEqual(['https://shop.example/hooks', 'https://shop.example/hooks']);
  const draft = await record({ objectType: 'rule_set_version', objectId: context.newId(), before: { name: 'Cheaper cards' } });
  expect(await nameOf(draft)).toBe('draft “Cheaper cards”');
  const version = await record({ objectType: 'rule_set_version', objectId: context.newId(), after: { version: 8, name: 'x' } });
  expect(await nameOf(version)).toBe('version 8');
});

test("another merchant's object gives no name, and one without any has none", async () => {
  const own = await record({ tenantId: otherId, objectType: 'merchant', objectId: otherId });
  const lent = await record({ objectType: 'merchant', objectId: otherId });
  expect([await nameOf(own), await nameOf(lent, [merchantId])]).toEqual(['Ade Fabrics', null]);
  expect(await nameOf(await record({ objectType: 'retention', objectId: 'deliveries' }))).toBeNull();
});
