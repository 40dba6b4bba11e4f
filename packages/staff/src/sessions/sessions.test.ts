import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSessionState } from './index.ts';
import { endSessions, listSessions } from './sessions.ts';

let context: TestContext;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

async function signIn(staffId: string): Promise<string> {
  const now = new Date();
  const id = context.newId();
  const times = { createdAt: now, updatedAt: now, expiresAt: new Date(now.getTime() + 3_600_000) };
  await context.database.prisma.staffSession.create({ data: { id, userId: staffId, token: id, ...times } });
  return id;
}

test('sessions are listed until they end, and ended one by one, all but one, or all, without those of others', async () => {
  const staffId = await testStaff(context);
  const otherId = await testStaff(context);
  const a = await signIn(staffId);
  const b = await signIn(staffId);
  await signIn(staffId);
  const stranger = await signIn(otherId);
  const end = (which: Parameters<typeof endSessions>[1]['which']) =>
    endSessions(context, { staffId, which, merchantScope: null, actor: `staff:${staffId}` });
  expect(await listSessions(context, { staffId, merchantScope: null })).toHaveLength(3);
  expect(await end({ sessionId: stranger })).toEqual({ kind: 'ended', count: 0 });
  expect(await end({ sessionId: a })).toEqual({ kind: 'ended', count: 1 });
  expect(await end({ exceptSessionId: b })).toEqual({ kind: 'ended', count: 1 });
  expect((await listSessions(context, { staffId, merchantScope: null }))?.map(({ id }) => id)).toEqual([b]);
  context.setClock(new Date(Date.now() + 31 * 60_000));
  expect(await listSessions(context, { staffId, merchantScope: null })).toEqual([]);
  context.setClock(null);
  expect(await end('all')).toEqual({ kind: 'ended', count: 1 });
  expect(await listSessions(context, { staffId: otherId, merchantScope: null })).toHaveLength(1);
});

test('the roles of a session change while a second step is required, and end with the session or its person', async () => {
  const staffId = await testStaff(context);
  const merchantId = context.newId();
  const id = await signIn(staffId);
  const { prisma } = context.database;
  await prisma.staffGrant.create({
    data: { staffId, merchantId, role: 'finance', grantedBy: 'system:test', createdAt: new Date() },
  });
  const { expiresAt } = await prisma.staffSession.findUniqueOrThrow({ where: { id } });
  const state = (before = 1) => readSessionState(context.database, id, new Date(expiresAt.getTime() - before));
  expect(await state()).toBe(`${merchantId}:finance`);
  expect(await state(0)).toBeNull();
  await prisma.staffUser.update({ where: { id: staffId }, data: { twoFactorRequired: true } });
  expect(await state()).toBe('');
  await prisma.staffUser.update({ where: { id: staffId }, data: { twoFactorEnabled: true } });
  expect(await state()).toBe(`${merchantId}:finance`);
  await prisma.staffUser.update({ where: { id: staffId }, data: { disabledAt: new Date() } });
  expect(await state()).toBeNull();
});
