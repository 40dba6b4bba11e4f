import { readEventBody } from '@switchyard/webhooks/events/packed';
import type { Move, Rows } from '../../../world/checker/observations.ts';
import type { Tables } from '../store/rows.ts';
import type { History } from '../world/notes.ts';

/** Noted as rows are written, where no code of the product can omit it. */
interface Watched {
  readonly moves: Move[];
  readonly committed: Rows['committed'];
}

/** Notes every attempt, and every change of a payment's status and version, each with its time. */
export function watchTables(tables: Tables, now: () => number, history: History): Watched {
  const moves: Move[] = [];
  const committed: Rows['committed'] = [];
  tables.payments.onWrite = (row, before) => {
    if (before !== null && before.status === row.status && before.version === row.version) return;
    moves.push({
      paymentId: row.id,
      from: before?.status ?? null,
      to: row.status,
      fromVersion: before?.version ?? 0,
      toVersion: row.version,
      at: now(),
    });
    tables.undoLog.add(() => moves.pop());
    history.note(
      row.id,
      `the payment is ${row.status}${row.review === null ? '' : `, review ${row.review}`}, version ${row.version}`,
    );
  };
  tables.attempts.onWrite = (row, before) => {
    const money = row.receivedAmount === null ? '' : `, received ${row.receivedAmount} ${row.receivedCurrency}`;
    if (before?.state !== row.state || before.receivedAmount !== row.receivedAmount) {
      history.note(
        row.paymentId,
        `attempt ${row.reference} at ${row.gateway} is ${row.state}${row.duplicate ? ' (duplicate)' : ''}${money}`,
      );
    }
    if (before !== null) return;
    committed.push({ reference: row.reference, accountId: row.accountId, at: now() });
    tables.undoLog.add(() => committed.pop());
  };
  return { moves, committed };
}

/** Hundredths of an exact decimal of the main unit. */
export function hundredths(text: string): number {
  return Math.round(Number(text) * 100);
}

/** The first event of every payment of which none is stored. */
function firstEvents(tables: Tables): Rows['timeline'] {
  const begun = new Set<string>();
  for (const { type, paymentId } of tables.timeline.all()) if (type === 'payment.initiated') begun.add(paymentId);
  return [...tables.payments.all()].flatMap(({ id, createdAt }) => {
    if (begun.has(id)) return [];
    const fixed = { type: 'payment.initiated', from: null, to: 'INITIATED', reference: null } as const;
    return [{ paymentId: id, eventId: id, ...fixed, at: createdAt.getTime() }];
  });
}

/** The events of checkouts that attempts say. */
function openingEvents(tables: Tables): Rows['timeline'] {
  return [...tables.attempts.all()].flatMap(({ id: eventId, paymentId, reference, openedAt }) => {
    if (openedAt === null) return [];
    const fixed = { type: 'payment.pending', from: 'INITIATED', to: 'PENDING' } as const;
    return [{ paymentId, eventId, ...fixed, reference, at: openedAt.getTime() }];
  });
}

/** The rows of a world's tables, as the oracle reads those of a database. */
export function readTables(tables: Tables, { moves, committed }: Watched): Omit<Rows, 'leftJobs'> {
  const stored = Map.groupBy(tables.gatewayWebhooks.all(), ({ accountId }) => accountId);
  return {
    payments: [...tables.payments.all()].sort(byId).map((row) => ({
      merchantId: row.merchantId,
      paymentId: row.id,
      merchantOrderId: row.merchantOrderId,
      status: row.status,
      amount: Number(row.amount) * 100,
      currency: row.currency,
      gatewayReference: row.gatewayReference,
      reversedAmount: hundredths(row.reversedAmount),
      feeAmount: row.feeAmount === null ? null : hundredths(row.feeAmount),
      statusEventId: row.statusEventId,
      version: row.version,
      underReview: row.review !== null,
      refundedAmount: Number(row.refundedAmount) * 100,
      expiresAt: row.expiresAt.getTime(),
    })),
    attempts: [...tables.attempts.all()].map((row) => {
      const { paymentId, accountId, gateway, reference, state, position, transactionId, receivedCurrency } = row;
      const receivedAmount = row.receivedAmount === null ? null : hundredths(row.receivedAmount);
      return { paymentId, accountId, gateway, reference, state, position, transactionId, receivedAmount, receivedCurrency };
    }),
    committed,
    moves,
    timeline: [
      ...firstEvents(tables),
      ...openingEvents(tables),
      ...[...tables.timeline.all()].map((row) => ({
        paymentId: row.paymentId,
        eventId: row.id,
        type: row.type,
        from: row.fromStatus,
        to: row.toStatus,
        reference: referenceIn(row.detail),
        at: row.createdAt.getTime(),
      })),
    ],
    duplicateCharges: [...tables.duplicateCharges.all()].map((row) => {
      const { merchantId, paymentId, reference, currency, state } = row;
      return { merchantId, paymentId, reference, currency, state, amount: hundredths(row.amount) };
    }),
    refunds: [...tables.refunds.all()].map((row) => {
      return {
        refundId: row.id,
        paymentId: row.paymentId,
        accountId: row.accountId,
        reference: row.reference,
        amount: Number(row.amount) * 100,
        currency: row.currency,
        state: row.state,
        duplicate: row.duplicate,
        mismatched: row.mismatched,
      };
    }),
    events: [...tables.events.all()]
      .map((row) => ({
        merchantId: row.merchantId,
        eventId: row.id,
        paymentId: row.paymentId,
        position: row.position,
        type: row.type,
        body: readEventBody(row),
      }))
      .sort((one, other) => one.position - other.position),
    // Disputes are compared with the gateways' books (`check-books.ts`); reconciliation and the intake of payouts are no part of the model.
    disputes: [],
    discrepancies: [],
    settlementDiscrepancies: [],
    comparisons: [],
    endpoints: [...tables.endpoints.all()].map(({ merchantId, id, enabled }) => ({ merchantId, endpointId: id, enabled })),
    deliveryRows: [...tables.deliveries.all()].map(({ endpointId, eventId, state }) => ({ endpointId, eventId, state })),
    storedWebhooks: Array.from(stored, ([accountId, own]) => {
      return { accountId, stored: own.reduce((sum, { deliveries }) => sum + deliveries, 0) };
    }),
  };
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}

function referenceIn(detail: unknown): string | null {
  if (typeof detail !== 'object' || detail === null || !('reference' in detail)) return null;
  return typeof detail.reference === 'string' ? detail.reference : null;
}
