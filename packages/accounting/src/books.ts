import type { Prisma } from '@switchyard/db/client';
import type { Books } from './context.ts';

/** The zone of merchants that have set none. */
export const DEFAULT_ZONE = 'Africa/Lagos';

/** By whose days the books are kept, and whether months need a second look before they are signed off. */
export async function readBooks(
  { prisma }: { readonly prisma: Pick<Prisma.TransactionClient, 'accountingSetting'> },
  { merchantId, mode }: Books,
): Promise<{ readonly timeZone: string; readonly needsReview: boolean }> {
  const row = await prisma.accountingSetting.findUnique({
    where: { merchantId_mode: { merchantId, mode } },
    select: { timeZone: true, needsReview: true },
  });
  return row ?? { timeZone: DEFAULT_ZONE, needsReview: false };
}
