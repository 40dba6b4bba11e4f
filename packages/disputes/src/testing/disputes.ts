import type { DisputeAnswer, Gateway, ListedDispute, Outcome, ReportedDispute } from '@switchyard/gateways';
import type { PaymentsContext } from '@switchyard/payments/context';
import { recordPayment, type TestPayments, withGateways } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';

/** A payment of NGN 2,500 that its gateway received. */
export interface DisputedPayment {
  readonly merchantId: string;
  readonly accountId: string;
  readonly paymentId: string;
  readonly reference: string;
  readonly transactionId: string;
}

/** A merchant with one account, and a paid payment there. */
export async function payAt(context: TestPayments, account: string): Promise<DisputedPayment> {
  const { merchantId, accounts } = await createTestMerchant(context, { [account]: {} });
  const { paymentId } = await recordPayment(context, merchantId, { status: 'SUCCESS' });
  const attempt = await context.database.prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId } });
  const transactionId = `t-${attempt.reference}`;
  await context.database.prisma.attempt.update({
    where: { merchantId_id: { merchantId, id: attempt.id } },
    data: { state: 'PAID', receivedAmount: '2500', receivedCurrency: 'NGN', transactionId },
  });
  return { merchantId, accountId: accounts[account] ?? '', paymentId, reference: attempt.reference, transactionId };
}

const call = { method: 'GET', url: '', httpStatus: 200, latencyMs: 1, request: null, answer: null, retryAfterMs: null };

/** Disputes of a stand-in of a gateway, and the calls that it got. */
export interface FakeGateway {
  readonly disputes: ListedDispute[];
  readonly answers: DisputeAnswer[];
  readonly uploads: string[];
  /** Set to fail its list. */
  down: boolean;
  /**
   * The fate of the next answer: it arrives, is refused, or arrives or does not (`vanishes`) without a reply; `dies` ends the process on the
   * way.
   */
  meets: 'arrives' | 'refused' | 'lost' | 'vanishes' | 'dies';
}

/** A dispute as the gateway lists it. */
export function disputeOf(payment: DisputedPayment, changes: Partial<ListedDispute> = {}): ListedDispute {
  const openedAt = new Date('2026-11-20T08:00:00Z');
  return {
    gatewayDisputeId: '358950',
    reference: payment.reference,
    transactionId: payment.transactionId,
    state: 'needs_response',
    category: 'chargeback',
    stage: null,
    amount: '2500',
    dueAt: null,
    openedAt,
    closedAt: null,
    createdAt: openedAt,
    ...changes,
  };
}

/** The context with gateways that list these disputes and take answers. */
export function withDisputes(
  context: TestPayments,
  disputes: ListedDispute[],
): { readonly context: PaymentsContext; readonly fake: FakeGateway } {
  const fake: FakeGateway = { disputes, answers: [], uploads: [], down: false, meets: 'arrives' };
  const yes = <T>(value: T): Outcome<T> => ({ outcome: 'yes', value, call });
  const failure = { class: 'provider_fault', code: 'timeout', message: 'The gateway did not answer in time.' } as const;
  const find = (id: string) => fake.disputes.findIndex((one) => one.gatewayDisputeId === id);
  const change: Partial<Gateway> = {
    async findDispute(_access, { gatewayDisputeId }) {
      const found = fake.disputes[find(gatewayDisputeId)];
      return found === undefined || fake.down ? { outcome: 'unknown', failure, call } : yes<ReportedDispute>(found);
    },
    async listDisputes(_access, { from, to }) {
      if (fake.down) return { outcome: 'unknown', failure, call };
      return yes({ rows: fake.disputes.filter((one) => one.createdAt >= from && one.createdAt < to), nextCursor: null });
    },
    async uploadEvidence(_access, { fileName }) {
      fake.uploads.push(fileName);
      return yes(`stored-${fileName}`);
    },
    async answerDispute(_access, answer) {
      fake.answers.push(answer);
      if (fake.meets === 'refused') return { outcome: 'no', failure: { ...failure, code: 'request_rejected' }, call };
      if (fake.meets === 'vanishes') return { outcome: 'unknown', failure, call };
      const at = find(answer.gatewayDisputeId);
      const state = answer.action === 'accept' ? 'accepted' : 'under_review';
      const before = fake.disputes[at];
      if (before !== undefined) fake.disputes[at] = { ...before, state };
      if (fake.meets === 'dies') throw new Error('the process ended');
      return fake.meets === 'lost' ? { outcome: 'unknown', failure, call } : yes({ state } as const);
    },
  };
  return { context: withGateways(context, (gateway) => (gateway.listDisputes === undefined ? {} : change)), fake };
}
