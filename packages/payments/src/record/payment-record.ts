import type { JsonWritable } from '@switchyard/db';
import type { AttemptState, Mode, PaymentStatus, ReviewState } from '@switchyard/db/client';
import type { PaymentDocuments } from './payment-documents.ts';

/** The documented `fallbackGateways` item. */
export interface FallbackGateway {
  readonly name: string;
  readonly reason: string;
}

/**
 * Why a gateway took money back. `chargeback`: a dispute was lost. `gateway`: its transaction is reversed, and nothing says why; a refund
 * made in the gateway's own dashboard is one too.
 */
export type ReversalCause = 'chargeback' | 'gateway';

/** Money of a payment that its gateway took back. */
export interface Reversal {
  /** All that is taken back now, an exact decimal of the main unit: `0` while nothing is. */
  readonly amount: string;
  /** Null with `0`. */
  readonly cause: ReversalCause | null;
  /** When it was last taken back, by the gateway's time where it gives one; null with `0`. */
  readonly at: Date | null;
}

/** A payment's row. Amounts are whole main units. */
export interface PaymentRecord {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly mode: Mode;
  readonly merchantOrderId: string;
  readonly status: PaymentStatus;
  readonly amount: bigint;
  readonly currency: string;
  readonly customerEmail: string;
  readonly customerId: string | null;
  readonly customerPhone: string | null;
  readonly paymentMethod: string | null;
  readonly redirectUrl: string | null;
  readonly requestedGateway: string | null;
  readonly routingMode: string;
  readonly smartRoutingBypassed: boolean;
  readonly recommendedGateway: string;
  readonly documents: PaymentDocuments;
  readonly currentAttemptId: string | null;
  readonly gatewayReference: string | null;
  readonly expiresAt: Date;
  readonly late: boolean;
  /** Received money that the gateway took back, apart from our refunds. */
  readonly reversal: Reversal;
  /** Review of received money that does not match the order: `OPEN` until a staff user decides. */
  readonly review: ReviewState | null;
  readonly version: number;
  /** Id and time of the last change of status: the event record. */
  readonly statusEventId: string;
  readonly statusChangedAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A payment about to be recorded, with the fields that only the row needs. */
export interface NewPayment
  extends Omit<
      PaymentRecord,
      | 'status'
      | 'version'
      | 'late'
      | 'reversal'
      | 'review'
      | 'updatedAt'
      | 'statusChangedAt'
      | 'gatewayReference'
      | 'documents'
      | 'currentAttemptId'
    >,
    Omit<PaymentDocuments, 'session'> {
  readonly customerCountry: string | null;
  readonly metadata: JsonWritable;
  readonly ruleSetVersion: number;
  readonly ruleId: string | null;
  readonly routingInputs: JsonWritable;
  /** Time after recording, by the database's clock, at which a payment that is still INITIATED counts as abandoned. */
  readonly abandonedAfterMs: number;
}

/** An attempt before it is stored: `position` counts from 0, `reference` is unique at the gateway. */
export interface NewAttempt {
  readonly attemptId: string;
  readonly position: number;
  readonly accountId: string;
  readonly gateway: string;
  readonly reference: string;
}

/** An attempt's row. */
export interface AttemptRecord {
  readonly id: string;
  readonly paymentId: string;
  /** In the plan, from 0. */
  readonly position: number;
  readonly accountId: string;
  readonly gateway: string;
  readonly reference: string;
  readonly state: AttemptState;
  /** True if it was paid although another attempt had already paid the payment. */
  readonly duplicate: boolean;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly transactionId: string | null;
  /** Exact decimal of the main unit. */
  readonly receivedAmount: string | null;
  readonly receivedCurrency: string | null;
}

/** The outcome of the call that opens a checkout. */
export interface AttemptResult {
  readonly attemptId: string;
  readonly state: AttemptState;
  readonly failure: { readonly class: string; readonly code: string; readonly message: string } | null;
  readonly latencyMs: number;
  readonly call: JsonWritable;
}

/** One entry of a payment's timeline. */
export interface NewTimelineEvent {
  readonly eventId: string;
  readonly type: string;
  readonly fromStatus: PaymentStatus | null;
  readonly toStatus: PaymentStatus | null;
  readonly cause: string;
  readonly actor: string | null;
  readonly detail: JsonWritable;
}
