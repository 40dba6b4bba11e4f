import type { Refund, RefundState } from '@switchyard/db/client';
import type { Failure, Outcome, RefundReceipt, UnrecognisedStatus } from '@switchyard/gateways';
import type { RefundChange } from '../record/refund-queries.ts';

/** The result of sending a refund to its gateway, or of looking it up there. */
export type RefundResult =
  /** The gateway reported a state. */
  | {
      readonly kind: 'reported';
      readonly state: Exclude<RefundState, 'REQUESTED'>;
      readonly gatewayRefundId: string | null;
      readonly message: string | null;
      /** The sending that a refusal answers. */
      readonly sending?: number;
      /** Present where the gateway's status is none that it documents: then the state says nothing. */
      readonly unrecognised?: UnrecognisedStatus;
    }
  /** The latest `sending` did not reach the gateway, and will not: the refund may be sent again. */
  | { readonly kind: 'not_received'; readonly sending: number; readonly message: string }
  /** The latest `sending` was recorded and not made: the gateway may have the refund from before rows were lost, and a person decides. */
  | { readonly kind: 'held'; readonly sending: number; readonly message: string }
  /** A person saw that the gateway has not made one that was held. */
  | { readonly kind: 'cleared' }
  /** No usable answer. `noLookup` where the gateway has no call that could ever give one. */
  | { readonly kind: 'unanswered'; readonly message: string; readonly noLookup?: true };

/** Sendings that never reach the gateway before staff have to check why. */
const SENDINGS_MAX = 5;
/** How long sending is retried before the refund fails. */
const SENDING_MAX_MS = 24 * 3_600_000;

const DAY_MS = 24 * 3_600_000;
/** How long a refund may stay open at its gateway before staff have to look: gateways document up to 15 working days. */
const OPEN_MAX_MS = 30 * DAY_MS;
/** The same where the gateway cannot be asked, or its status cannot be read, so that waiting longer proves nothing. */
const OPEN_WITHOUT_LOOKUP_MAX_MS = 3 * DAY_MS;

/** The change a result makes to a refund, or null for none. An unknown outcome never becomes a failure. */
export function applyRefundResult(
  refund: Pick<Refund, 'state' | 'gatewayRefundId' | 'createdAt' | 'sentAt' | 'sendCount' | 'heldAt' | 'failureMessage'>,
  result: RefundResult,
  { now, random }: { now: Date; random: number },
): RefundChange | null {
  if (isFinalRefund(refund.state)) return null;
  const since = refund.sentAt ?? refund.createdAt;
  switch (result.kind) {
    case 'reported': {
      const { state, gatewayRefundId, message, sending = refund.sendCount } = result;
      if (sending !== refund.sendCount) return null;
      // The gateway has it: no person may have it sent any more.
      const noLongerHeld = refund.heldAt === null ? {} : { heldAt: null };
      if (result.unrecognised !== undefined) {
        const openMaxMs = OPEN_WITHOUT_LOOKUP_MAX_MS;
        const change = { ...applyOpen(refund, result.unrecognised.message, { now, random, openMaxMs }), ...noLongerHeld };
        return gatewayRefundId === null || refund.gatewayRefundId !== null ? change : { ...change, gatewayRefundId };
      }
      if (state !== refund.state && !canTransitionRefund(refund.state, state)) return null;
      if (state === 'PROCESSING' && now.getTime() - since.getTime() >= OPEN_MAX_MS) {
        const failureMessage = 'For 30 days the gateway has not said that it was paid out: see its dashboard.';
        const nextCheckAt = nextRefundCheckAt({ now, since, random });
        return { ...needsAttention(refund, failureMessage), ...noLongerHeld, nextCheckAt };
      }
      return {
        state,
        ...noLongerHeld,
        ...(gatewayRefundId !== null && refund.gatewayRefundId === null && { gatewayRefundId }),
        failureMessage: state === 'FAILED' || state === 'NEEDS_ATTENTION' ? message : null,
        nextCheckAt: isFinalRefund(state) ? null : nextRefundCheckAt({ now, since, random }),
      };
    }
    case 'not_received':
      // The refund was sent again since: this result belongs to an earlier sending.
      if (result.sending !== refund.sendCount) return null;
      return applyNotReceived(refund, result.message, { now, random });
    case 'held': {
      // Sent again since: the gateway may have it by now.
      if (result.sending !== refund.sendCount) return null;
      const nextCheckAt = nextRefundCheckAt({ now, since: now, random });
      return { ...needsAttention(refund, result.message), heldAt: now, sentAt: null, nextCheckAt };
    }
    case 'cleared':
      if (refund.state !== 'NEEDS_ATTENTION' || refund.heldAt === null) return null;
      return {
        state: 'REQUESTED',
        heldAt: null,
        clearedAt: now,
        sentAt: null,
        failureMessage: null,
        nextCheckAt: nextRefundCheckAt({ now, since: now, random }),
      };
    case 'unanswered': {
      const openMaxMs = result.noLookup === true ? OPEN_WITHOUT_LOOKUP_MAX_MS : OPEN_MAX_MS;
      return applyOpen(refund, result.message, { now, random, openMaxMs });
    }
    default:
      return result satisfies never;
  }
}

/** The change of a refund whose state at the gateway is not known: it stays as it is, and is handed over to staff once that lasts. */
function applyOpen(
  refund: Pick<Refund, 'state' | 'createdAt' | 'sentAt'>,
  failureMessage: string,
  { now, random, openMaxMs }: { now: Date; random: number; openMaxMs: number },
): RefundChange {
  const since = refund.sentAt ?? refund.createdAt;
  const nextCheckAt = nextRefundCheckAt({ now, since, random });
  const isOverdue = now.getTime() - since.getTime() >= openMaxMs;
  return isOverdue ? { ...needsAttention(refund, failureMessage), nextCheckAt } : { failureMessage, nextCheckAt };
}

/** Hands a refund that does not end over to staff: never FAILED, as the money may have gone out, and never sent again. */
function needsAttention(
  { state }: Pick<Refund, 'state'>,
  failureMessage: string,
): Pick<RefundChange, 'state' | 'failureMessage'> {
  return canTransitionRefund(state, 'NEEDS_ATTENTION') ? { state: 'NEEDS_ATTENTION', failureMessage } : { failureMessage };
}

function applyNotReceived(
  { state, sendCount, createdAt }: Pick<Refund, 'state' | 'sendCount' | 'createdAt'>,
  message: string,
  { now, random }: { now: Date; random: number },
): RefundChange {
  const later = nextRefundCheckAt({ now, since: createdAt, random });
  if (now.getTime() - createdAt.getTime() > SENDING_MAX_MS) {
    return { state: 'FAILED', failureMessage: `Given up after a day of trying. ${message}`, nextCheckAt: null };
  }
  if (state === 'NEEDS_ATTENTION') return { failureMessage: message, nextCheckAt: later };
  if (sendCount >= SENDINGS_MAX && state === 'PROCESSING') {
    const failureMessage = `Requested ${sendCount} times, and the gateway lists no such refund. ${message}`;
    return { state: 'NEEDS_ATTENTION', failureMessage, nextCheckAt: later };
  }
  const again = resendRefundAt({ now, since: createdAt, random });
  return { state: 'REQUESTED', sentAt: null, failureMessage: message, nextCheckAt: again };
}

/** The result of one sending; `sending` is its number. */
export function resultFromSending(outcome: Outcome<RefundReceipt>, sending: number): RefundResult {
  switch (outcome.outcome) {
    case 'yes':
      return resultFromReceipt(outcome.value);
    case 'unknown':
      return { kind: 'unanswered', message: outcome.failure.message };
    case 'no':
      return resultFromRefusal(outcome.failure, sending);
    default:
      return outcome satisfies never;
  }
}

function resultFromRefusal({ class: of, code, message }: Failure, sending: number): RefundResult {
  // A malformed answer, or one about an earlier call, leaves the outcome open until the gateway's list is read.
  if (code === 'malformed_answer' || code === 'duplicate_reference') return { kind: 'unanswered', message };
  if (of === 'provider_fault') return { kind: 'not_received', sending, message };
  return { kind: 'reported', state: 'FAILED', gatewayRefundId: null, message, sending };
}

/** The result that corresponds to a gateway's record of a refund. */
export function resultFromReceipt({ gatewayRefundId, state, message, unrecognised }: RefundReceipt): RefundResult {
  const reported = { kind: 'reported', ...stateOf(state, message), gatewayRefundId } as const;
  return unrecognised === undefined ? reported : { ...reported, unrecognised };
}

function stateOf(state: RefundReceipt['state'], message: string | null) {
  switch (state) {
    case 'processing':
      return { state: 'PROCESSING', message: null } as const;
    case 'succeeded':
      return { state: 'SUCCEEDED', message: null } as const;
    case 'failed':
      return { state: 'FAILED', message: withGatewayMessage('The gateway reports that the refund failed.', message) } as const;
    case 'needs_attention':
      return {
        state: 'NEEDS_ATTENTION',
        message: withGatewayMessage("The gateway needs the customer's bank details.", message),
      } as const;
    default:
      return state satisfies never;
  }
}

/** The message beside a failure often only states that the request succeeded; then it is left out. */
function withGatewayMessage(sentence: string, message: string | null): string {
  return message === null || /retriev|fetch|success|queued|initiated/i.test(message)
    ? sentence
    : `${sentence} It says: ${message}`;
}

/** Every allowed transition of a refund. */
export const REFUND_TRANSITIONS: Readonly<Record<RefundState, readonly RefundState[]>> = {
  /** Being sent to the gateway. */
  REQUESTED: ['PROCESSING', 'FAILED'],
  /** The gateway accepted and ended it, requires help with it, or provably never received it. */
  PROCESSING: ['REQUESTED', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'],
  /** A staff user completed it at the gateway, or saw that the gateway had not made one that was held back. */
  NEEDS_ATTENTION: ['REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  /** The money may be refunded again, by another refund. */
  FAILED: [],
};

/** True if a refund may change from one state to another. */
export function canTransitionRefund(from: RefundState, to: RefundState): boolean {
  return REFUND_TRANSITIONS[from].includes(to);
}

/** True if the state is final. */
export function isFinalRefund(state: RefundState): boolean {
  return REFUND_TRANSITIONS[state].length === 0;
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const WAIT_MIN_MS = 5 * SECOND_MS;
const WAIT_MAX_MS = 6 * HOUR_MS;
const SENDING_WAIT_MAX_MS = 600 * SECOND_MS;
const JITTER = 0.15;

/**
 * When to look a refund up again: waits grow with its age from five seconds to six hours, because gateways take from moments
 * to weeks. `random` in [0, 1) spreads refunds that began together.
 */
export function nextRefundCheckAt(times: { now: Date; since: Date; random: number }): Date {
  return after(times, WAIT_MAX_MS);
}

/** When to send again to a gateway that was not reached: within ten minutes. */
export function resendRefundAt(times: { now: Date; since: Date; random: number }): Date {
  return after(times, SENDING_WAIT_MAX_MS);
}

function after({ now, since, random }: { now: Date; since: Date; random: number }, mostMs: number): Date {
  const age = now.getTime() - since.getTime();
  const wait = Math.min(mostMs, Math.max(WAIT_MIN_MS, age / 2));
  return new Date(now.getTime() + Math.round(wait * (1 + JITTER * (2 * random - 1))));
}
