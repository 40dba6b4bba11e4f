import type { MerchantsContext } from '@switchyard/merchants';

/** Sets the IANA time zone in which a staff user reads times; null for the workspace's. A preference, which no audit entry records. */
export async function setTimeZone(
  { resources, now }: MerchantsContext,
  { staffId, timeZone }: { readonly staffId: string; readonly timeZone: string | null },
): Promise<void> {
  await resources.database.prisma.staffUser.update({ where: { id: staffId }, data: { timeZone, updatedAt: now() } });
}
