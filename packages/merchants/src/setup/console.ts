import type { RuntimeContext } from '@switchyard/runtime';

export { describeSetup, NO_MERCHANT_YET, type Setup, type SetupStep } from './describe-setup.ts';

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
