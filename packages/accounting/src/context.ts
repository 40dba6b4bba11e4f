import type { Mode, Prisma } from '@switchyard/db/client';
import type { RuntimeContext } from '@switchyard/runtime';

/** Dependencies of the use cases of accounting. */
export type AccountingContext = RuntimeContext<'auditKeys' | 'configuration' | 'database'>;

/** The books of a merchant in one mode. */
export interface Books {
  readonly merchantId: string;
  readonly mode: Mode;
}

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

/** The staff user of an actor; null of any other. */
export function staffIdOf(actor: string | null): string | null {
  return actor?.startsWith('staff:') ? actor.slice('staff:'.length) : null;
}
