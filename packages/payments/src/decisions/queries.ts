import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { RoutablePayment } from '@switchyard/routing';
import { toMethod } from '@switchyard/rule-sets/snapshot';

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
  /** The payment as routing read it. */
  readonly payment: RoutablePayment;
}

/** Columns of a payment that routing reads. */
export interface RoutableColumns {
  readonly id: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly paymentMethod: string | null;
  readonly customerCountry: string | null;
  readonly requestedGateway: string | null;
}

/** A payment's row as routing reads it. */
export function toRoutablePayment(row: RoutableColumns): RoutablePayment {
  const { id: paymentId, currency, amount, paymentMethod, customerCountry, requestedGateway } = row;
  return { paymentId, currency, amount: Number(amount), method: toMethod(paymentMethod), customerCountry, requestedGateway };
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
      currency: true,
      amount: true,
      paymentMethod: true,
      customerCountry: true,
      requestedGateway: true,
    },
  });
  if (row === null) return null;
  const { routing, routingMode, smartRoutingBypassed, ruleId, ruleSetVersion, mode, createdAt, merchantId } = row;
  const decision = { routing, routingMode, smartRoutingBypassed, ruleId, ruleSetVersion, inputs: row.routingInputs };
  return { merchantId, paymentId, mode, createdAt, ...decision, payment: toRoutablePayment(row) };
}
