import { NIL_ID } from '@switchyard/db';
import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { grantRole } from '../grants/grants.ts';
import type { StaffGrant } from '../permissions/staff-session.ts';
import { removeCustomRole, saveCustomRole } from '../roles/roles.ts';
import { applyGroups, checkGroupRoles, type GroupRole, listGroupRoles, putGroupRoles } from './group-roles.ts';

const OWNER: readonly StaffGrant[] = [{ merchantId: null, role: 'owner' }];
const actor = 'staff:ada';
const NO_RIGHT = { roleId: 'none', name: 'None', permissions: [], testPermissions: [] };
let context: TestContext;
let merchantId: string;
let providerId: string;
let userId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.database.prisma.staffGrant.deleteMany();
  merchantId = await testMerchant(context);
  userId = await testStaff(context);
  providerId = await provider();
});

async function provider(): Promise<string> {
  const id = context.newId();
  const at = new Date();
  const data = { id, providerId: id, name: id, issuer: 'https://id.example', domain: 'example.com', groupClaim: 'groups' };
  await context.database.prisma.ssoProvider.create({ data: { ...data, createdBy: actor, createdAt: at, updatedAt: at } });
  return id;
}

/** Replaces the roles, or returns why they stay. */
const set = (groupRoles: readonly GroupRole[], grants = OWNER) =>
  context.database.prisma.$transaction(async (transaction) => {
    const before = await listGroupRoles({ prisma: transaction }, providerId);
    const refusal = await checkGroupRoles(transaction, { before, groupRoles, grants });
    if (refusal === null) await putGroupRoles(context, transaction, { providerId, groupRoles });
    return refusal;
  });

/** Applies the groups of people; of the one person without others. */
const applyTo = (people: readonly { readonly userId: string; readonly groups: readonly string[] }[], of = providerId) =>
  context.database.prisma.$transaction((transaction) =>
    applyGroups(context, transaction, { providerId: of, people, actor: 'system:test', now: new Date() }),
  );
async function apply(groups: readonly string[], of = providerId) {
  const { given, taken, ownersKept } = await applyTo([{ userId, groups }], of);
  return { given, taken, ownerKept: ownersKept === 1 };
}

async function roles() {
  const rows = await context.database.prisma.staffGrant.findMany({ where: { staffId: userId }, orderBy: { merchantId: 'asc' } });
  return rows.map(({ merchantId: at, role, group }) => [at === merchantId ? 'merchant' : at, role, group]);
}

const lastAudit = (tenantId: string) =>
  context.database.prisma.auditEntry.findFirst({ where: { tenantId }, orderBy: { position: 'desc' } });

describe('the mapping of groups', () => {
  test('is replaced as a whole, in order', async () => {
    const rows = [
      { group: 'Finance', merchantId, role: 'finance' },
      { group: 'Everyone', merchantId: null, role: 'viewer' },
    ];
    expect(await set(rows)).toBeNull();
    expect(await listGroupRoles(context.database, providerId)).toEqual(rows);
    expect(await set(rows.slice(1))).toBeNull();
    expect(await listGroupRoles(context.database, providerId)).toEqual(rows.slice(1));
  });

  test('is changed to a role by an owner of all merchants alone, and neither is such a row removed by others', async () => {
    const row = { group: 'Admins', merchantId: null, role: 'owner' };
    for (const grants of [
      [{ merchantId, role: 'owner' as const }],
      [{ merchantId: null, role: 'operator' as const }],
      [{ merchantId: null, role: { ...NO_RIGHT, permissions: ['team:manage', 'payment:read'] } }],
    ]) {
      expect(await set([row], grants)).toEqual({ kind: 'not_allowed', groupRole: row });
    }
    expect(await set([row])).toBeNull();
    expect(await set([], [{ merchantId: null, role: 'operator' }])).toEqual({ kind: 'not_allowed', groupRole: row });
  });

  test('names merchants and roles that there are', async () => {
    const at = (over: Partial<GroupRole>) => set([{ group: 'A', merchantId, role: 'viewer', ...over }]);
    expect(await at({ merchantId: context.newId() })).toEqual({ kind: 'unknown_merchant' });
    expect(await at({ merchantId: NIL_ID })).toEqual({ kind: 'unknown_merchant' });
    expect(await at({ role: context.newId() })).toEqual({ kind: 'unknown_role' });
  });

  test('keeps a role of the workspace’s own from being removed', async () => {
    const fields = { name: context.newId(), permissions: ['payment:read'], testPermissions: [] };
    const saved = await saveCustomRole(context, { ...fields, roleId: null, actor });
    const roleId = saved.kind === 'saved' ? saved.role.roleId : '';
    await set([{ group: 'Risk', merchantId, role: roleId }]);
    expect(await removeCustomRole(context, { roleId, actor })).toMatchObject({ kind: 'in_use', groups: 1 });
  });
});

describe('applying a person’s groups', () => {
  test('gives, changes and takes their roles by groups, each with an audit entry of the merchant', async () => {
    await set([
      { group: 'Finance', merchantId, role: 'finance' },
      { group: 'Support', merchantId, role: 'support' },
      { group: 'Support', merchantId: null, role: 'viewer' },
    ]);
    expect(await apply(['Support', 'Finance', 'Other'])).toEqual({ given: 2, taken: 0, ownerKept: false });
    expect(await roles()).toEqual([
      [NIL_ID, 'viewer', 'Support'],
      ['merchant', 'finance', 'Finance'],
    ]);
    expect(await apply(['Support', 'Finance'])).toEqual({ given: 0, taken: 0, ownerKept: false });
    expect(await apply(['Support'])).toEqual({ given: 1, taken: 0, ownerKept: false });
    expect(await lastAudit(merchantId)).toMatchObject({
      action: 'staff.role_granted',
      actor: 'system:test',
      before: { role: 'finance', group: 'Finance' },
      after: { role: 'support', group: 'Support' },
    });
    expect(await apply([])).toEqual({ given: 0, taken: 2, ownerKept: false });
    expect(await lastAudit(merchantId)).toMatchObject({
      action: 'staff.role_revoked',
      before: { group: 'Support' },
      after: null,
    });
    expect(await roles()).toEqual([]);
  });

  test('leaves roles given by hand, which go before a group’s, and those of another provider', async () => {
    await set([{ group: 'Finance', merchantId, role: 'finance' }]);
    await grantRole(context, { staffId: userId, merchantId, role: 'viewer', actor });
    expect(await apply(['Finance'])).toEqual({ given: 0, taken: 0, ownerKept: false });
    expect(await apply([])).toEqual({ given: 0, taken: 0, ownerKept: false });
    expect(await roles()).toEqual([['merchant', 'viewer', null]]);
    await context.database.prisma.staffGrant.deleteMany();
    await apply(['Finance']);
    expect(await apply([], await provider())).toEqual({ given: 0, taken: 0, ownerKept: false });
    expect(await roles()).toEqual([['merchant', 'finance', 'Finance']]);
  });

  test('never leaves the workspace without an owner', async () => {
    await set([
      { group: 'Admins', merchantId: null, role: 'owner' },
      { group: 'Staff', merchantId: null, role: 'viewer' },
    ]);
    await apply(['Admins']);
    expect(await apply([])).toEqual({ given: 0, taken: 0, ownerKept: true });
    expect(await apply(['Staff'])).toEqual({ given: 0, taken: 0, ownerKept: true });
    expect(await roles()).toEqual([[NIL_ID, 'owner', 'Admins']]);
    await grantRole(context, { staffId: await testStaff(context), merchantId: null, role: 'owner', actor });
    expect(await apply(['Staff'])).toEqual({ given: 1, taken: 0, ownerKept: false });
  });

  test('of many people is one change: of two owners who leave their group one stays, and one who comes takes the place of all', async () => {
    await set([{ group: 'Admins', merchantId: null, role: 'owner' }]);
    const [other, next] = [await testStaff(context), await testStaff(context)];
    await applyTo([userId, other].map((id) => ({ userId: id, groups: ['Admins'] })));
    const left = [userId, other].map((id) => ({ userId: id, groups: [] }));
    expect(await applyTo(left)).toEqual({ given: 0, taken: 1, changed: 1, ownersKept: 1 });
    expect(await applyTo([{ userId: next, groups: ['Admins'] }, ...left])).toEqual({
      given: 1,
      taken: 1,
      changed: 2,
      ownersKept: 0,
    });
    const owners = await context.database.prisma.staffGrant.findMany({ where: { merchantId: NIL_ID, role: 'owner' } });
    expect(owners.map(({ staffId }) => staffId)).toEqual([next]);
  });

  test('never takes the role of the break-glass owner', async () => {
    await set([{ group: 'Admins', merchantId: null, role: 'owner' }]);
    const other = await testStaff(context);
    await applyTo([userId, other].map((id) => ({ userId: id, groups: ['Admins'] })));
    await context.database.prisma.staffUser.update({ where: { id: userId }, data: { breakGlass: true } });
    const left = [userId, other].map((id) => ({ userId: id, groups: [] }));
    expect(await applyTo(left)).toEqual({ given: 0, taken: 1, changed: 1, ownersKept: 1 });
    expect(await roles()).toEqual([[NIL_ID, 'owner', 'Admins']]);
  });

  test('is undone by giving the role by hand, which then stays', async () => {
    await set([{ group: 'Finance', merchantId, role: 'finance' }]);
    await apply(['Finance']);
    await grantRole(context, { staffId: userId, merchantId, role: 'viewer', actor });
    await apply([]);
    expect(await roles()).toEqual([['merchant', 'viewer', null]]);
  });
});
