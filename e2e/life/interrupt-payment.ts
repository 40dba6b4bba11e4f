import type { TestDatabase } from '@switchyard/db/testing';
import { packSession } from '@switchyard/payments/initiate';

/**
 * Resets a payment to the moment at which its process died: recorded, its first attempt started, the gateway's answer unknown.
 * The gateway's own records stay.
 */
export async function interruptPayment(database: TestDatabase, paymentId: string, dueAt: Date): Promise<void> {
  const { prisma } = database;
  const first = await prisma.payment.findFirst({ where: { id: paymentId } });
  if (first === null) throw new Error('there is no such payment');
  await prisma.webhookDelivery.deleteMany({ where: { paymentId } });
  await prisma.merchantEvent.deleteMany({ where: { paymentId } });
  await prisma.timelineEvent.deleteMany({ where: { paymentId, type: { not: 'payment.initiated' } } });
  await prisma.attempt.deleteMany({ where: { paymentId, position: { gt: 0 } } });
  await prisma.attempt.updateMany({
    where: { paymentId },
    data: { state: 'STARTED', failureClass: null, failureCode: null, failureMessage: null, latencyMs: null, openedAt: null },
  });
  await prisma.payment.updateMany({
    where: { id: paymentId },
    data: {
      status: 'INITIATED',
      currentAttemptId: null,
      gatewayReference: null,
      version: 1,
      statusEventId: first.id,
      statusChangedAt: first.createdAt,
    },
  });
  await prisma.paymentCheck.upsert({
    where: { merchantId_paymentId: { merchantId: first.merchantId, paymentId } },
    create: { merchantId: first.merchantId, paymentId, nextCheckAt: dueAt, initiating: true },
    update: { nextCheckAt: dueAt, initiating: true },
  });
  const packedSession = packSession({ merchantId: first.merchantId, paymentId }, null, []);
  await database.pool.query('UPDATE payment SET packed_session = $2 WHERE id = $1', [paymentId, packedSession]);
}
