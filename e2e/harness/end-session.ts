import type { Database } from '@switchyard/db';

/** Ends the session of a payment now, as if its time had run out. */
export async function endSession({ prisma }: Pick<Database, 'prisma'>, paymentId: string): Promise<void> {
  await prisma.payment.updateMany({ where: { id: paymentId }, data: { expiresAt: new Date() } });
}
