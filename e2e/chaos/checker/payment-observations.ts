import type {
  Answer,
  AttemptRow,
  DuplicateChargeRow,
  EventRow,
  GatewayCall,
  Move,
  Observations,
  PaymentRow,
  RefundRow,
  StatementEntry,
  TimelineRow,
} from './observations.ts';

/** All observations of one payment. */
export interface PaymentObservations {
  readonly payment: PaymentRow;
  readonly attempts: readonly AttemptRow[];
  readonly moves: readonly Move[];
  readonly timeline: readonly TimelineRow[];
  readonly duplicateCharges: readonly DuplicateChargeRow[];
  readonly refunds: readonly RefundRow[];
  readonly events: readonly EventRow[];
  readonly answers: readonly Answer[];
  /** Of its attempts, at the attempts' own accounts. */
  readonly statements: readonly StatementEntry[];
  /** Calls about its attempts, at the attempts' own accounts. */
  readonly calls: readonly GatewayCall[];
}

/** Groups the observations by payment. */
export function observationsByPayment(observations: Observations): PaymentObservations[] {
  const attempts = grouped(observations.attempts, ({ paymentId }) => paymentId);
  const moves = grouped(observations.moves, ({ paymentId }) => paymentId);
  const timeline = grouped(observations.timeline, ({ paymentId }) => paymentId);
  const duplicates = grouped(observations.duplicateCharges, ({ paymentId }) => paymentId);
  const refunds = grouped(observations.refunds, ({ paymentId }) => paymentId);
  const events = grouped(observations.events, ({ paymentId }) => paymentId ?? '');
  const answers = grouped(observations.answers, ({ merchantId, merchantOrderId }) => `${merchantId} ${merchantOrderId}`);
  const statements = grouped(observations.statements, statementKey);
  const calls = grouped(observations.calls, statementKey);
  return observations.payments.map((payment) => {
    const own = attempts.get(payment.paymentId) ?? [];
    return {
      payment,
      attempts: own,
      moves: moves.get(payment.paymentId) ?? [],
      timeline: timeline.get(payment.paymentId) ?? [],
      duplicateCharges: duplicates.get(payment.paymentId) ?? [],
      refunds: refunds.get(payment.paymentId) ?? [],
      events: events.get(payment.paymentId) ?? [],
      answers: answers.get(`${payment.merchantId} ${payment.merchantOrderId}`) ?? [],
      statements: own.flatMap((attempt) => statements.get(statementKey(attempt)) ?? []),
      calls: own.flatMap((attempt) => calls.get(statementKey(attempt)) ?? []),
    };
  });
}

export function statementKey({ accountId, reference }: { accountId: string | null; reference: string }): string {
  return `${accountId} ${reference}`;
}

export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The checkouts that were paid, with the amount received. */
export function moneyReceived({ statements }: PaymentObservations): (StatementEntry & { readonly paid: number })[] {
  return statements.flatMap((entry) => (entry.paid === null ? [] : [{ ...entry, paid: entry.paid }]));
}
