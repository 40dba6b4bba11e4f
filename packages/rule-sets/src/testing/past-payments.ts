import type { TestHealth } from '@switchyard/provider-health/testing';
import type { Decision, PaymentMethod } from '@switchyard/routing';
import { decide } from '@switchyard/routing/decide';
import { assignRules, routingSnapshot } from '../snapshot/routing-snapshot.ts';
import { packDecision, storeInputs } from '../snapshot/store-inputs.ts';

export interface PastPaymentOptions {
  /** Decides splits. */
  readonly paymentId: string;
  readonly amount: number;
  readonly method: PaymentMethod | null;
  readonly requestedGateway: string | null;
  readonly createdAt: Date;
  /** Its final status; a failed one had a checkout that the customer did not finish. */
  readonly status: 'PENDING' | 'SUCCESS' | 'FAILED';
  readonly metadata?: Readonly<Record<string, string | number | boolean>>;
  /** `ada@example.com` when left out. */
  readonly customerEmail?: string;
}

export interface RecordedPayment {
  readonly paymentId: string;
  readonly decision: Decision;
}

/** Routes a payment and writes the rows that replays read: the payment, and the attempt that served it. Calls no gateway. */
export async function recordPayment(
  context: TestHealth,
  merchantId: string,
  { paymentId, amount, method, requestedGateway, createdAt, status, metadata, customerEmail }: PastPaymentOptions,
): Promise<RecordedPayment> {
  const configuration = context.resources.configuration.merchant(merchantId);
  if (configuration === undefined) throw new Error('there is no such merchant');
  const snapshot = routingSnapshot(context.resources, configuration, 'test', createdAt);
  const decision = decide({
    ...snapshot,
    ...assignRules(snapshot, customerEmail ?? 'ada@example.com'),
    payment: { paymentId, currency: 'NGN', amount, method, customerCountry: null, requestedGateway },
    health: context.health.snapshot(merchantId),
    decidedAt: createdAt.toISOString(),
  });
  const inputs = await storeInputs(context.database, merchantId, decision.inputs);
  const first = decision.plan[0];
  const attemptId = context.newId();
  const { prisma } = context.database;
  await prisma.payment.create({
    data: {
      merchantId,
      id: paymentId,
      mode: 'test',
      merchantOrderId: `order-${paymentId}`,
      status: first === undefined ? 'INITIATED' : status,
      amount: BigInt(amount),
      currency: 'NGN',
      customerEmail: customerEmail ?? 'ada@example.com',
      ...(metadata !== undefined && { metadata }),
      paymentMethod: method,
      requestedGateway,
      routingMode: decision.routingMode,
      smartRoutingBypassed: decision.smartRoutingBypassed,
      ruleSetVersion: decision.ruleSetVersion,
      ruleId: decision.ruleId,
      packedDecision: packDecision(decision.record, inputs),
      packedSession: new Uint8Array(),
      recommendedGateway: first?.gateway ?? '',
      currentAttemptId: first === undefined ? null : attemptId,
      accountId: first?.accountId ?? null,
      accountGateway: first?.gateway ?? null,
      expiresAt: createdAt,
      version: 1,
      statusEventId: context.newId(),
      statusChangedAt: createdAt,
      createdAt,
      updatedAt: createdAt,
    },
  });
  if (first !== undefined) {
    await prisma.attempt.create({
      data: {
        merchantId,
        id: attemptId,
        paymentId,
        position: 0,
        accountId: first.accountId,
        gateway: first.gateway,
        reference: `${paymentId}-0`,
        state: 'OPENED',
        createdAt,
        updatedAt: createdAt,
      },
    });
  }
  return { paymentId, decision };
}
