import { formatDecimal } from '#/format/amounts.ts';
import { FAILURE_LABELS } from './failure-reasons.ts';
import { gatewayTitle } from './gateways.ts';
import { type PaymentStatus, STATUS_LABELS, type Tone } from './payment-status.ts';

/** An event of a payment's timeline, as far as words for it are concerned. */
export interface EventFacts {
  readonly type: string;
  readonly fromStatus: PaymentStatus | null;
  readonly toStatus: PaymentStatus | null;
  readonly detail: unknown;
}

/** An attempt, as far as its payment's timeline needs it. */
export interface AttemptFacts {
  readonly attemptId: string;
  readonly gateway: string;
  readonly failure: { readonly message: string } | null;
  readonly latencyMs: number | null;
  readonly createdAt: Date;
}

/** One step of a payment's timeline. */
export interface Step extends EventLabel {
  readonly key: string;
  readonly at: Date;
  /** The person or thing that caused it; null where the title names it. */
  readonly cause: string | null;
  /** The gateway's redacted answer, where the event keeps it. */
  readonly answer?: string;
}

export interface RecordedEvent extends EventFacts {
  readonly eventId: string;
  readonly cause: string;
  readonly actor: string | null;
  readonly createdAt: Date;
}

/** The events of a payment with the checkouts that did not open between them, in order. `people` are names by their staff ids. */
export function buildTimeline(
  events: readonly RecordedEvent[],
  attempts: readonly AttemptFacts[],
  people: ReadonlyMap<string, string>,
): Step[] {
  const stepOf = (event: RecordedEvent) => toStep(event, people);
  // By then every gateway has been tried, regardless of clock skew.
  const settledAt = events.find(({ fromStatus }) => fromStatus === 'INITIATED')?.createdAt.getTime() ?? Number.POSITIVE_INFINITY;
  const failed = attempts.flatMap(({ attemptId, gateway, failure, latencyMs, createdAt }): Step[] => {
    if (failure === null) return [];
    const at = new Date(Math.min(createdAt.getTime() + (latencyMs ?? 0), settledAt));
    return [
      {
        key: attemptId,
        at,
        title: `No checkout at ${gatewayTitle(gateway)}`,
        sentence: failure.message,
        tone: 'bad',
        cause: null,
      },
    ];
  });
  const begun = events.filter(({ toStatus }) => toStatus === 'INITIATED');
  const later = events.filter(({ toStatus }) => toStatus !== 'INITIATED');
  // The sort keeps this order where moments are the same.
  return [...begun.map(stepOf), ...failed, ...later.map(stepOf)].sort((a, b) => a.at.getTime() - b.at.getTime());
}

function toStep(event: RecordedEvent, people: ReadonlyMap<string, string>): Step {
  const staffId = event.actor?.startsWith('staff:') === true ? event.actor.slice('staff:'.length) : null;
  const who = staffId === null ? event.actor : (people.get(staffId) ?? 'former team member');
  const cause = who === null ? describeCause(event.cause) : `${describeCause(event.cause)}, ${who}`;
  const answer = text(event.detail, 'answer');
  const step = { ...describeEvent(event), key: event.eventId, at: event.createdAt, cause };
  return answer === null ? step : { ...step, answer };
}

/** Title, optional sentence and tone of an event. */
export interface EventLabel {
  readonly title: string;
  readonly sentence: string | null;
  readonly tone: Tone;
}

const UNKNOWN_STATUSES = {
  'payment.unrecognised_status': 'status',
  'refund.unrecognised_status': 'refund status',
  'dispute.unrecognised_status': 'dispute status',
} as const;

/** The title of an event; a type without one is shown by its name. */
export function describeEvent(event: EventFacts): EventLabel {
  const gateway = text(event.detail, 'gateway');
  const at = gateway === null ? '' : ` at ${gatewayTitle(gateway)}`;
  switch (event.type) {
    case 'payment.initiated':
      return { title: 'Created', sentence: 'Before any gateway was called.', tone: 'over' };
    case 'payment.pending':
      return { title: `Checkout opened${at}`, sentence: reference(event.detail), tone: 'wait' };
    case 'payment.succeeded':
      return { title: flag(event.detail, 'late') ? `Paid late${at}` : `Paid${at}`, sentence: money(event.detail), tone: 'good' };
    case 'payment.failed':
      return { title: 'Failed', sentence: failure(event.detail), tone: 'bad' };
    case 'payment.refunded':
      return { title: 'Refunded in full', sentence: null, tone: 'over' };
    case 'payment.requires_review':
      return { title: 'Needs review', sentence: money(event.detail) ?? text(event.detail, 'reason'), tone: 'bad' };
    case 'payment.unrecognised_status':
    case 'refund.unrecognised_status':
    case 'dispute.unrecognised_status':
      return { title: `Unknown ${UNKNOWN_STATUSES[event.type]}${at}`, sentence: text(event.detail, 'message'), tone: 'bad' };
    case 'payment.transfer_returned':
      return { title: `Transfer returned${at}`, sentence: describeReturnedTransfer(event.detail, gateway), tone: 'wait' };
    case 'payment.duplicate_charge':
      return { title: `Duplicate payment${at}`, sentence: money(event.detail), tone: 'bad' };
    case 'payment.repeated':
      return { title: 'Probably paid twice', sentence: repeated(event.detail), tone: 'bad' };
    case 'payment.reversed':
      return { title: `Reversed${at}`, sentence: describeReversal(event.detail), tone: 'bad' };
    case 'payment.reinstated':
      return { title: `Reversal undone${at}`, sentence: describeReinstated(event.detail), tone: 'good' };
    case 'dispute.opened':
      return { title: `Disputed${at}`, sentence: describeDispute(event.detail), tone: 'bad' };
    case 'dispute.under_review':
      return { title: `Dispute under review${at}`, sentence: describeDispute(event.detail), tone: 'wait' };
    case 'dispute.won':
      return { title: `Dispute won${at}`, sentence: describeDispute(event.detail), tone: 'good' };
    case 'dispute.lost':
      return { title: `Dispute lost${at}`, sentence: describeDispute(event.detail), tone: 'bad' };
    case 'dispute.accepted':
      return { title: `Dispute accepted${at}`, sentence: describeDispute(event.detail), tone: 'over' };
    case 'dispute.expired':
      return { title: `No response to the dispute in time${at}`, sentence: describeDispute(event.detail), tone: 'bad' };
    case 'dispute.closed':
      return { title: `Dispute closed${at}`, sentence: describeDispute(event.detail), tone: 'over' };
    case 'refund.requested':
      return { title: `Refund requested${at}`, sentence: describeRefundOutcome(event.detail), tone: 'wait' };
    case 'refund.approval_requested':
      return { title: 'Refund waits for a second person', sentence: describeRefundOutcome(event.detail), tone: 'wait' };
    case 'refund.approval_declined':
      return { title: 'Refund declined', sentence: describeRefundOutcome(event.detail), tone: 'over' };
    case 'refund.approval_withdrawn':
      return { title: 'Refund withdrawn', sentence: describeRefundOutcome(event.detail), tone: 'over' };
    case 'refund.succeeded':
      return { title: `Refund succeeded${at}`, sentence: describeRefundOutcome(event.detail), tone: 'over' };
    case 'refund.failed':
      return { title: `Refund failed${at}`, sentence: describeRefundOutcome(event.detail), tone: 'bad' };
    case 'refund.needs_attention':
      return { title: `Refund needs attention${at}`, sentence: describeRefundOutcome(event.detail), tone: 'bad' };
    case 'refund.dismissed':
      return { title: 'Failed refund dismissed', sentence: describeRefundOutcome(event.detail), tone: 'over' };
    case 'duplicate_charge.dismissed':
      return { title: 'Duplicate payment dismissed', sentence: text(event.detail, 'note'), tone: 'over' };
    case 'payment.review_resolved':
      return { title: 'Review closed', sentence: text(event.detail, 'note'), tone: 'over' };
    default:
      return { title: event.type, sentence: null, tone: event.toStatus === null ? 'over' : STATUS_LABELS[event.toStatus].tone };
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  api: 'Merchant API call',
  checkout_return: 'Customer returned from checkout',
  gateway_webhook: 'Gateway webhook, verified',
  schedule: 'Scheduled check',
  staff: 'Staff',
};

/** The cause of an event. */
function describeCause(cause: string): string {
  return CAUSES[cause] ?? cause;
}

const FAILURES: Readonly<Record<string, string>> = {
  every_gateway_failed: FAILURE_LABELS.every_gateway_failed.sentence,
  no_eligible_provider: FAILURE_LABELS.no_eligible_provider.sentence,
  review_closed: FAILURE_LABELS.review_closed.sentence,
  session_expired: 'The session expired, and the gateway confirms that nothing was paid.',
};

function failure(detail: unknown): string | null {
  const reason = text(detail, 'reason');
  return FAILURES[reason ?? ''] ?? text(detail, 'message') ?? reason;
}

function reference(detail: unknown): string | null {
  const found = text(detail, 'reference');
  return found === null ? null : `Under reference ${found}.`;
}

const REFUND_KINDS: Readonly<Record<string, string>> = {
  duplicate: ', a duplicate payment',
  mismatched: ', which did not match the order',
};

function describeRefundOutcome(detail: unknown): string | null {
  const sum = sumOf(detail);
  if (sum === null) return null;
  const why = text(detail, 'message') ?? text(detail, 'note') ?? text(detail, 'reason');
  return `${sum}${REFUND_KINDS[text(detail, 'kind') ?? ''] ?? ''}${why === null ? '.' : `: ${why}`}`;
}

function money(detail: unknown): string | null {
  const sum = sumOf(detail);
  if (sum === null) return null;
  const transaction = text(detail, 'transactionId');
  return `Received ${sum}${transaction === null ? '' : `, transaction ${transaction}`}.`;
}

function repeated(detail: unknown): string | null {
  const order = text(detail, 'merchantOrderId');
  return order === null
    ? null
    : `Order ${order} of the same customer and amount is paid as well; it did not look paid when this payment began.`;
}

function sumOf(detail: unknown): string | null {
  const amount = text(detail, 'amount');
  return amount === null ? null : `${text(detail, 'currency') ?? ''} ${formatDecimal(text(detail, 'currency'), amount)}`.trim();
}

/** Consequences of a returned transfer for the person who talks to the customer. */
const TRANSFER_ADVICE: Readonly<Record<string, string>> = {
  another_amount: 'Ask the customer to send exactly the amount of the order while the checkout is open.',
  late: 'The time to pay was over: ask the customer to pay again by a new checkout.',
  again: 'The payment was made before: nothing is to be done.',
};

function describeReturnedTransfer(detail: unknown, gateway: string | null): string | null {
  const sum = sumOf(detail);
  const expected = text(detail, 'expected');
  if (sum === null || expected === null) return null;
  const currency = text(detail, 'currency');
  const why = text(detail, 'why') ?? '';
  const instead = why === 'another_amount' ? ` instead of ${currency} ${formatDecimal(currency, expected)}` : '';
  const who = gateway === null ? 'The gateway' : gatewayTitle(gateway);
  return [`The customer sent ${sum}${instead}. ${who} returns it.`, TRANSFER_ADVICE[why] ?? ''].join(' ').trim();
}

function describeReversal(detail: unknown): string | null {
  const sum = sumOf(detail);
  if (sum === null) return null;
  const why = text(detail, 'reversalCause') === 'chargeback' ? 'a dispute was lost' : 'the gateway gives no reason';
  return `The gateway took ${sum} back: ${why}.`;
}

function describeReinstated(detail: unknown): string | null {
  const sum = sumOf(detail);
  return sum === null ? null : `The gateway gave ${sum} back.`;
}

function describeDispute(detail: unknown): string | null {
  const sum = sumOf(detail);
  if (sum === null) return null;
  const category = text(detail, 'category');
  const id = text(detail, 'gatewayDisputeId');
  return `${sum}${category === null ? '' : `, ${category}`}${id === null ? '' : `, dispute ${id}`}.`;
}

function text(detail: unknown, name: string): string | null {
  const value = field(detail, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

function flag(detail: unknown, name: string): boolean {
  return field(detail, name) === true;
}

function field(detail: unknown, name: string): unknown {
  return typeof detail === 'object' && detail !== null ? Reflect.get(detail, name) : undefined;
}
