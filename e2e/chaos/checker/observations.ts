/*
 * Three independent observations of a run: answers and events that merchants received, our database, and the gateways' own
 * statements. Times are milliseconds of the machine's clock, not of the run's clocks. Money is in hundredths of the main unit.
 */

export type Status = 'INITIATED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'REFUNDED';

/** An answer to initiate or get, 200 or not; null status when the connection was lost. */
export interface Answer {
  readonly to: 'initiate' | 'get' | 'verify' | 'refund';
  readonly merchantId: string;
  readonly merchantOrderId: string;
  readonly idempotencyKey: string | null;
  readonly begun: number;
  readonly ended: number;
  readonly httpStatus: number | null;
  /** The whole body, shortened to its digest. */
  readonly digest: string;
  readonly payment: AnsweredPayment | null;
  /** The beginning of the body of any other answer. */
  readonly refusal: string | null;
}

/** The payment in a 200; fields it did not have are null. */
export interface AnsweredPayment {
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly status: Status;
  readonly amount: number;
  readonly currency: string;
  readonly session: { readonly reference: string; readonly redirectUrl: string } | null;
  /** The event record's id, in answers of verify. */
  readonly recordId: string | null;
}

/** One delivery attempt to a merchant's server. */
export interface Delivery {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly at: number;
  readonly eventId: string;
  readonly body: string;
  /** Why its signature or timestamp is invalid; null when both are valid. */
  readonly objection: string | null;
  /** What it was answered; null when the connection was closed instead. */
  readonly answered: number | null;
}

/** A forged webhook, and our answer. */
export interface Forgery {
  readonly what: string;
  readonly url: string;
  readonly httpStatus: number | null;
}

export interface PaymentRow {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly status: Status;
  readonly amount: number;
  readonly currency: string;
  readonly gatewayReference: string | null;
  readonly statusEventId: string;
  readonly version: number;
  readonly underReview: boolean;
  readonly refunded: number;
  /** When its session ends, on the clocks of the run. */
  readonly expiresAt: number;
}

export interface AttemptRow {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly attemptId: string;
  readonly accountId: string;
  readonly gateway: string;
  readonly reference: string;
  readonly state: string;
}

/** When an attempt was committed. */
export interface CommittedAttempt {
  readonly reference: string;
  readonly accountId: string;
  readonly at: number;
}

/** A change of a payment's row, in the order they were made. */
export interface Move {
  readonly paymentId: string;
  readonly from: Status | null;
  readonly to: Status;
  readonly fromVersion: number;
  readonly toVersion: number;
  /** When it was committed. */
  readonly at: number;
}

export interface TimelineRow {
  readonly paymentId: string;
  readonly eventId: string;
  readonly type: string;
  readonly from: Status | null;
  readonly to: Status | null;
  /** Of the opened checkout, where the event names one. */
  readonly reference: string | null;
}

export interface DuplicateChargeRow {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly accountId: string;
  readonly reference: string;
  readonly transactionId: string;
  readonly amount: number;
  readonly currency: string;
  readonly state: string;
}

export interface RefundRow {
  readonly merchantId: string;
  readonly refundId: string;
  readonly paymentId: string;
  readonly accountId: string;
  readonly amount: number;
  readonly state: string;
  readonly duplicate: boolean;
}

export interface EventRow {
  readonly merchantId: string;
  readonly eventId: string;
  readonly paymentId: string | null;
  readonly position: number;
  readonly type: string;
  readonly body: string;
}

export interface EndpointRow {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly enabled: boolean;
}

export interface DeliveryRow {
  readonly endpointId: string;
  readonly eventId: string;
  readonly state: string;
}

/** A job that will not be retried. */
export interface LeftJob {
  readonly task: string;
  readonly attempts: number;
  readonly lastError: string | null;
}

/** A checkout in a gateway's statement. Several may share a reference. */
export interface StatementEntry {
  readonly gateway: string;
  readonly accountId: string;
  readonly reference: string;
  readonly requested: number;
  readonly currency: string;
  readonly transactionId: string | null;
  /** What the customer paid; null when nothing. */
  readonly paid: number | null;
  /** The sum of its refunds that have not failed. */
  readonly refunded: number;
}

/** A call that named a reference. */
export interface GatewayCall {
  readonly gateway: string;
  readonly accountId: string | null;
  readonly reference: string;
  readonly method: string;
  readonly at: number;
  /** The same moment on the clock of the run. */
  readonly runAt: number;
  /** Whether the gateway answered it, and as it should. */
  readonly answered: boolean;
}

/** A roll-up that differs from its payments or attempts. */
export interface WrongRollup {
  readonly table: string;
  readonly merchantId: string;
  readonly period: string;
  readonly sum: string;
}

export interface Observations {
  readonly answers: readonly Answer[];
  readonly deliveries: readonly Delivery[];
  readonly forgeries: readonly Forgery[];
  readonly payments: readonly PaymentRow[];
  readonly attempts: readonly AttemptRow[];
  readonly committed: readonly CommittedAttempt[];
  readonly moves: readonly Move[];
  readonly timeline: readonly TimelineRow[];
  readonly duplicateCharges: readonly DuplicateChargeRow[];
  readonly refunds: readonly RefundRow[];
  readonly events: readonly EventRow[];
  readonly endpoints: readonly EndpointRow[];
  readonly deliveryRows: readonly DeliveryRow[];
  readonly leftJobs: readonly LeftJob[];
  readonly wrongRollups: readonly WrongRollup[];
  readonly statements: readonly StatementEntry[];
  readonly calls: readonly GatewayCall[];
}
