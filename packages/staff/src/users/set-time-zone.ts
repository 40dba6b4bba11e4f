import type { StaffContext } from '../context.ts';

/** Sets the IANA time zone in which a staff user reads times; null for the workspace's. A preference, which no audit entry records. */
export async function setTimeZone(
  { resources, now }: StaffContext,
  { staffId, timeZone }: { readonly staffId: string; readonly timeZone: string | null },
): Promise<void> {
  await resources.database.prisma.staffUser.update({ where: { id: staffId }, data: { timeZone, updatedAt: now() } });
}
