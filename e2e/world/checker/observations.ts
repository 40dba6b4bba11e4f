import type { findWrongRollups } from '@switchyard/reporting/rollups';
import { z } from 'zod';

/*
 * Three independent observations of a run: answers and events that merchants received, our database, and the gateways' own
 * statements. Times are milliseconds of the run's clock. Money is in hundredths of the main unit.
 */

const statusSchema = z.enum(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED']);
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
  /** When it arrived. */
  readonly at: number;
  readonly merchantId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly body: string;
  /** Why its signature or timestamp is invalid; null when both are valid. */
  readonly objection: string | null;
  /** Status of its answer; null when the connection was closed instead. */
  readonly answered: number | null;
  /** From its arrival to the end of its answer; null where the answer was never sent. */
  readonly tookMs: number | null;
}

/** A forged webhook in a gateway's name, and our answer; null when the connection was lost. */
export interface Forgery {
  readonly gateway: string;
  readonly event: string;
  readonly reference: string;
  readonly httpStatus: number | null;
}

/** A webhook of a gateway with every try to send it, as its journal has it. */
export interface GatewayNotice {
  readonly gateway: string;
  readonly event: string;
  readonly reference: string;
  readonly forged: boolean;
  readonly tries: readonly { readonly at: number; readonly httpStatus: number | null }[];
}

/** Decimals come as text of main units. */
const hundredths = z.coerce.number().transform((amount) => Math.round(amount * 100));
const text = z.string();

/** The rows of our database. */
export const rowsSchema = z.object({
  payments: z.array(
    z.object({
      merchantId: text,
      paymentId: text,
      merchantOrderId: text,
      status: statusSchema,
      amount: hundredths,
      currency: text,
      gatewayReference: text.nullable(),
      /** As the gateway names it when it reports the payment. */
      feeAmount: hundredths.nullable(),
      statusEventId: text,
      version: z.int(),
      underReview: z.boolean(),
      refundedAmount: hundredths,
      /** Amount that the gateway took back, apart from refunds. */
      reversedAmount: hundredths,
      /** When its session ends. */
      expiresAt: z.coerce.date().transform(Number),
    }),
  ),
  attempts: z.array(
    z.object({
      paymentId: text,
      accountId: text,
      gateway: text,
      reference: text,
      state: text,
      position: z.int(),
      transactionId: text.nullable(),
      receivedAmount: hundredths.nullable(),
      receivedCurrency: text.nullable(),
    }),
  ),
  /** When each attempt was committed. */
  committed: z.array(z.object({ reference: text, accountId: text, at: z.coerce.number() })),
  /** Changes of payments' rows, in the order they were made, with the time of their commit. */
  moves: z.array(
    z.object({
      paymentId: text,
      from: statusSchema.nullable(),
      to: statusSchema,
      fromVersion: z.int(),
      toVersion: z.int(),
      at: z.coerce.number(),
    }),
  ),
  timeline: z.array(
    z.object({
      paymentId: text,
      eventId: text,
      type: text,
      from: statusSchema.nullable(),
      to: statusSchema.nullable(),
      /** The reference of the opened checkout, where the event names one. */
      reference: text.nullable(),
      /** By the clock of the process that wrote it. */
      at: z.coerce.date().transform(Number),
    }),
  ),
  duplicateCharges: z.array(
    z.object({ merchantId: text, paymentId: text, reference: text, amount: hundredths, currency: text, state: text }),
  ),
  refunds: z.array(
    z.object({
      refundId: text,
      paymentId: text,
      accountId: text,
      /** Sent to the gateway as the refund's reference, or in its note. */
      reference: text,
      amount: hundredths,
      currency: text,
      state: text,
      duplicate: z.boolean(),
      mismatched: z.boolean(),
    }),
  ),
  events: z.array(
    z.object({ merchantId: text, eventId: text, paymentId: text.nullable(), position: z.int(), type: text, body: text }),
  ),
  endpoints: z.array(z.object({ merchantId: text, endpointId: text, enabled: z.boolean() })),
  deliveryRows: z.array(z.object({ endpointId: text, eventId: text, state: text })),
  disputes: z.array(z.object({ paymentId: text, gatewayDisputeId: text, state: text })),
  /** Findings of comparisons of lists. */
  discrepancies: z.array(
    z.object({
      accountId: text,
      day: text,
      kind: text,
      state: text,
      paymentId: text.nullable(),
      reference: text.nullable(),
    }),
  ),
  /** Findings of comparisons of payouts. */
  settlementDiscrepancies: z.array(z.object({ accountId: text, kind: text, state: text, paymentId: text.nullable() })),
  /** Days of accounts that were compared to the end. */
  comparisons: z.array(
    z.object({
      accountId: text,
      /** `YYYY-MM-DD`, by the calendar of Lagos. */
      day: text,
      comparedAt: z.coerce.date().transform(Number),
    }),
  ),
  /** Jobs that will not be retried. */
  leftJobs: z.array(z.object({ task: text, attempts: z.int(), lastError: text.nullable() })),
  /** How many deliveries of gateways' webhooks are stored, by account. */
  storedWebhooks: z.array(z.object({ accountId: text, stored: z.int() })),
});

export type Rows = z.output<typeof rowsSchema>;
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
  /** Amount that the customer paid; null for none. */
  readonly paid: number | null;
  readonly paidAt: number | null;
  /** Fee by the gateway's price list of the amount paid, where look-ups name one. */
  readonly fee: number | null;
  /** Amount that the gateway took back, apart from refunds. */
  readonly reversed: number;
  /** State of each dispute; one that was not answered in time is lost. */
  readonly disputes: readonly ('open' | 'lost' | 'won')[];
  readonly refunds: readonly BookedRefund[];
}

/** A refund in a gateway's statement. */
export interface BookedRefund {
  readonly id: string;
  /** Words of the merchant about it: its reference, or the note that has it. */
  readonly words: readonly string[];
  readonly amount: number;
  readonly status: 'pending' | 'paid_out' | 'failed';
}

/** A call that named a reference. */
export interface GatewayCall {
  readonly gateway: string;
  readonly accountId: string | null;
  readonly reference: string;
  readonly method: string;
  /** Its path and answer, for people. */
  readonly what: string;
  readonly at: number;
  /** True if the gateway answered it, and as it should. */
  readonly answered: boolean;
}

/** Something that a gateway did with money it had received: by itself, or for the customer's bank. */
export interface PlantedEvent {
  readonly kind: 'reversed' | 'dispute_opened' | 'dispute_lost' | 'dispute_won' | 'left_out_of_payout';
  readonly gateway: string;
  readonly reference: string;
  readonly at: number;
}

/** A difference between our records and the list of a gateway, planted for comparisons to find. */
export interface PlantedDifference {
  /** Kind of the discrepancy. `MISSING_HERE` is money of another system of the merchant's on its account, of which we were never asked. */
  readonly finds: 'MISSING_HERE' | 'MISSING_THERE' | 'STATUS' | 'AMOUNT';
  readonly gateway: string;
  readonly accountId: string;
  readonly reference: string;
  readonly at: number;
}

/** Requests that must not be granted. */
export type ForbiddenKind =
  | 'refund_of_too_much'
  | 'refund_of_nothing'
  | 'unknown_key'
  | 'no_key'
  | 'foreign_payment'
  | 'refund_of_foreign_payment'
  | 'refund_without_scope'
  | 'initiate_without_scope'
  | 'forged_webhook';

/** A request about a payment that must not be granted, and its answer; null when the connection was lost. */
export interface ForbiddenRequest {
  readonly kind: ForbiddenKind;
  readonly paymentId: string;
  readonly at: number;
  readonly httpStatus: number | null;
  /** The beginning of the body. */
  readonly answer: string;
}

/** Observations made while payments were driven, beside the rows of our database. */
export interface DrivenObservations {
  readonly answers: readonly Answer[];
  readonly deliveries: readonly Delivery[];
  readonly forgeries: readonly Forgery[];
  /** Webhooks that gateways sent. */
  readonly notices: readonly GatewayNotice[];
  readonly forbidden: readonly ForbiddenRequest[];
  readonly differences: readonly PlantedDifference[];
  /** How many webhooks of each gateway account were answered 200. */
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly statements: readonly StatementEntry[];
  readonly calls: readonly GatewayCall[];
  /** Payments that were open though sessions and faults had ended long before. */
  readonly openAfterSessions: readonly string[];
  /** References under which a gateway received money hours before, in the absence of faults, while no attempt had it. */
  readonly unrecordedMoney: readonly string[];
  /** The work that was left in the end, by kind; null for none. */
  readonly unfinished: string | null;
  /** In the order they happened. */
  readonly planted: readonly PlantedEvent[];
}

export interface Observations extends Readonly<Rows>, DrivenObservations {
  /** Roll-ups that differ from their payments or attempts. */
  readonly wrongRollups: Awaited<ReturnType<typeof findWrongRollups>>;
}
