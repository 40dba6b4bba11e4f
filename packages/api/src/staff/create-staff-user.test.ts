import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { openTestSwitchyard, PASSWORD } from '../testing/switchyard.ts';
import { createStaffUser } from './create-staff-user.ts';
import { hashPassword, PasswordQueueFullError } from './passwords.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
});
afterAll(() => close());

describe('creating a staff user', () => {
  test('stores the password as argon2id with 19 MiB, two passes, parallelism 1, and audits the author', async () => {
    const outcome = await createStaffUser(switchyard, {
      email: 'Kemi@Example.com',
      name: 'Kemi',
      password: PASSWORD,
      actor: 'system:test',
    });
    const { prisma } = switchyard.resources.database;
    const credential = await prisma.staffCredential.findFirstOrThrow({ where: { userId: outcome.staffId } });
    expect(credential.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const entry = await prisma.auditEntry.findFirstOrThrow({ where: { objectId: outcome.staffId } });
    expect(entry).toMatchObject({ actor: 'system:test', action: 'staff.created' });
    expect(JSON.stringify(entry)).not.toContain(PASSWORD);
    const again = await createStaffUser(switchyard, { email: 'kemi@example.com', name: 'Other', password: PASSWORD });
    expect(again).toEqual({ kind: 'exists', staffId: outcome.staffId });
  });

  test('refuses passwords that are too short', async () => {
    await expect(createStaffUser(switchyard, { email: 'a@example.com', name: 'A', password: 'short' })).rejects.toThrow(/12/);
  });

  test('a flood of passwords is refused instead of queued without limit', async () => {
    const results = await Promise.allSettled(Array.from({ length: 80 }, () => hashPassword(PASSWORD)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(80 - 66);
    expect(refused.every(({ reason }) => reason instanceof PasswordQueueFullError)).toBe(true);
    await expect(hashPassword(PASSWORD)).resolves.toMatch(/^\$argon2id/);
  });
});
