import type { Decision, PaymentMethod } from '@switchyard/routing';
import { addFallbackReasons, decide } from '@switchyard/routing/decide';
import { routingSnapshot } from '@switchyard/rule-sets/snapshot';
import { storeInputs } from '@switchyard/rule-sets/store-inputs';
import type { TestMerchant } from '@switchyard/runtime/testing';
import type { NewPayment } from '../record/payment-record.ts';
import { attemptAt } from '../record/plan.ts';
import { reservePayment, settleOpenedInitiation } from '../record/statements.ts';
import type { TestPayments } from './context.ts';

export interface PastPaymentOptions {
  /** Decides splits; a new one is created when left out. */
  readonly paymentId?: string;
  readonly amount?: number;
  readonly method?: PaymentMethod | null;
  readonly customerCountry?: string | null;
  readonly requestedGateway?: string | null;
  readonly createdAt?: Date;
  /** The final status; a failed payment had a checkout that the customer did not finish. */
  readonly status?: 'PENDING' | 'SUCCESS' | 'FAILED';
  /** The first gateway of the plan failed, by its own fault, as recorded. */
  readonly fellBack?: boolean;
}

export interface RecordedPastPayment {
  readonly paymentId: string;
  readonly decision: Decision;
}

/** Routes a payment and records it as initiation does, without calling a gateway. */
export async function recordPayment(
  context: TestPayments,
  merchantId: string,
  options: PastPaymentOptions = {},
): Promise<RecordedPastPayment> {
  const configuration = context.resources.configuration.merchant(merchantId);
  if (configuration === undefined) throw new Error('there is no such merchant');
  const { amount = 2_500, method = 'CARD', customerCountry = null, requestedGateway = null } = options;
  const createdAt = options.createdAt ?? context.now();
  const paymentId = options.paymentId ?? context.newId();
  const decision = decide({
    ...routingSnapshot(context.resources, configuration, 'test', createdAt),
    payment: { paymentId, currency: 'NGN', amount, method, customerCountry, requestedGateway },
    health: context.health.snapshot(merchantId),
    decidedAt: createdAt.toISOString(),
  });
  const inputs = await storeInputs(context.database, merchantId, decision.inputs);
  const payment = { ...describe(context, merchantId, decision, createdAt), routingInputs: inputs };
  const attempt = attemptAt(context, paymentId, decision.plan, 0);
  await reservePayment(context.database, payment, attempt);
  if (attempt !== null) await settle(context, payment, decision, attempt, options);
  return { paymentId, decision };
}

function describe(context: TestPayments, merchantId: string, decision: Decision, createdAt: Date): NewPayment {
  const { payment } = decision.inputs;
  return {
    merchantId,
    paymentId: payment.paymentId,
    mode: 'test',
    merchantOrderId: `order-${payment.paymentId}`,
    amount: BigInt(payment.amount),
    currency: payment.currency,
    customerEmail: 'ada@example.com',
    customerId: null,
    customerPhone: null,
    metadata: null,
    redirectUrl: null,
    customerCountry: payment.customerCountry,
    paymentMethod: payment.method,
    requestedGateway: payment.requestedGateway,
    routingMode: decision.routingMode,
    smartRoutingBypassed: decision.smartRoutingBypassed,
    ruleSetVersion: decision.ruleSetVersion,
    ruleId: decision.ruleId,
    routing: decision.record,
    routingInputs: null,
    recommendedGateway: decision.record.recommended?.provider ?? '',
    fallbackGateways: [],
    expiresAt: createdAt,
    abandonedAfterMs: 0,
    createdAt,
    statusEventId: context.newId(),
  };
}

async function settle(
  context: TestPayments,
  { merchantId, paymentId, createdAt, routingInputs }: NewPayment,
  decision: Decision,
  attempt: NonNullable<ReturnType<typeof attemptAt>>,
  { status = 'PENDING', fellBack = false }: PastPaymentOptions,
): Promise<void> {
  const failure = { class: 'provider_fault', code: 'timeout', message: 'No answer in time.' };
  const failed = { gateway: attempt.gateway, accountId: attempt.accountId, code: failure.code, message: failure.message };
  const event = { eventId: context.newId(), type: 'payment.pending', cause: 'api', actor: null, detail: {} };
  await settleOpenedInitiation(
    context.database,
    { merchantId, paymentId },
    {
      session: { reference: attempt.reference },
      fallbackGateways: [],
      decision: fellBack ? { routing: addFallbackReasons(decision, [failed]), inputs: routingInputs } : null,
      gatewayReference: attempt.reference,
      attempt: { ...attempt, latencyMs: 120, call: {} },
      event: { ...event, fromStatus: 'INITIATED', toStatus: 'PENDING' },
      nextCheckAt: createdAt,
    },
    createdAt,
  );
  if (fellBack) {
    await context.database.prisma.attempt.update({
      where: { merchantId_id: { merchantId, id: attempt.attemptId } },
      data: { state: 'UNKNOWN', failureClass: failure.class, failureCode: failure.code, failureMessage: failure.message },
    });
  }
  if (status !== 'PENDING') {
    const key = { merchantId, id: paymentId };
    await context.database.prisma.payment.update({
      where: { merchantId_id: key },
      data: { status, failureReason: status === 'FAILED' ? 'session_expired' : null },
    });
  }
}

interface Received {
  /** As an exact decimal in main units. */
  readonly amount: string;
  /** `UNPAID` for money that did not match the order. */
  readonly state: 'PAID' | 'UNPAID';
}

/** Records a payment of NGN 2,500 whose only attempt received money at `paystack-main`. */
export async function recordMoney(context: TestPayments, merchant: TestMerchant, { amount, state }: Received) {
  const { merchantId } = merchant;
  const { paymentId } = await recordPayment(context, merchantId);
  const { prisma } = context.database;
  const { id: attemptId, accountId, gateway, reference } = await prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  const transactionId = `t-${attemptId}`;
  await prisma.attempt.update({
    where: { merchantId_id: { merchantId, id: attemptId } },
    data: { state, transactionId, receivedAmount: amount, receivedCurrency: 'NGN' },
  });
  return { merchantId, paymentId, attemptId, accountId, gateway, reference, transactionId };
}

/** Transaction of {@link recordPaidPayment}. */
export const PAID_TRANSACTION = '302961';

/** A payment of NGN 2,500 that is paid by its one attempt. */
export async function recordPaidPayment(context: TestPayments, merchantId: string): Promise<{ readonly paymentId: string }> {
  const { paymentId } = await recordPayment(context, merchantId, { status: 'SUCCESS' });
  await context.database.prisma.attempt.updateMany({
    where: { merchantId, paymentId },
    data: { state: 'PAID', receivedAmount: 2_500, receivedCurrency: 'NGN', transactionId: PAID_TRANSACTION },
  });
  return { paymentId };
}
