import type { Database } from '@switchyard/db';

/** The facts that decide how a person signs in; for an unknown address, the same without a password. */
export interface Login {
  /** In lower case, without spaces around it. */
  readonly email: string;
  readonly passwordHash: string | null;
  readonly twoFactorEnabled: boolean;
}

/** How the person of this address signs in, however they write it. */
export async function findLogin({ prisma }: Database, written: string): Promise<Login> {
  const email = written.trim().toLowerCase();
  const found = await prisma.staffUser.findUnique({
    where: { email },
    select: {
      twoFactorEnabled: true,
      accounts: { where: { providerId: 'credential' }, select: { password: true }, take: 1 },
    },
  });
  return { email, passwordHash: found?.accounts[0]?.password ?? null, twoFactorEnabled: found?.twoFactorEnabled ?? false };
}
