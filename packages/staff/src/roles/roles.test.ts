import { NIL_ID } from '@switchyard/db';
import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { grantRole, listStaffWhoMay, revokeRole } from '../grants/grants.ts';
import { listActiveStaffWhoMay, listMerchantsWithoutSecondApprover } from '../grants/rule-approvers.ts';
import { acceptInvitation, inviteStaff } from '../invitations/invitations.ts';
import { hasPermissionAnywhere, merchantsWhere } from '../permissions/permissions.ts';
import { readStaffUser } from '../users/queries.ts';
import { listCustomRoles, type RoleFields, removeCustomRole, saveCustomRole } from './roles.ts';

const actor = 'staff:ada';
const FIELDS: RoleFields = { name: 'Risk', permissions: ['payment:read', 'audit:read'], testPermissions: ['payment:refund'] };
let context: TestContext;
let merchantId: string;

beforeAll(async () => {
  context = await openTestContext();
  merchantId = await testMerchant(context);
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.database.prisma.staffGrant.deleteMany();
  await context.database.prisma.staffLink.deleteMany();
  await context.database.prisma.customRole.deleteMany();
});

const save = (fields: Partial<RoleFields> = {}, roleId: string | null = null) =>
  saveCustomRole(context, { ...FIELDS, ...fields, roleId, actor });

async function created(fields: Partial<RoleFields> = {}): Promise<string> {
  const outcome = await save(fields);
  if (outcome.kind !== 'saved') throw new Error(JSON.stringify(outcome));
  return outcome.role.roleId;
}

/** A person with the role at the merchant. */
async function holder(roleId: string): Promise<string> {
  const staffId = await testStaff(context);
  expect(await grantRole(context, { staffId, merchantId, role: roleId, actor })).toMatchObject({ kind: 'granted' });
  return staffId;
}

const lastAudit = () =>
  context.database.prisma.auditEntry.findFirst({ where: { tenantId: NIL_ID }, orderBy: { position: 'desc' } });

test('a role is created, changed and removed, each with its entry in the audit log', async () => {
  const roleId = await created();
  expect(await lastAudit()).toMatchObject({
    action: 'custom_role.created',
    objectId: roleId,
    actor,
    before: null,
    after: FIELDS,
  });
  expect(await save({ name: 'Fraud' }, roleId)).toMatchObject({ kind: 'saved', role: { roleId, name: 'Fraud' } });
  const changed = { action: 'custom_role.changed', before: FIELDS, after: { ...FIELDS, name: 'Fraud' } };
  expect(await lastAudit()).toMatchObject(changed);
  expect(await listCustomRoles(context)).toEqual([{ ...FIELDS, roleId, name: 'Fraud', people: 0 }]);
  expect(await removeCustomRole(context, { roleId, actor })).toEqual({ kind: 'removed' });
  expect(await lastAudit()).toMatchObject({ action: 'custom_role.removed', objectId: roleId, after: null });
  expect(await removeCustomRole(context, { roleId, actor })).toEqual({ kind: 'not_found' });
  expect(await save({}, roleId)).toEqual({ kind: 'not_found' });
});

describe('a role is refused', () => {
  test.each([
    ['that may give roles away', { permissions: ['payment:read', 'team:manage'] }],
    ['with a permission that there is not', { permissions: ['payment:steal'] }],
    ['with a permission in test mode that is of both modes', { testPermissions: ['audit:read'] }],
    ['without any permission', { permissions: [], testPermissions: [] }],
    ['without a name', { name: '  ' }],
    ['with the name of one that there is', { name: 'Owner' }],
  ] satisfies [string, Partial<RoleFields>][])('%s', async (_, fields) => {
    expect(await save(fields)).toMatchObject({ kind: 'invalid' });
    expect(await listCustomRoles(context)).toEqual([]);
  });

  test('with the name of another, in any case', async () => {
    const roleId = await created();
    expect(await save({ name: 'RISK' })).toEqual({ kind: 'name_taken' });
    expect(await save({ name: 'risk' }, roleId)).toMatchObject({ kind: 'saved' });
  });
});

test('what holds in both modes is not said again of test mode', async () => {
  const roleId = await created({ permissions: ['payment:refund'], testPermissions: ['payment:refund', 'override:set'] });
  expect(await listCustomRoles(context)).toMatchObject([{ roleId, testPermissions: ['override:set'] }]);
});

describe('people with a role', () => {
  test('have its permissions at its merchant alone, by mode, and others as soon as it changes', async () => {
    const roleId = await created();
    const staffId = await holder(roleId);
    const session = async () => (await readStaffUser(context.database, staffId)) ?? { grants: [] };
    const held = async (permission: 'payment:read' | 'payment:refund' | 'key:read', mode?: 'test') =>
      merchantsWhere(await session(), permission, [merchantId, NIL_ID], mode);
    expect(await held('payment:read')).toEqual([merchantId]);
    expect([await held('payment:refund'), await held('payment:refund', 'test')]).toEqual([[], [merchantId]]);
    await save({ permissions: ['key:read'], testPermissions: [] }, roleId);
    expect([await held('payment:read'), await held('payment:refund', 'test'), await held('key:read')]).toEqual([
      [],
      [],
      [merchantId],
    ]);
    await revokeRole(context, { staffId, merchantId, actor });
    expect(await held('key:read')).toEqual([]);
  });

  test('are among those who may approve rules, where it publishes in both modes', async () => {
    const both = await holder(await created({ name: 'Rules', permissions: ['routing:publish'] }));
    await holder(await created({ name: 'Test rules', permissions: [], testPermissions: ['routing:publish'] }));
    const { prisma } = context.database;
    expect((await listActiveStaffWhoMay(prisma, merchantId, 'routing:publish')).map(({ staffId }) => staffId)).toEqual([both]);
    expect((await listStaffWhoMay(context, { merchantId, permission: 'routing:publish' })).map(({ staffId }) => staffId)).toEqual(
      [both],
    );
    await prisma.merchant.update({ where: { id: merchantId }, data: { rulesNeedApproval: true } });
    expect(await listMerchantsWithoutSecondApprover(context, [merchantId])).toEqual([merchantId]);
    await holder(await created({ name: 'More rules', permissions: ['routing:publish'] }));
    expect(await listMerchantsWithoutSecondApprover(context, [merchantId])).toEqual([]);
  });

  test('keep it: it is not removed while someone has it, or an open invitation gives it', async () => {
    const roleId = await created();
    const staffId = await holder(roleId);
    expect(await removeCustomRole(context, { roleId, actor })).toEqual({ kind: 'in_use', people: 1, invitations: 0, groups: 0 });
    await revokeRole(context, { staffId, merchantId, actor });
    const person = { email: 'bola@example.com', name: 'Bola Ade', twoFactorRequired: false };
    const scope = { merchantScope: { everywhere: true, merchantIds: [] }, actor };
    const invited = await inviteStaff(context, { ...person, ...scope, grants: [{ merchantId, role: roleId }] });
    expect(await removeCustomRole(context, { roleId, actor })).toEqual({ kind: 'in_use', people: 0, invitations: 1, groups: 0 });
    const token = invited.kind === 'invited' ? invited.link.token : '';
    const joined = await acceptInvitation(context, { token, name: 'Bola Ade', passwordHash: 'none' });
    const session = joined.kind === 'accepted' ? await readStaffUser(context.database, joined.staffId) : null;
    expect(hasPermissionAnywhere(session ?? { grants: [] }, 'audit:read')).toBe(true);
  });
});

test('a role that there is not is neither given nor offered by an invitation', async () => {
  const staffId = await testStaff(context);
  const role = context.newId();
  expect(await grantRole(context, { staffId, merchantId, role, actor })).toEqual({ kind: 'unknown_role' });
  const person = { email: 'chi@example.com', name: 'Chi Obi', twoFactorRequired: false };
  const scope = { merchantScope: { everywhere: true, merchantIds: [] }, actor };
  expect(await inviteStaff(context, { ...person, ...scope, grants: [{ merchantId, role }] })).toEqual({ kind: 'unknown_role' });
});
