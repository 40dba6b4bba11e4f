import { z } from 'zod';

/*
 * Three independent observations of a run: answers and events that merchants received, our database, and the gateways' own
 * statements. Times are milliseconds of the machine's clock, not of the run's clocks. Money is in hundredths of the main unit.
 */

export const statusSchema = z.enum(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED']);
export type Status = z.output<typeof statusSchema>;

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

/** Decimals come as text of main units. */
const hundredths = z.coerce.number().transform((amount) => Math.round(amount * 100));
const whose = { merchantId: z.string(), paymentId: z.string() };

/** The rows of our database. */
export const rowSchemas = {
  payments: z.object({
    ...whose,
    merchantOrderId: z.string(),
    status: statusSchema,
    amount: hundredths,
    currency: z.string(),
    gatewayReference: z.string().nullable(),
    statusEventId: z.string(),
    version: z.int(),
    underReview: z.boolean(),
    refunded: hundredths,
    /** When its session ends, on the clocks of the run. */
    expiresAt: z.coerce.number(),
  }),
  attempts: z.object({
    ...whose,
    attemptId: z.string(),
    accountId: z.string(),
    gateway: z.string(),
    reference: z.string(),
    state: z.string(),
  }),
  /** When each attempt was committed. */
  committed: z.object({ reference: z.string(), accountId: z.string(), at: z.coerce.number() }),
  /** Changes of payments' rows, in the order they were made, with the time of their commit. */
  moves: z.object({
    paymentId: z.string(),
    from: statusSchema.nullable(),
    to: statusSchema,
    fromVersion: z.int(),
    toVersion: z.int(),
    at: z.coerce.number(),
  }),
  timeline: z.object({
    paymentId: z.string(),
    eventId: z.string(),
    type: z.string(),
    from: statusSchema.nullable(),
    to: statusSchema.nullable(),
    /** Of the opened checkout, where the event names one. */
    reference: z.string().nullable(),
  }),
  duplicateCharges: z.object({
    ...whose,
    accountId: z.string(),
    reference: z.string(),
    transactionId: z.string(),
    amount: hundredths,
    currency: z.string(),
    state: z.string(),
  }),
  refunds: z.object({
    ...whose,
    refundId: z.string(),
    accountId: z.string(),
    amount: hundredths,
    state: z.string(),
    duplicate: z.boolean(),
  }),
  events: z.object({
    merchantId: z.string(),
    eventId: z.string(),
    paymentId: z.string().nullable(),
    position: z.int(),
    type: z.string(),
    body: z.string(),
  }),
  endpoints: z.object({ merchantId: z.string(), endpointId: z.string(), enabled: z.boolean() }),
  deliveryRows: z.object({ endpointId: z.string(), eventId: z.string(), state: z.string() }),
  /** Jobs that will not be retried. */
  leftJobs: z.object({ task: z.string(), attempts: z.int(), lastError: z.string().nullable() }),
};

type Rows = { readonly [Name in keyof typeof rowSchemas]: readonly Readonly<z.output<(typeof rowSchemas)[Name]>>[] };
export type PaymentRow = Rows['payments'][number];
export type Move = Rows['moves'][number];
export type EventRow = Rows['events'][number];
export type EndpointRow = Rows['endpoints'][number];

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

export interface Observations extends Rows {
  readonly answers: readonly Answer[];
  readonly deliveries: readonly Delivery[];
  readonly forgeries: readonly Forgery[];
  readonly wrongRollups: readonly WrongRollup[];
  readonly statements: readonly StatementEntry[];
  readonly calls: readonly GatewayCall[];
}
