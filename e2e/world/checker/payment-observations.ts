import type { Observations, PaymentRow } from './observations.ts';

/** Names of the observations that belong to one payment. */
type OfPayment = 'disputes' | 'attempts' | 'moves' | 'timeline' | 'duplicateCharges' | 'refunds' | 'events' | 'answers';

/** All observations of one payment. `statements`, `calls` and `comparisons` are those of its attempts, at the attempts' own accounts. */
export interface PaymentObservations extends Pick<Observations, OfPayment | 'statements' | 'calls' | 'comparisons'> {
  readonly payment: PaymentRow;
}

/** Groups the observations by payment. */
export function observationsByPayment(observations: Omit<Observations, 'wrongRollups'>): PaymentObservations[] {
  const attempts = Map.groupBy(observations.attempts, ({ paymentId }) => paymentId);
  const moves = Map.groupBy(observations.moves, ({ paymentId }) => paymentId);
  const timeline = Map.groupBy(observations.timeline, ({ paymentId }) => paymentId);
  const duplicateCharges = Map.groupBy(observations.duplicateCharges, ({ paymentId }) => paymentId);
  const refunds = Map.groupBy(observations.refunds, ({ paymentId }) => paymentId);
  const disputes = Map.groupBy(observations.disputes, ({ paymentId }) => paymentId);
  const events = Map.groupBy(observations.events, ({ paymentId }) => paymentId);
  const answers = Map.groupBy(observations.answers, orderKey);
  const statements = Map.groupBy(observations.statements, statementKey);
  const calls = Map.groupBy(observations.calls, statementKey);
  const comparisons = Map.groupBy(observations.comparisons, ({ accountId }) => accountId);
  return observations.payments.map((payment) => {
    const { paymentId } = payment;
    const own = attempts.get(paymentId) ?? [];
    return {
      payment,
      attempts: own,
      moves: moves.get(paymentId) ?? [],
      timeline: timeline.get(paymentId) ?? [],
      duplicateCharges: duplicateCharges.get(paymentId) ?? [],
      refunds: refunds.get(paymentId) ?? [],
      events: events.get(paymentId) ?? [],
      disputes: disputes.get(paymentId) ?? [],
      answers: answers.get(orderKey(payment)) ?? [],
      statements: own.flatMap((attempt) => statements.get(statementKey(attempt)) ?? []),
      calls: own.flatMap((attempt) => calls.get(statementKey(attempt)) ?? []),
      comparisons: [...new Set(own.map(({ accountId }) => accountId))].flatMap((account) => comparisons.get(account) ?? []),
    };
  });
}

export function orderKey({ merchantId, merchantOrderId }: { merchantId: string; merchantOrderId: string }): string {
  return `${merchantId} ${merchantOrderId}`;
}

export function statementKey({ accountId, reference }: { accountId: string | null; reference: string }): string {
  return `${accountId} ${reference}`;
}
