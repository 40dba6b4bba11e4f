import type {
  Answer,
  AttemptRow,
  BookEntry,
  DuplicateChargeRow,
  EventRow,
  GatewayCall,
  Move,
  PaymentRow,
  RefundRow,
  TimelineRow,
  Witnesses,
} from './witnesses.ts';

/** Everything that was said of one payment. */
export interface CaseFile {
  readonly payment: PaymentRow;
  readonly attempts: readonly AttemptRow[];
  readonly moves: readonly Move[];
  readonly timeline: readonly TimelineRow[];
  readonly duplicateCharges: readonly DuplicateChargeRow[];
  readonly refunds: readonly RefundRow[];
  readonly events: readonly EventRow[];
  readonly answers: readonly Answer[];
  /** Of its attempts, at the attempts' own accounts. */
  readonly books: readonly BookEntry[];
  /** Calls about its attempts, at the attempts' own accounts. */
  readonly calls: readonly GatewayCall[];
}

/** What is known of each payment, gathered once. */
export function caseFiles(witnesses: Witnesses): CaseFile[] {
  const attempts = grouped(witnesses.attempts, ({ paymentId }) => paymentId);
  const moves = grouped(witnesses.moves, ({ paymentId }) => paymentId);
  const timeline = grouped(witnesses.timeline, ({ paymentId }) => paymentId);
  const duplicates = grouped(witnesses.duplicateCharges, ({ paymentId }) => paymentId);
  const refunds = grouped(witnesses.refunds, ({ paymentId }) => paymentId);
  const events = grouped(witnesses.events, ({ paymentId }) => paymentId ?? '');
  const answers = grouped(witnesses.answers, ({ merchantId, merchantOrderId }) => `${merchantId} ${merchantOrderId}`);
  const books = grouped(witnesses.books, bookKey);
  const calls = grouped(witnesses.calls, bookKey);
  return witnesses.payments.map((payment) => {
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
      books: own.flatMap((attempt) => books.get(bookKey(attempt)) ?? []),
      calls: own.flatMap((attempt) => calls.get(bookKey(attempt)) ?? []),
    };
  });
}

export function bookKey({ accountId, reference }: { accountId: string | null; reference: string }): string {
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

/** What paid checkouts say that was received, as the gateway tells one from another. */
export function moneyReceived({ books }: CaseFile): (BookEntry & { readonly paid: number })[] {
  return books.flatMap((entry) => (entry.paid === null ? [] : [{ ...entry, paid: entry.paid }]));
}
