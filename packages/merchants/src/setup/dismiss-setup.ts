import type { RuntimeContext } from '@switchyard/runtime';

/** Hides a merchant's set-up checklist from a staff user, or shows it to them again; colleagues see it as before. */
export async function dismissSetup(
  { resources, now }: RuntimeContext<'database'>,
  { merchantId, staffId, dismissed }: { readonly merchantId: string; readonly staffId: string; readonly dismissed: boolean },
): Promise<void> {
  const { prisma } = resources.database;
  if (!dismissed) {
    await prisma.setupDismissal.deleteMany({ where: { staffId, merchantId } });
    return;
  }
  await prisma.setupDismissal.createMany({ data: [{ staffId, merchantId, dismissedAt: now() }], skipDuplicates: true });
}
