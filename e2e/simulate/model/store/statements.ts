import type {
  AttemptState,
  DeliveryState,
  GatewayWebhookState,
  Mode,
  PaymentCheck,
  PaymentStatus,
  Refund,
  ReviewState,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookFollowUp,
} from '@switchyard/db/client';
import { canonical } from './numeric.ts';
import type { AttemptRow, PaymentRow, Tables } from './rows.ts';

/** The result of a statement, as `pg` answers it. */
export interface Result {
  readonly rows: readonly object[];
  readonly rowCount: number;
}

/** A prepared statement: its parameters, and the database's time. */
type Run = (tables: Tables, values: Parameters, now: Date) => readonly object[];

/** The parameters of a statement. Each reader throws where one is of another type. */
export class Parameters {
  private readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }

  text(at: number): string {
    const value = this.values[at];
    if (typeof value !== 'string') throw new TypeError(`parameter ${at + 1} is no text`);
    return value;
  }

  textOrNull(at: number): string | null {
    return this.values[at] === null || this.values[at] === undefined ? null : this.text(at);
  }

  number(at: number): number {
    const value = this.values[at];
    if (typeof value !== 'number') throw new TypeError(`parameter ${at + 1} is no number`);
    return value;
  }

  boolean(at: number): boolean {
    return this.values[at] === true;
  }

  time(at: number): Date {
    const value = this.values[at];
    if (!(value instanceof Date)) throw new TypeError(`parameter ${at + 1} is no time`);
    return value;
  }

  timeOrNull(at: number): Date | null {
    return this.values[at] === null ? null : this.time(at);
  }

  texts(at: number): readonly (string | null)[] {
    const value = this.values[at];
    if (!Array.isArray(value)) throw new TypeError(`parameter ${at + 1} is no list`);
    return value;
  }

  /** Rows in JSON; none for null. */
  json<Row>(at: number): readonly Row[] {
    const text = this.textOrNull(at);
    const parsed: readonly Row[] = text === null ? [] : JSON.parse(text);
    return parsed;
  }

  record<Row>(at: number): Row {
    const parsed: Row = JSON.parse(this.text(at));
    return parsed;
  }
}

/** The statements that the life cycle of a payment runs, by the names under which they are prepared. */
const STATEMENTS: ReadonlyMap<string, Run> = new Map<string, Run>([
  ['reserve-payments', reservePayments],
  ['find-payment-by-order', findPaymentByOrder],
  ['release-initiation', releaseInitiation],
  ['record-fallback', recordFallback],
  ['settle-opened-initiations', settleOpenedInitiations],
  ['settle-failed-initiation', settleFailedInitiation],
  ['find-payments', findPayments],
  ['list-attempts', listAttempts],
  ['find-attempts-by-reference', (tables, values) => findAttempts(values, (one, other) => findByReference(tables, one, other))],
  ['find-attempts', (tables, values) => findAttempts(values, (one) => tables.attempts.get(one))],
  ['change-payments', changePayments],
  ['find-due-payments', findDuePayments],
  ['claim-due-payments', claimDuePayments],
  ['claim-due-payment', claimDuePayment],
  ['schedule-next-checks', scheduleNextChecks],
  ['store-gateway-webhooks', storeGatewayWebhooks],
  ['count-refused-webhook', () => []],
  ['list-merchants-to-follow', listMerchantsToFollow],
  ['claim-webhooks', claimWebhooks],
  ['end-follow-ups', endFollowUps],
  ['postpone-follow-up', postponeFollowUp],
  ['give-up-follow-up', giveUpFollowUp],
  ['record-webhook-arrival', (tables, values) => recordArrival(tables, values, 'arrivedAt')],
  ['record-missed-webhook', (tables, values) => recordArrival(tables, values, 'missedAt')],
  ['read-webhook-arrivals', readArrivals],
  ['find-due-refunds', findDueRefunds],
  ['claim-due-refunds', claimDueRefunds],
  ['mark-refund-sent', markRefundSent],
  ['could-refund-still-arrive', couldRefundArrive],
  ['claim-due-deliveries', claimDueDeliveries],
  ['list-due-endpoints', listDueEndpoints],
  ['settle-delivery-attempts', settleDeliveryAttempts],
  ['give-hints', giveHints],
]);
/** Names of the statements that are known here. */
export const STATEMENT_NAMES: readonly string[] = [...STATEMENTS.keys()];

/** Runs a prepared statement. Throws for one that is not known here. */
export function runStatement(tables: Tables, name: string, values: readonly unknown[], now: Date): Result {
  const run = STATEMENTS.get(name);
  if (run === undefined) throw new Error(`the statement ${name} is not known to the model`);
  const rows = run(tables, new Parameters(values), now);
  return { rows, rowCount: rows.length };
}

interface NewPaymentRow {
  readonly merchant_id: string;
  readonly id: string;
  readonly mode: Mode;
  readonly merchant_order_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly customer_email: string;
  readonly customer_id: string | null;
  readonly customer_phone: string | null;
  readonly customer_country: string | null;
  readonly payment_method: string | null;
  readonly metadata: PaymentRow['metadata'];
  readonly redirect_url: string | null;
  readonly requested_gateway: string | null;
  readonly routing_mode: string;
  readonly smart_routing_bypassed: boolean;
  readonly rule_set_version: number;
  readonly rule_id: string | null;
  readonly routing?: PaymentRow['routing'];
  readonly routing_inputs?: PaymentRow['routingInputs'];
  readonly packed_decision?: string;
  readonly recommended_gateway: string;
  readonly fallback_gateways: PaymentRow['fallbackGateways'];
  readonly expires_at: string;
  readonly event_id: string;
  readonly created_at: string;
}

interface FirstRow {
  readonly merchant_id: string;
  readonly payment_id: string;
  readonly abandoned_after_ms: number;
  /** None where the event repeats the payment. */
  readonly event_id?: string;
  readonly detail: PaymentRow['routing'];
  readonly created_at: string;
  readonly attempt_id?: string;
  readonly position?: number;
  readonly account_id?: string;
  readonly gateway?: string;
  readonly reference?: string;
}

function reservePayments(tables: Tables, values: Parameters, now: Date): { id: string }[] {
  const reserved = new Set<string>();
  for (const input of values.json<NewPaymentRow>(1)) {
    const order = `${input.merchant_id} ${input.mode} ${input.merchant_order_id}`;
    if (tables.payments.get(input.id) !== undefined || tables.payments.by('order', order).length > 0) continue;
    tables.payments.insert(newPayment(input));
    reserved.add(input.id);
  }
  for (const first of values.json<FirstRow>(2)) {
    const { merchant_id: merchantId, payment_id: paymentId, event_id: id, detail } = first;
    if (!reserved.has(paymentId)) continue;
    const createdAt = new Date(first.created_at);
    const nextCheckAt = new Date(now.getTime() + first.abandoned_after_ms);
    tables.checks.insert({ merchantId, paymentId, nextCheckAt, initiating: true, checkCount: 0 });
    const initiated = { type: 'payment.initiated', fromStatus: null, toStatus: 'INITIATED', cause: 'api', actor: null } as const;
    if (id !== undefined) tables.timeline.insert({ merchantId, id, paymentId, ...initiated, detail, createdAt });
    const { attempt_id: attemptId, position = 0, account_id: accountId = '', gateway = '', reference = '' } = first;
    if (attemptId === undefined) continue;
    insertAttempt(tables, { merchantId, id: attemptId, paymentId, position, accountId, gateway, reference }, createdAt);
  }
  return [...reserved].map((id) => ({ id }));
}

function newPayment(input: NewPaymentRow): PaymentRow {
  const createdAt = new Date(input.created_at);
  return {
    merchantId: input.merchant_id,
    id: input.id,
    mode: input.mode,
    merchantOrderId: input.merchant_order_id,
    status: 'INITIATED',
    unusualStatus: null,
    amount: BigInt(input.amount),
    currency: input.currency,
    customerEmail: input.customer_email,
    customerId: input.customer_id,
    customerPhone: input.customer_phone,
    customerCountry: input.customer_country,
    customerErasedAt: null,
    paymentMethod: input.payment_method,
    metadata: input.metadata,
    redirectUrl: input.redirect_url,
    requestedGateway: input.requested_gateway,
    routingMode: input.routing_mode,
    smartRoutingBypassed: input.smart_routing_bypassed,
    ruleSetVersion: input.rule_set_version,
    ruleId: input.rule_id,
    routing: input.routing ?? null,
    routingInputs: input.routing_inputs ?? null,
    packedDecision: fromBase64(input.packed_decision),
    recommendedGateway: input.recommended_gateway,
    session: null,
    fallbackGateways: input.fallback_gateways,
    packedSession: null,
    currentAttemptId: null,
    paidAttemptId: null,
    accountId: null,
    accountGateway: null,
    gatewayReference: null,
    receivedAmount: null,
    receivedCurrency: null,
    feeAmount: null,
    paidMethod: null,
    paidAt: null,
    late: false,
    review: null,
    reviewReason: null,
    failureReason: null,
    expiresAt: new Date(input.expires_at),
    refundedAmount: 0n,
    reversedAmount: '0',
    reversedAt: null,
    reversalCause: null,
    version: 1,
    statusEventId: input.event_id,
    statusChangedAt: createdAt,
    createdAt,
    updatedAt: createdAt,
  };
}

type NewAttemptRow = Pick<AttemptRow, 'merchantId' | 'id' | 'paymentId' | 'position' | 'accountId' | 'gateway' | 'reference'>;

function insertAttempt(tables: Tables, attempt: NewAttemptRow, at: Date): void {
  tables.attempts.insert({
    ...attempt,
    state: 'STARTED',
    failureClass: null,
    failureCode: null,
    failureMessage: null,
    latencyMs: null,
    call: null,
    packedCall: null,
    transactionId: null,
    receivedAmount: null,
    receivedCurrency: null,
    duplicate: false,
    lastAskedAt: null,
    openedAt: null,
    createdAt: at,
    updatedAt: at,
  });
}

function findPaymentByOrder(tables: Tables, values: Parameters): { id: string }[] {
  const order = `${values.text(0)} ${values.text(1)} ${values.text(2)}`;
  return tables.payments.by('order', order).map(({ id }) => ({ id }));
}

function releaseInitiation(tables: Tables, values: Parameters, now: Date): object[] {
  const check = tables.checks.get(values.text(1));
  if (check === undefined || !check.initiating || check.checkCount !== 0) return [];
  tables.checks.update(check, { nextCheckAt: now });
  return [];
}

/** How an attempt ended, in an input of a function. */
interface EndedAttempt {
  readonly attempt_id?: string;
  readonly state?: AttemptState;
  readonly failure_class?: string;
  readonly failure_code?: string;
  readonly failure_message?: string;
  readonly latency_ms?: number;
  readonly at: string;
}

function endAttempt(tables: Tables, attempt: AttemptRow, input: EndedAttempt): void {
  tables.attempts.update(attempt, {
    state: input.state ?? attempt.state,
    failureClass: input.failure_class ?? null,
    failureCode: input.failure_code ?? null,
    failureMessage: input.failure_message ?? null,
    latencyMs: input.latency_ms ?? null,
    updatedAt: new Date(input.at),
  });
}

interface FallbackRow extends EndedAttempt {
  readonly next_id: string;
  readonly position: number;
  readonly account_id: string;
  readonly gateway: string;
  readonly reference: string;
}

function recordFallback(tables: Tables, values: Parameters): { recorded: boolean }[] {
  const input = values.record<FallbackRow>(1);
  const attempt = tables.attempts.get(input.attempt_id ?? '');
  if (attempt === undefined || attempt.merchantId !== values.text(0) || attempt.state !== 'STARTED') return [{ recorded: false }];
  endAttempt(tables, attempt, input);
  const { merchantId, paymentId } = attempt;
  const { next_id: id, position, account_id: accountId, gateway, reference } = input;
  insertAttempt(tables, { merchantId, id, paymentId, position, accountId, gateway, reference }, new Date(input.at));
  return [{ recorded: true }];
}

interface OpenedPayment {
  readonly payment_id: string;
  readonly account_id: string;
  readonly gateway: string;
  readonly session?: PaymentRow['session'];
  readonly fallback_gateways?: PaymentRow['fallbackGateways'];
  readonly packed_session?: string;
  readonly routing?: PaymentRow['routing'];
  readonly packed_decision?: string;
  readonly gateway_reference: string;
  readonly event_id: string;
  readonly at: string;
  readonly attempt_id: string;
}

interface OpenedAttempt {
  readonly merchant_id: string;
  readonly payment_id: string;
  readonly next_check_at: string;
  readonly event_id?: string;
  readonly cause: string;
  readonly detail: PaymentRow['routing'];
  readonly at: string;
  readonly attempt_id: string;
  readonly latency_ms: number;
}

function settleOpenedInitiations(tables: Tables, values: Parameters): { id: string }[] {
  const settled = new Set<string>();
  for (const input of values.json<OpenedPayment>(1)) {
    const payment = tables.payments.get(input.payment_id);
    if (payment === undefined || payment.status !== 'INITIATED') continue;
    const at = new Date(input.at);
    tables.payments.update(payment, {
      status: 'PENDING',
      recommendedGateway: input.gateway,
      session: input.session ?? null,
      fallbackGateways: input.fallback_gateways ?? null,
      packedSession: fromBase64(input.packed_session),
      ...changedDecision(payment, input),
      gatewayReference: input.gateway_reference,
      currentAttemptId: input.attempt_id,
      accountId: input.account_id,
      accountGateway: input.gateway,
      statusEventId: input.event_id,
      statusChangedAt: at,
      updatedAt: at,
      version: payment.version + 1,
    });
    settled.add(payment.id);
  }
  for (const input of values.json<OpenedAttempt>(2)) {
    const { merchant_id: merchantId, payment_id: paymentId, event_id: id, cause, detail } = input;
    if (!settled.has(paymentId)) continue;
    putCheck(tables, merchantId, paymentId, new Date(input.next_check_at));
    const at = new Date(input.at);
    const opened = { type: 'payment.pending', fromStatus: 'INITIATED', toStatus: 'PENDING', actor: null } as const;
    if (id !== undefined) tables.timeline.insert({ merchantId, id, paymentId, ...opened, cause, detail, createdAt: at });
    const attempt = tables.attempts.get(input.attempt_id);
    const openedAt = id === undefined ? at : null;
    if (attempt !== undefined)
      tables.attempts.update(attempt, { state: 'OPENED', latencyMs: input.latency_ms, openedAt, updatedAt: at });
  }
  return [...settled].map((id) => ({ id }));
}

/** A decision that is left out did not change. */
function changedDecision(
  payment: PaymentRow,
  input: Pick<OpenedPayment, 'routing' | 'packed_decision'>,
): Pick<PaymentRow, 'routing' | 'routingInputs' | 'packedDecision'> {
  const packedDecision = fromBase64(input.packed_decision);
  if (packedDecision !== null) return { routing: null, routingInputs: null, packedDecision };
  return {
    routing: input.routing ?? payment.routing,
    routingInputs: payment.routingInputs,
    packedDecision: payment.packedDecision,
  };
}

function fromBase64(text: string | undefined): Uint8Array<ArrayBuffer> | null {
  return text === undefined ? null : Uint8Array.from(Buffer.from(text, 'base64'));
}

/** Schedules the next check of a payment that is initiated. */
function putCheck(tables: Tables, merchantId: string, paymentId: string, nextCheckAt: Date): void {
  const known = tables.checks.get(paymentId);
  if (known === undefined) tables.checks.insert({ merchantId, paymentId, nextCheckAt, initiating: false, checkCount: 0 });
  else tables.checks.update(known, { nextCheckAt, initiating: false });
}

function endCheck(tables: Tables, paymentId: string): void {
  const check = tables.checks.get(paymentId);
  if (check !== undefined) tables.checks.delete(check);
}

interface FailedInitiationRow extends EndedAttempt {
  readonly payment_id: string;
  readonly failure_reason: string;
  readonly routing?: PaymentRow['routing'];
  readonly packed_decision?: string;
  readonly event_id: string;
  readonly cause: string;
  readonly detail: PaymentRow['routing'];
  readonly next_check_at: string | null;
}

function settleFailedInitiation(tables: Tables, values: Parameters): object[] {
  const input = values.record<FailedInitiationRow>(1);
  const payment = tables.payments.get(input.payment_id);
  if (payment === undefined || payment.merchantId !== values.text(0) || payment.status !== 'INITIATED') return [];
  const { merchantId, id: paymentId } = payment;
  const at = new Date(input.at);
  tables.payments.update(payment, {
    status: 'FAILED',
    failureReason: input.failure_reason,
    fallbackGateways: [],
    ...changedDecision(payment, input),
    statusEventId: input.event_id,
    statusChangedAt: at,
    updatedAt: at,
    version: payment.version + 1,
  });
  if (input.next_check_at === null) endCheck(tables, paymentId);
  else putCheck(tables, merchantId, paymentId, new Date(input.next_check_at));
  const attempt = input.attempt_id === undefined ? undefined : tables.attempts.get(input.attempt_id);
  if (attempt !== undefined) endAttempt(tables, attempt, input);
  const { event_id: id, cause, detail } = input;
  const failed = { type: 'payment.failed', fromStatus: 'INITIATED', toStatus: 'FAILED', actor: null } as const;
  tables.timeline.insert({ merchantId, id, paymentId, ...failed, cause, detail, createdAt: at });
  const announced = announceEvents(tables, values.json<EventInput>(2));
  return [{ endpointId: null }, ...announced.map(({ endpointId }) => ({ endpointId }))];
}

interface EventInput {
  readonly merchant_id: string;
  readonly id: string;
  readonly mode: Mode;
  readonly payment_id: string | null;
  readonly position: number;
  readonly type: string;
  readonly body?: string;
  readonly packed_body?: string;
  readonly at: string;
  readonly delivery_id: string;
}

/** An event's payment, and an endpoint that it goes to. */
interface Announced {
  readonly paymentId: string | null;
  readonly endpointId: string;
}

/** Writes events and their deliveries. */
function announceEvents(tables: Tables, events: readonly EventInput[]): Announced[] {
  return events.flatMap((event) => {
    const { merchant_id: merchantId, id: eventId, mode, payment_id: paymentId, position, type, body = '' } = event;
    const at = new Date(event.at);
    const packedBody = fromBase64(event.packed_body);
    tables.events.insert({ merchantId, id: eventId, mode, paymentId, position, type, body, packedBody, createdAt: at });
    const endpoints = [...tables.endpoints.all()].filter((endpoint) => isSubscribed(endpoint, event));
    return endpoints.map(({ id: endpointId }): Announced => {
      const id = event.delivery_id.slice(0, 24) + endpointId.slice(-12);
      tables.deliveries.insert({ ...newDelivery(at), merchantId, id, endpointId, eventId, paymentId, position, type });
      return { paymentId, endpointId };
    });
  });
}

function isSubscribed({ merchantId, mode, enabled, types }: WebhookEndpoint, event: EventInput): boolean {
  if (merchantId !== event.merchant_id || mode !== event.mode || !enabled) return false;
  return types.length === 0 || types.includes(event.type);
}

function newDelivery(at: Date) {
  return {
    state: 'PENDING',
    attempts: 0,
    roundAttempts: 0,
    nextAttemptAt: at,
    dueAt: at,
    settledAttempts: null,
    deliveredAt: null,
    lastStatus: null,
    lastFailure: null,
    body: null,
    url: null,
    durationMs: null,
    answer: null,
    resendId: null,
    createdAt: at,
    updatedAt: at,
  } as const;
}

function findPayments(tables: Tables, values: Parameters): object[] {
  const merchants = values.texts(0);
  return values.texts(1).flatMap((id, at) => {
    const payment = tables.payments.get(id ?? '');
    if (payment === undefined || payment.merchantId !== merchants[at]) return [];
    return [
      {
        place: at + 1,
        merchantId: payment.merchantId,
        paymentId: payment.id,
        mode: payment.mode,
        merchantOrderId: payment.merchantOrderId,
        status: payment.status,
        amount: payment.amount.toString(),
        currency: payment.currency,
        customerEmail: payment.customerEmail,
        customerId: payment.customerId,
        customerPhone: payment.customerPhone,
        paymentMethod: payment.paymentMethod,
        redirectUrl: payment.redirectUrl,
        requestedGateway: payment.requestedGateway,
        routingMode: payment.routingMode,
        smartRoutingBypassed: payment.smartRoutingBypassed,
        routing: payment.routing,
        packedDecision: payment.packedDecision,
        recommendedGateway: payment.recommendedGateway,
        session: payment.session,
        fallbackGateways: payment.fallbackGateways,
        packedSession: payment.packedSession,
        currentAttemptId: payment.currentAttemptId,
        gatewayReference: payment.gatewayReference,
        expiresAt: payment.expiresAt,
        late: payment.late,
        review: payment.review,
        version: payment.version,
        reversedAmount: payment.reversedAmount,
        reversedAt: payment.reversedAt,
        reversalCause: payment.reversalCause,
        statusEventId: payment.statusEventId,
        statusChangedAt: payment.statusChangedAt,
        createdAt: payment.createdAt,
        updatedAt: payment.updatedAt,
      },
    ];
  });
}

function listAttempts(tables: Tables, values: Parameters): object[] {
  const merchants = values.texts(0);
  return values.texts(1).flatMap((id, at) =>
    tables.attempts
      .by('payment', id ?? '')
      .filter(({ merchantId }) => merchantId === merchants[at])
      .sort((one, other) => one.position - other.position)
      .map((attempt) => ({ place: at + 1, ...readAttempt(attempt) })),
  );
}

function readAttempt(attempt: AttemptRow): object {
  return {
    id: attempt.id,
    paymentId: attempt.paymentId,
    position: attempt.position,
    accountId: attempt.accountId,
    gateway: attempt.gateway,
    reference: attempt.reference,
    state: attempt.state,
    duplicate: attempt.duplicate,
    failureCode: attempt.failureCode,
    failureMessage: attempt.failureMessage,
    transactionId: attempt.transactionId,
    receivedAmount: attempt.receivedAmount,
    receivedCurrency: attempt.receivedCurrency,
  };
}

function findByReference(tables: Tables, accountId: string, reference: string | null): AttemptRow | undefined {
  return tables.attempts.by('reference', `${accountId} ${reference}`)[0];
}

function findAttempts(values: Parameters, find: (one: string, other: string | null) => AttemptRow | undefined): object[] {
  const merchants = values.texts(0);
  const others = values.texts(2);
  return values.texts(1).flatMap((one, at) => {
    const attempt = find(one ?? '', others[at] ?? null);
    return attempt === undefined || attempt.merchantId !== merchants[at] ? [] : [{ place: at + 1, ...readAttempt(attempt) }];
  });
}

interface ChangedPayment {
  readonly payment_id: string;
  readonly version: number;
  readonly at: string;
  readonly status?: PaymentStatus;
  readonly failure_reason?: string;
  readonly late?: boolean;
  readonly gateway_reference?: string;
  readonly paid_attempt_id?: string;
  readonly refunded_amount?: string;
  readonly reversal: boolean;
  readonly reversed_amount?: string;
  readonly reversed_at?: string | null;
  readonly reversal_cause?: string | null;
  readonly review?: ReviewState;
  readonly review_reason?: string;
  readonly status_event_id?: string;
  readonly received: boolean;
  readonly received_amount?: string;
  readonly received_currency?: string;
  readonly fee_amount?: string | null;
  readonly paid_method?: string | null;
  readonly paid_at: string;
}

interface ChangedAttempt {
  readonly payment_id: string;
  readonly attempt_id: string;
  readonly at: string;
  readonly asked_at: string;
  readonly state?: AttemptState;
  readonly duplicate?: boolean;
  readonly received: boolean;
  readonly received_amount?: string;
  readonly received_currency?: string;
  readonly transaction_id?: string;
}

interface TimelineInput {
  readonly merchant_id: string;
  readonly payment_id: string;
  readonly id: string;
  readonly type: string;
  readonly from_status: PaymentStatus | null;
  readonly to_status: PaymentStatus | null;
  readonly cause: string;
  readonly actor: string | null;
  readonly detail: PaymentRow['routing'];
  readonly at: string;
}

interface CheckInput {
  readonly merchant_id: string;
  readonly payment_id: string;
  readonly next_check_at?: string;
}

/** `change_payments`: parameters from the second on are its kinds of rows. */
export function changePayments(tables: Tables, values: Parameters): object[] {
  const changed = new Set<string>();
  for (const input of values.json<ChangedPayment>(1)) {
    const payment = tables.payments.get(input.payment_id);
    if (payment === undefined || payment.version !== input.version) continue;
    tables.payments.update(payment, { ...paymentChanges(payment, input), ...accountOf(tables, payment, input) });
    changed.add(payment.id);
  }
  if (changed.size === 0) return [];
  for (const { payment_id: id } of values.json<CheckInput>(2)) if (changed.has(id)) endCheck(tables, id);
  for (const { merchant_id: merchantId, payment_id: id, next_check_at: at } of values.json<CheckInput>(3)) {
    if (changed.has(id) && at !== undefined) putCheck(tables, merchantId, id, new Date(at));
  }
  for (const input of values.json<ChangedAttempt>(4)) {
    const attempt = tables.attempts.get(input.attempt_id);
    if (!changed.has(input.payment_id) || attempt === undefined) continue;
    tables.attempts.update(attempt, {
      lastAskedAt: new Date(input.asked_at),
      updatedAt: new Date(input.at),
      state: input.state ?? attempt.state,
      duplicate: input.duplicate ?? attempt.duplicate,
      ...(input.received
        ? {
            receivedAmount: canonical(input.received_amount ?? null),
            receivedCurrency: input.received_currency ?? null,
            transactionId: input.transaction_id ?? null,
          }
        : {}),
    });
  }
  for (const input of values.json<TimelineInput>(5)) {
    const { merchant_id: merchantId, payment_id: paymentId, id, type, cause, actor, detail } = input;
    if (!changed.has(paymentId)) continue;
    const { from_status: fromStatus, to_status: toStatus } = input;
    const createdAt = new Date(input.at);
    tables.timeline.insert({ merchantId, id, paymentId, type, fromStatus, toStatus, cause, actor, detail, createdAt });
  }
  const events = values.json<EventInput>(6).filter(({ payment_id: id }) => id !== null && changed.has(id));
  return [...[...changed].map((paymentId) => ({ paymentId, endpointId: null })), ...announceEvents(tables, events)];
}

/** The trigger `set_payment_account`: a payment's account is that of the attempt that paid it. */
function accountOf(
  tables: Tables,
  payment: PaymentRow,
  { paid_attempt_id: paidId }: ChangedPayment,
): Pick<PaymentRow, 'accountId' | 'accountGateway'> {
  const { accountId, accountGateway, paidAttemptId } = payment;
  const attempt = paidId === undefined || paidId === paidAttemptId ? undefined : tables.attempts.get(paidId);
  return attempt === undefined
    ? { accountId, accountGateway }
    : { accountId: attempt.accountId, accountGateway: attempt.gateway };
}

function paymentChanges(payment: PaymentRow, input: ChangedPayment): Partial<PaymentRow> {
  const at = new Date(input.at);
  return {
    version: payment.version + 1,
    updatedAt: at,
    status: input.status ?? payment.status,
    failureReason: input.status === undefined ? payment.failureReason : (input.failure_reason ?? null),
    statusEventId: input.status_event_id ?? payment.statusEventId,
    statusChangedAt: input.status_event_id === undefined ? payment.statusChangedAt : at,
    late: input.late ?? payment.late,
    gatewayReference: input.gateway_reference ?? payment.gatewayReference,
    paidAttemptId: input.paid_attempt_id ?? payment.paidAttemptId,
    refundedAmount: input.refunded_amount === undefined ? payment.refundedAmount : BigInt(input.refunded_amount),
    review: input.review ?? payment.review,
    reviewReason: input.review_reason ?? payment.reviewReason,
    ...(input.reversal
      ? {
          reversedAmount: canonical(input.reversed_amount ?? '0'),
          reversedAt: timeOrNull(input.reversed_at),
          reversalCause: input.reversal_cause ?? null,
        }
      : {}),
    ...(input.received
      ? {
          receivedAmount: canonical(input.received_amount ?? null),
          receivedCurrency: input.received_currency ?? null,
          feeAmount: canonical(input.fee_amount ?? null),
          paidMethod: input.paid_method ?? null,
          paidAt: new Date(input.paid_at),
        }
      : {}),
  };
}

function timeOrNull(text: string | null | undefined): Date | null {
  return text === null || text === undefined ? null : new Date(text);
}

/** True if a payment is due: one that is being initiated by the database's clock, any other by the caller's. */
function isDue({ nextCheckAt, initiating }: PaymentCheck, at: Date, now: Date): boolean {
  return nextCheckAt <= (initiating ? now : at);
}

function findDuePayments(tables: Tables, values: Parameters, now: Date): object[] {
  return countByMerchant(dueChecks(tables, values.time(0), now).slice(0, values.number(1)));
}

/** Checks that are due, the longest overdue first. */
export function dueChecks({ checks }: Tables, at: Date, now: Date): PaymentCheck[] {
  return checks.due(Math.max(at.getTime(), now.getTime())).filter((check) => isDue(check, at, now));
}

function countByMerchant(rows: readonly { readonly merchantId: string }[]): object[] {
  const groups = Map.groupBy(rows, ({ merchantId }) => merchantId);
  return Array.from(groups, ([merchantId, own]) => ({ merchantId, count: own.length }));
}

function lease(tables: Tables, check: PaymentCheck, at: Date, now: Date, leaseMs: number): object {
  const nextCheckAt = new Date((check.initiating ? now : at).getTime() + leaseMs);
  const { merchantId, paymentId, checkCount } = tables.checks.update(check, { nextCheckAt, checkCount: check.checkCount + 1 });
  return { merchantId, paymentId, checkCount, leasedUntil: nextCheckAt };
}

function claimDuePayments(tables: Tables, values: Parameters, now: Date): object[] {
  const [at, leaseMs, merchantId, limit] = [values.time(0), values.number(1), values.text(2), values.number(3)];
  const due = dueChecks(tables, at, now).filter((check) => check.merchantId === merchantId);
  return due.slice(0, limit).map((check) => lease(tables, check, at, now, leaseMs));
}

function claimDuePayment(tables: Tables, values: Parameters, now: Date): object[] {
  const at = values.time(0);
  const check = tables.checks.get(values.text(3));
  if (check === undefined || check.merchantId !== values.text(2)) return [];
  const isAbandoned = values.boolean(4) && check.initiating && check.checkCount === 0;
  return isAbandoned || isDue(check, at, now) ? [lease(tables, check, at, now, values.number(1))] : [];
}

interface ScheduledRow {
  readonly payment_id: string;
  readonly leased_until: string;
  readonly next_check_at: string | null;
  readonly now: string;
}

function scheduleNextChecks(tables: Tables, values: Parameters, now: Date): object[] {
  for (const input of values.json<ScheduledRow>(0)) {
    const check = tables.checks.get(input.payment_id);
    if (check === undefined || check.nextCheckAt.getTime() !== Date.parse(input.leased_until)) continue;
    if (input.next_check_at === null) {
      tables.checks.delete(check);
      continue;
    }
    const next = Date.parse(input.next_check_at);
    const nextCheckAt = new Date(check.initiating ? now.getTime() + next - Date.parse(input.now) : next);
    tables.checks.update(check, { nextCheckAt });
  }
  return [];
}

interface WebhookInput {
  readonly merchant_id: string;
  readonly id: string;
  readonly account_id: string;
  readonly gateway: string;
  readonly dedupe_key: string;
  readonly event: string;
  readonly reference: string | null;
  readonly transaction_id: string | null;
  readonly body?: string;
  readonly packed_body?: string;
  readonly state: GatewayWebhookState;
  readonly received_at: string;
  readonly follow_up: PaymentRow['metadata'];
}

function storeGatewayWebhooks(tables: Tables, values: Parameters): { id: string }[] {
  return values.json<WebhookInput>(1).map((input) => {
    const [known] = tables.gatewayWebhooks.by('event', `${input.account_id} ${input.dedupe_key}`);
    if (known !== undefined) {
      tables.gatewayWebhooks.update(known, { deliveries: known.deliveries + 1 });
      return { id: known.id };
    }
    tables.gatewayWebhooks.insert({
      merchantId: input.merchant_id,
      id: input.id,
      accountId: input.account_id,
      gateway: input.gateway,
      dedupeKey: input.dedupe_key,
      event: input.event,
      reference: input.reference,
      transactionId: input.transaction_id,
      body: input.state === 'IGNORED' ? '' : (input.body ?? ''),
      packedBody: input.state === 'IGNORED' ? null : fromBase64(input.packed_body),
      state: input.state,
      deliveries: 1,
      receivedAt: new Date(input.received_at),
      processedAt: null,
    });
    if (input.follow_up !== null) {
      const dueAt = new Date(input.received_at);
      tables.followUps.insert({ merchantId: input.merchant_id, webhookId: input.id, dueAt, tries: 0, about: input.follow_up });
    }
    return { id: input.id };
  });
}

function listMerchantsToFollow(tables: Tables, values: Parameters): object[] {
  const due = tables.followUps.due(values.time(0).getTime());
  return [...new Set(due.map(({ merchantId }) => merchantId))].map((merchantId) => ({ merchantId }));
}

function claimWebhooks(tables: Tables, values: Parameters): object[] {
  const [merchantId, at, leasedUntil, limit] = [values.text(0), values.time(1), values.time(2), values.number(3)];
  const due = tables.followUps
    .due(at.getTime())
    .filter((followUp) => followUp.merchantId === merchantId)
    .sort((one, other) => (one.webhookId < other.webhookId ? -1 : 1))
    .slice(0, limit);
  return due.flatMap((followUp) => {
    const { webhookId, about } = followUp;
    const webhook = tables.gatewayWebhooks.get(webhookId);
    if (webhook === undefined) return [];
    const tries = followUp.tries + 1;
    tables.followUps.update(followUp, { dueAt: leasedUntil, tries });
    const { accountId, reference, transactionId } = webhook;
    return [{ merchantId, webhookId, accountId, reference, transactionId, followUp: about, tries }];
  });
}

function endFollowUps(tables: Tables, values: Parameters): object[] {
  for (const { id } of values.json<{ readonly id: string }>(0)) {
    const followUp = tables.followUps.get(id);
    if (followUp !== undefined) tables.followUps.delete(followUp);
  }
  return [];
}

/** The follow-up of a webhook that the caller has still claimed. */
function claimedFollowUp(tables: Tables, values: Parameters): WebhookFollowUp | null {
  const followUp = tables.followUps.get(values.text(1));
  return followUp?.merchantId === values.text(0) && followUp.tries === values.number(2) ? followUp : null;
}

function postponeFollowUp(tables: Tables, values: Parameters): object[] {
  const followUp = claimedFollowUp(tables, values);
  if (followUp !== null) tables.followUps.update(followUp, { dueAt: values.time(3) });
  return [];
}

function giveUpFollowUp(tables: Tables, values: Parameters): object[] {
  const followUp = claimedFollowUp(tables, values);
  if (followUp === null) return [];
  tables.followUps.delete(followUp);
  const webhook = tables.gatewayWebhooks.get(followUp.webhookId);
  if (webhook !== undefined) tables.gatewayWebhooks.update(webhook, { state: 'RECEIVED' });
  return [];
}

function recordArrival(tables: Tables, values: Parameters, column: 'arrivedAt' | 'missedAt'): object[] {
  const [merchantId, accountId, at] = [values.text(0), values.text(1), values.time(2)];
  const known = tables.arrivals.get(accountId);
  if (known === undefined) {
    tables.arrivals.insert({ merchantId, accountId, arrivedAt: null, missedAt: null, [column]: at });
    return [];
  }
  const before = known[column];
  tables.arrivals.update(known, { [column]: before !== null && before > at ? before : at });
  return [];
}

function readArrivals(tables: Tables, values: Parameters): object[] {
  const since = values.time(0);
  return [...tables.arrivals.all()]
    .filter(({ arrivedAt }) => arrivedAt !== null && arrivedAt > since)
    .map(({ accountId, arrivedAt, missedAt }) => ({ accountId, arrivedAt, missedAt }));
}

function findDueRefunds(tables: Tables, values: Parameters): object[] {
  return countByMerchant(tables.refunds.due(values.time(0).getTime()).slice(0, values.number(1)));
}

function claimDueRefunds(tables: Tables, values: Parameters): object[] {
  const [at, leasedUntil, merchantId, limit] = [values.time(0), values.time(1), values.text(2), values.number(3)];
  const due = tables.refunds.due(at.getTime()).filter((refund) => refund.merchantId === merchantId);
  return due.slice(0, limit).map((refund) => {
    tables.refunds.update(refund, { nextCheckAt: leasedUntil, checkCount: refund.checkCount + 1 });
    return { merchantId, refundId: refund.id };
  });
}

function markRefundSent(tables: Tables, values: Parameters, now: Date): object[] {
  const refund = refundOf(tables, values);
  if (refund === undefined || refund.state !== 'REQUESTED') return [];
  tables.refunds.update(refund, {
    state: 'PROCESSING',
    sentAt: now,
    sendCount: refund.sendCount + 1,
    nextCheckAt: values.time(3),
    version: refund.version + 1,
    failureMessage: null,
    updatedAt: values.time(2),
  });
  return [{ id: refund.id }];
}

function couldRefundArrive(tables: Tables, values: Parameters, now: Date): object[] {
  const refund = refundOf(tables, values);
  if (refund === undefined) return [];
  const since = refund.sentAt ?? refund.createdAt;
  return [{ couldArrive: since.getTime() + values.number(2) > now.getTime() }];
}

function refundOf(tables: Tables, values: Parameters): Refund | undefined {
  const refund = tables.refunds.get(values.text(1));
  return refund?.merchantId === values.text(0) ? refund : undefined;
}

/** Due deliveries of an endpoint, the longest overdue first. One waits while an earlier one of its payment is pending. */
function dueDeliveries(tables: Tables, endpoint: WebhookEndpoint, at: Date): WebhookDelivery[] {
  if (!endpoint.enabled || tables.deliveries.firstDueAt() > at.getTime()) return [];
  const due = tables.deliveries.by('pending', endpoint.id).filter((delivery) => {
    if (delivery.dueAt === null || delivery.dueAt > at) return false;
    return delivery.nextAttemptAt !== null && delivery.nextAttemptAt <= at && !waits(tables, delivery);
  });
  return due.sort((one, other) => (one.dueAt?.getTime() ?? 0) - (other.dueAt?.getTime() ?? 0));
}

/** True if an earlier delivery of the same payment to the same endpoint is pending. */
export function waits(tables: Tables, delivery: WebhookDelivery): boolean {
  if (delivery.paymentId === null) return false;
  const ofPayment = tables.deliveries.by('pendingOfPayment', `${delivery.endpointId} ${delivery.paymentId}`);
  return ofPayment.some((other) => isEarlier(other, delivery));
}

function isEarlier(one: WebhookDelivery, other: WebhookDelivery): boolean {
  return one.position < other.position || (one.position === other.position && one.id < other.id);
}

function claimDueDeliveries(tables: Tables, values: Parameters): object[] {
  const endpoint = tables.endpoints.get(values.text(1));
  if (endpoint === undefined || endpoint.merchantId !== values.text(0)) return [];
  const due = dueDeliveries(tables, endpoint, values.time(2)).slice(0, values.number(4));
  return due.map((delivery) => claimDelivery(tables, endpoint, delivery, { at: values.time(2), until: values.time(3) }));
}

function claimDelivery(
  tables: Tables,
  endpoint: WebhookEndpoint,
  due: WebhookDelivery,
  { at, until }: { readonly at: Date; readonly until: Date },
): object {
  const claimed = tables.deliveries.update(due, {
    nextAttemptAt: until,
    attempts: due.attempts + 1,
    roundAttempts: due.roundAttempts + 1,
    updatedAt: at,
  });
  const event = tables.events.get(claimed.eventId);
  return {
    merchantId: claimed.merchantId,
    deliveryId: claimed.id,
    endpointId: claimed.endpointId,
    eventId: claimed.eventId,
    type: claimed.type,
    paymentId: claimed.paymentId,
    body: event?.body ?? '',
    packedBody: event?.packedBody ?? null,
    format: endpoint.format,
    formattedBody: claimed.body,
    number: claimed.attempts,
    roundAttempt: claimed.roundAttempts,
    mode: endpoint.mode,
    url: endpoint.url,
    secrets: endpoint.secrets,
    previousSecretEndsAt: endpoint.previousSecretEndsAt,
    certificateExpiresAt: endpoint.certificateExpiresAt,
    createdAt: claimed.createdAt,
  };
}

function listDueEndpoints(tables: Tables, values: Parameters): object[] {
  const at = values.time(0);
  return [...tables.endpoints.all()]
    .filter((endpoint) => dueDeliveries(tables, endpoint, at).length > 0)
    .map(({ merchantId, id: endpointId }) => ({ merchantId, endpointId }));
}

interface SettledDelivery {
  readonly merchant_id: string;
  readonly delivery_id: string;
  readonly payment_id: string | null;
  readonly ended_at: string;
  readonly forgotten_before: string;
  readonly number: number;
  readonly endpoint_id: string;
  readonly url: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly delivered: boolean;
  readonly status: number | null;
  readonly failure: string | null;
  readonly answer: string | null;
  readonly retry_at: string | null;
  readonly state: DeliveryState;
}

const DELIVERED_EVERY_MS = 10_000;

function settleDeliveryAttempts(tables: Tables, values: Parameters): object[] {
  return values.json<SettledDelivery>(1).map((input) => {
    const failingSince = settleDeliveryAttempt(tables, input);
    const ofPayment = tables.deliveries.by('pendingOfPayment', `${input.endpoint_id} ${input.payment_id}`);
    return { failingSince, isNextDue: input.state !== 'PENDING' && input.payment_id !== null && ofPayment.length > 0 };
  });
}

/** Gives since when every attempt at the endpoint has failed. */
function settleDeliveryAttempt(tables: Tables, input: SettledDelivery): Date | null {
  const [merchantId, at, forgottenBefore] = [input.merchant_id, new Date(input.ended_at), new Date(input.forgotten_before)];
  const endpoint = tables.endpoints.get(input.endpoint_id);
  const failingSince = endpoint === undefined ? null : noteAttempt(tables, endpoint, input.delivered, at, forgottenBefore);
  const delivery = tables.deliveries.get(input.delivery_id);
  const atOnce = input.delivered && input.number === 1;
  if (delivery !== undefined && input.number > 1) storeFirstAttempt(tables, delivery);
  if (delivery !== undefined && delivery.attempts === input.number && (delivery.state === 'PENDING' || input.delivered)) {
    tables.deliveries.update(delivery, {
      url: atOnce ? input.url : null,
      durationMs: atOnce ? input.duration_ms : null,
      answer: atOnce ? input.answer : null,
      nextAttemptAt: timeOrNull(input.retry_at),
      lastStatus: input.status,
      lastFailure: input.failure,
      updatedAt: at,
      state: input.state,
      dueAt: input.state === 'PENDING' ? timeOrNull(input.retry_at) : null,
      settledAttempts: input.state !== 'PENDING' && input.number !== 1 ? input.number : null,
      deliveredAt: input.delivered ? at : delivery.deliveredAt,
    });
    if (atOnce) return failingSince;
  }
  const { delivery_id: deliveryId, endpoint_id: endpointId, started_at: startedAt, duration_ms: durationMs } = input;
  if (tables.deliveryAttempts.get(`${deliveryId} ${input.number}`) === undefined) {
    const { number, url, delivered, status, failure, answer } = input;
    const attempt = { number, url, delivered, status, failure, answer, startedAt: new Date(startedAt), durationMs };
    tables.deliveryAttempts.insert({ merchantId, deliveryId, endpointId, ...attempt });
  }
  return failingSince;
}

/** The attempt that delivered an event at once is a row with the one that follows it. */
function storeFirstAttempt(tables: Tables, { merchantId, id: deliveryId, endpointId, ...delivery }: WebhookDelivery): void {
  const { url, durationMs, deliveredAt, lastStatus: status, answer } = delivery;
  if (url === null || durationMs === null || deliveredAt === null || tables.deliveryAttempts.get(`${deliveryId} 1`) !== undefined)
    return;
  const startedAt = new Date(deliveredAt.getTime() - durationMs);
  const attempt = { number: 1, url, startedAt, durationMs, delivered: true, status, failure: null, answer };
  tables.deliveryAttempts.insert({ merchantId, deliveryId, endpointId, ...attempt });
}

function noteAttempt(
  tables: Tables,
  endpoint: WebhookEndpoint,
  delivered: boolean,
  at: Date,
  forgottenBefore: Date,
): Date | null {
  const { failingSince, lastFailedAt, lastDeliveredAt } = endpoint;
  if (!delivered) {
    const isFirst = failingSince === null || (lastFailedAt !== null && lastFailedAt < forgottenBefore);
    return tables.endpoints.update(endpoint, { lastFailedAt: at, failingSince: isFirst ? at : failingSince }).failingSince;
  }
  const isNews =
    failingSince !== null || lastDeliveredAt === null || lastDeliveredAt.getTime() < at.getTime() - DELIVERED_EVERY_MS;
  if (isNews) tables.endpoints.update(endpoint, { failingSince: null, lastDeliveredAt: at });
  return null;
}

/** Until the processes that listen have it, a wake is kept as a job is. */
function giveHints(tables: Tables, values: Parameters): object[] {
  const wakes = values.texts(0).map((wake): HintRow => JSON.parse(wake ?? ''));
  for (const { name, payload } of [...wakes, ...values.json<HintRow>(1)]) addJob(tables, name, payload, false);
  return [];
}

interface HintRow {
  readonly name: string;
  readonly payload: unknown;
}

/** Adds a job; one that waits for the same already is enough. */
export function addJob(tables: Tables, name: string, payload: unknown, durable: boolean): void {
  const id = `${name} ${JSON.stringify(payload)}`;
  if (tables.jobs.get(id) === undefined) tables.jobs.insert({ id, name, payload, durable });
}
