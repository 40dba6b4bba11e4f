import type { Refund, RefundState } from '@switchyard/db/client';
import type { Failure, Outcome, RefundReceipt } from '@switchyard/gateways';
import { nextRefundCheckAt, resendRefundAt } from './next-refund-check.ts';
import type { RefundChange } from './queries.ts';
import { isFinalRefund, mayMoveRefund } from './refund-moves.ts';

/** What is known of a refund after its gateway was called. */
export type Learned =
  /** The gateway's own word. */
  | {
      readonly kind: 'told';
      readonly state: Exclude<RefundState, 'REQUESTED'>;
      readonly gatewayRefundId: string | null;
      readonly message: string | null;
      /** Which sending a refusal refuses. */
      readonly sending?: number;
    }
  /** It has not heard of the refund under its latest `sending`, and will not: it may be asked, again. */
  | { readonly kind: 'not_asked'; readonly sending: number; readonly message: string }
  /** Nothing. */
  | { readonly kind: 'unanswered'; readonly message: string };

/** How often a refund is asked for before a person has to look at why the gateway never hears of it. */
const SENDINGS_MAX = 5;
/** How long a refund that cannot even be asked for is kept up. */
const SENDING_MS = 24 * 3_600_000;

/** What an answer changes of a refund, or null when it changes nothing: unknown is never turned into no. */
export function judgeRefund(
  refund: Pick<Refund, 'state' | 'gatewayRefundId' | 'createdAt' | 'sentAt' | 'sendCount' | 'failureMessage'>,
  learned: Learned,
  { now, random }: { now: Date; random: number },
): RefundChange | null {
  if (isFinalRefund(refund.state)) return null;
  const since = refund.sentAt ?? refund.createdAt;
  switch (learned.kind) {
    case 'told': {
      const { state, gatewayRefundId, message, sending = refund.sendCount } = learned;
      if (sending !== refund.sendCount) return null;
      if (state !== refund.state && !mayMoveRefund(refund.state, state)) return null;
      return {
        state,
        ...(gatewayRefundId !== null && refund.gatewayRefundId === null && { gatewayRefundId }),
        failureMessage: state === 'FAILED' || state === 'NEEDS_ATTENTION' ? message : null,
        nextCheckAt: isFinalRefund(state) ? null : nextRefundCheckAt({ now, since, random }),
      };
    }
    case 'not_asked':
      // Somebody has asked again since: what was learned is of an earlier sending.
      if (learned.sending !== refund.sendCount) return null;
      return judgeNotAsked(refund, learned.message, { now, random });
    case 'unanswered':
      return { failureMessage: learned.message, nextCheckAt: nextRefundCheckAt({ now, since, random }) };
    default: {
      const never: never = learned;
      return never;
    }
  }
}

function judgeNotAsked(
  { state, sendCount, createdAt }: Pick<Refund, 'state' | 'sendCount' | 'createdAt'>,
  message: string,
  { now, random }: { now: Date; random: number },
): RefundChange {
  const later = nextRefundCheckAt({ now, since: createdAt, random });
  if (now.getTime() - createdAt.getTime() > SENDING_MS) {
    return { state: 'FAILED', failureMessage: `Given up after a day of trying. ${message}`, nextCheckAt: null };
  }
  if (state === 'NEEDS_ATTENTION') return { failureMessage: message, nextCheckAt: later };
  if (sendCount >= SENDINGS_MAX && state === 'PROCESSING') {
    const told = `Asked for ${sendCount} times, and the gateway lists no such refund. ${message}`;
    return { state: 'NEEDS_ATTENTION', failureMessage: told, nextCheckAt: later };
  }
  const again = resendRefundAt({ now, since: createdAt, random });
  return { state: 'REQUESTED', sentAt: null, failureMessage: message, nextCheckAt: again };
}

/** What asking for a refund told; `sending` counts how often that has been done. */
export function learnFromSending(outcome: Outcome<RefundReceipt>, sending: number): Learned {
  switch (outcome.outcome) {
    case 'yes':
      return learnFromReceipt(outcome.value);
    case 'unknown':
      return { kind: 'unanswered', message: outcome.failure.message };
    case 'no':
      return learnFromRefusal(outcome.failure, sending);
    default: {
      const never: never = outcome;
      return never;
    }
  }
}

function learnFromRefusal({ class: of, code, message }: Failure, sending: number): Learned {
  // An answer that makes no sense, or that speaks of an earlier call, leaves open what was done: the gateway's list tells.
  if (code === 'malformed_answer' || code === 'duplicate_reference') return { kind: 'unanswered', message };
  if (of === 'provider_fault') return { kind: 'not_asked', sending, message };
  return { kind: 'told', state: 'FAILED', gatewayRefundId: null, message, sending };
}

/** What a gateway's own account of a refund tells. */
export function learnFromReceipt({ gatewayRefundId, state, message }: RefundReceipt): Learned {
  return { kind: 'told', ...standing(state, message), gatewayRefundId };
}

function standing(state: RefundReceipt['state'], message: string | null) {
  switch (state) {
    case 'processing':
      return { state: 'PROCESSING', message: null } as const;
    case 'succeeded':
      return { state: 'SUCCEEDED', message: null } as const;
    case 'failed':
      return { state: 'FAILED', message: said('The gateway reports that the refund failed.', message) } as const;
    case 'needs_attention':
      return { state: 'NEEDS_ATTENTION', message: said("The gateway needs the customer's bank details.", message) } as const;
    default: {
      const never: never = state;
      return never;
    }
  }
}

/** What a gateway says beside "failed" is often only that the question was answered. */
function said(sentence: string, message: string | null): string {
  return message === null || /retriev|fetch|success|queued|initiated/i.test(message)
    ? sentence
    : `${sentence} It says: ${message}`;
}
