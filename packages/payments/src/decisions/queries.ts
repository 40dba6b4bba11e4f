import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';

/** The decision of one payment, as it was stored. `routing` and `inputs` are JSON that routing wrote. */
export interface StoredPaymentDecision {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly mode: Mode;
  readonly createdAt: Date;
  readonly ruleSetVersion: number;
  readonly ruleId: string | null;
  readonly routingMode: string;
  readonly smartRoutingBypassed: boolean;
  readonly routing: unknown;
  readonly inputs: unknown;
}

/** The decision that routed a payment of one of these merchants, or null. `paymentId` must be a UUID. */
export async function findPaymentDecision(
  database: Database,
  merchantIds: readonly string[],
  paymentId: string,
): Promise<StoredPaymentDecision | null> {
  const row = await database.prisma.payment.findFirst({
    where: { merchantId: { in: [...merchantIds] }, id: paymentId },
    select: {
      merchantId: true,
      id: true,
      mode: true,
      createdAt: true,
      ruleSetVersion: true,
      ruleId: true,
      routingMode: true,
      smartRoutingBypassed: true,
      routing: true,
      routingInputs: true,
    },
  });
  if (row === null) return null;
  const { id, routingInputs, ...rest } = row;
  return { ...rest, paymentId: id, inputs: routingInputs };
}
