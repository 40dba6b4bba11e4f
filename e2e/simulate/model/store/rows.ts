import type {
  AccountSnapshot,
  Attempt,
  Dispute,
  DisputeEvent,
  DuplicateCharge,
  GatewayWebhook,
  MerchantEvent,
  Payment,
  PaymentCheck,
  Refund,
  TimelineEvent,
  WebhookArrival,
  WebhookDelivery,
  WebhookDeliveryAttempt,
  WebhookEndpoint,
  WebhookFollowUp,
} from '@switchyard/db/client';
import { type DueAt, type Indexes, Table, UndoLog } from './table.ts';

/** A row whose numeric columns are exact text without zeros at the end. */
type AsText<Row, Numeric extends keyof Row> = Omit<Row, Numeric> & {
  readonly [Name in Numeric]: null extends Row[Name] ? string | null : string;
};

export type PaymentRow = AsText<Payment, 'receivedAmount' | 'feeAmount' | 'reversedAmount'>;
export type AttemptRow = AsText<Attempt, 'receivedAmount'>;
export type DuplicateChargeRow = AsText<DuplicateCharge, 'amount'>;
export type DisputeRow = AsText<Dispute, 'amount' | 'takenBack' | 'fee'>;

/** A job that was added, or hinted. */
export interface JobRow {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  /** True where nothing but the job says what is to be done. */
  readonly durable: boolean;
}

/** The tables that the life cycle of a payment reads and writes. */
export class Tables {
  readonly undoLog = new UndoLog();
  readonly payments = this.table<PaymentRow>((row) => row.id, {
    order: ({ merchantId, mode, merchantOrderId }) => `${merchantId} ${mode} ${merchantOrderId}`,
  });
  readonly checks = this.table<PaymentCheck>(
    (row) => row.paymentId,
    {},
    (row) => row.nextCheckAt,
  );
  readonly attempts = this.table<AttemptRow>((row) => row.id, {
    payment: (row) => row.paymentId,
    reference: ({ accountId, reference }) => `${accountId} ${reference}`,
  });
  readonly timeline = this.table<TimelineEvent>((row) => row.id, { payment: (row) => row.paymentId });
  readonly events = this.table<MerchantEvent>((row) => row.id);
  readonly deliveries = this.table<WebhookDelivery>(
    (row) => row.id,
    {
      pending: ({ state, endpointId }) => (state === 'PENDING' ? endpointId : null),
      pendingOfPayment: ({ state, endpointId, paymentId }) => (state === 'PENDING' ? `${endpointId} ${paymentId}` : null),
    },
    ({ state, nextAttemptAt }) => (state === 'PENDING' ? nextAttemptAt : null),
  );
  readonly deliveryAttempts = this.table<WebhookDeliveryAttempt>((row) => `${row.deliveryId} ${row.number}`);
  readonly endpoints = this.table<WebhookEndpoint>((row) => row.id);
  readonly gatewayWebhooks = this.table<GatewayWebhook>((row) => row.id, {
    event: ({ accountId, dedupeKey }) => `${accountId} ${dedupeKey}`,
  });
  readonly followUps = this.table<WebhookFollowUp>(
    (row) => row.webhookId,
    {},
    (row) => row.dueAt,
  );
  readonly refunds = this.table<Refund>(
    (row) => row.id,
    { payment: (row) => row.paymentId },
    (row) => row.nextCheckAt,
  );
  readonly duplicateCharges = this.table<DuplicateChargeRow>((row) => row.id, {
    money: ({ accountId, transactionId }) => `${accountId} ${transactionId}`,
    payment: (row) => row.paymentId,
  });
  readonly disputes = this.table<DisputeRow>((row) => row.id, { payment: (row) => row.paymentId });
  readonly disputeEvents = this.table<DisputeEvent>((row) => row.id);
  readonly snapshots = this.table<AccountSnapshot>(({ merchantId, id }) => `${merchantId} ${id}`);
  readonly arrivals = this.table<WebhookArrival>((row) => row.accountId);
  readonly jobs = this.table<JobRow>((row) => row.id);

  private table<Row extends object>(
    keyOf: (row: Row) => string,
    indexed: Indexes<Row> = {},
    dueAt: DueAt<Row> | null = null,
  ): Table<Row> {
    return new Table<Row>(this.undoLog, keyOf, { indexed, dueAt });
  }
}
