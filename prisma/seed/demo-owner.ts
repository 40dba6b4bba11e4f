import { randomBytes } from 'node:crypto';
import type { Database } from '@switchyard/db';
import type { KnownDemo } from './demo-file.ts';
import { SEED_ACTOR } from './demo-merchants.ts';

const EMAIL = 'owner@switchyard.local';

/**
 * Creates a workspace owner where missing. A sign-in with a lost password is recreated.
 */
export async function ensureDemoOwner(
  database: Database,
  known: KnownDemo,
): Promise<{ staffEmail: string; staffPassword: string }> {
  const password = known.staffEmail === EMAIL ? known.staffPassword : undefined;
  const { prisma } = database;
  const present = await prisma.staffUser.findUnique({ where: { email: EMAIL }, select: { id: true } });
  if (present !== null && password !== undefined) return { staffEmail: EMAIL, staffPassword: password };
  if (present !== null) await prisma.staffUser.delete({ where: { id: present.id } });
  const staffPassword = password ?? randomBytes(18).toString('base64url');
  await createOwner(staffPassword);
  return { staffEmail: EMAIL, staffPassword };
}

async function createOwner(password: string): Promise<void> {
  // Only a first start needs these slow imports.
  const [{ openSwitchyard }, { createStaffUser }] = await Promise.all([
    import('@switchyard/api/process'),
    import('@switchyard/api/staff'),
  ]);
  const switchyard = openSwitchyard(process.env);
  try {
    const grants = [{ merchantId: null, role: 'owner' }] as const;
    await createStaffUser(switchyard, { email: EMAIL, name: 'Demo owner', password, grants, actor: SEED_ACTOR });
  } finally {
    await switchyard.resources.close();
  }
}
