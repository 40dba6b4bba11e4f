import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStaffUser } from './create-staff-user.ts';
import { hashPassword, PasswordQueueFullError } from './passwords.ts';

const PASSWORD = 'correct horse battery';

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

describe('creating a staff user', () => {
  test('stores the password as argon2id with 19 MiB, two passes, parallelism 1, and audits the author', async () => {
    const outcome = await createStaffUser(context, {
      email: 'Kemi@Example.com',
      name: 'Kemi',
      password: PASSWORD,
      actor: 'system:test',
    });
    const { prisma } = context.database;
    const credential = await prisma.staffCredential.findFirstOrThrow({ where: { userId: outcome.staffId } });
    expect(credential.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const entry = await prisma.auditEntry.findFirstOrThrow({ where: { objectId: outcome.staffId } });
    expect(entry).toMatchObject({ actor: 'system:test', action: 'staff.created' });
    expect(JSON.stringify(entry)).not.toContain(PASSWORD);
    const again = await createStaffUser(context, { email: 'kemi@example.com', name: 'Other', password: PASSWORD });
    expect(again).toEqual({ kind: 'exists', staffId: outcome.staffId });
  });

  test('refuses passwords that are too short', async () => {
    await expect(createStaffUser(context, { email: 'a@example.com', name: 'A', password: 'short' })).rejects.toThrow(/12/);
  });

  test('a flood of passwords is refused instead of queued without limit', async () => {
    const results = await Promise.allSettled(Array.from({ length: 80 }, () => hashPassword(PASSWORD)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(80 - 66);
    expect(refused.every(({ reason }) => reason instanceof PasswordQueueFullError)).toBe(true);
    await expect(hashPassword(PASSWORD)).resolves.toMatch(/^\$argon2id/);
  });
});
