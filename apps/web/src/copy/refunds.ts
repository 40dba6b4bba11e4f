import { formatMoney } from '#/format/amounts.ts';
import { gatewayTitle } from './gateways.ts';
import type { Tone } from './payment-status.ts';

interface StateLabel {
  readonly word: string;
  readonly tone: Tone;
  readonly meaning: string;
  /** True where a person has to do something: shown by a triangle. */
  readonly warns?: boolean;
}

/** The states of a refund, in the order of its life. */
export const REFUND_STATES = ['REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'] as const;

export type RefundState = (typeof REFUND_STATES)[number];

/** The states of a refund as people read them. */
export const REFUND_LABELS: Readonly<Record<RefundState, StateLabel>> = {
  REQUESTED: { word: 'Requested', tone: 'wait', meaning: 'Recorded; about to be sent to the gateway' },
  PROCESSING: { word: 'Processing', tone: 'wait', meaning: 'The gateway has accepted it and has not confirmed it' },
  SUCCEEDED: { word: 'Succeeded', tone: 'over', meaning: 'The gateway returned the money' },
  FAILED: { word: 'Failed', tone: 'bad', meaning: 'No money was returned; you can refund it again' },
  NEEDS_ATTENTION: {
    word: 'Needs attention',
    tone: 'bad',
    meaning: 'The gateway needs action in its dashboard',
    warns: true,
  },
};

/** Where the money of a refund goes: `goes back through Paystack to the card •••• 4081`; null of one that failed. */
export function describeRefundWay(state: RefundState, gateway: string, card: string | null): string | null {
  const way = `through ${gatewayTitle(gateway)} to ${card === null ? 'where the customer paid from' : `the card ${card}`}`;
  switch (state) {
    case 'REQUESTED':
    case 'PROCESSING':
      return `goes back ${way}`;
    case 'SUCCEEDED':
      return `went back ${way}`;
    case 'FAILED':
    case 'NEEDS_ATTENTION':
      return null;
    default:
      return state satisfies never;
  }
}

/** The states of a duplicate charge, in the order of its life. */
export const CHARGE_STATES = ['OPEN', 'REFUNDING', 'REFUNDED', 'DISMISSED'] as const;

/** State of a duplicate charge. */
export type ChargeState = (typeof CHARGE_STATES)[number];

/** The states of a duplicate charge as people read them. */
export const CHARGE_LABELS: Readonly<Record<ChargeState, StateLabel>> = {
  OPEN: { word: 'Open', tone: 'bad', meaning: 'The customer paid twice, and it is not resolved yet', warns: true },
  REFUNDING: { word: 'Refunding', tone: 'wait', meaning: 'A refund is processing' },
  REFUNDED: { word: 'Refunded', tone: 'over', meaning: 'The gateway returned the money' },
  DISMISSED: { word: 'Dismissed', tone: 'over', meaning: 'Dismissed: no refund needed' },
};

/** The states of a refund that needs a second person, in the order of its life. */
export const APPROVAL_STATES = ['WAITING', 'APPROVED', 'DECLINED', 'WITHDRAWN', 'EXPIRED'] as const;

/** State of a refund that needs a second person. */
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** The states of a refund that needs a second person as people read them. */
export const APPROVAL_LABELS: Readonly<Record<ApprovalState, StateLabel>> = {
  WAITING: { word: 'Waiting', tone: 'wait', meaning: 'Another person who may approve refunds has to approve it' },
  APPROVED: { word: 'Approved', tone: 'over', meaning: 'A second person approved it, and it was requested' },
  DECLINED: { word: 'Declined', tone: 'bad', meaning: 'A second person declined it; nothing is refunded' },
  WITHDRAWN: { word: 'Withdrawn', tone: 'over', meaning: 'Its requester withdrew it; nothing is refunded' },
  EXPIRED: { word: 'Expired', tone: 'over', meaning: 'No one approved it within 7 days; nothing is refunded' },
};

/** The requester, `api`, `staff:<id>` or `system:<what>`; people by their names where these are known. */
export function describeRequester(actor: string, people: ReadonlyMap<string, string> = new Map()): string {
  if (actor === 'api') return 'Merchant';
  return actor.startsWith('staff:') ? (people.get(actor.slice('staff:'.length)) ?? 'Staff') : 'Switchyard';
}

/** Why the merchant's control refused a refund, as a sentence. */
export function describeControlRefusal(refusal: ControlRefusal, currency: string): string {
  switch (refusal.kind) {
    case 'needs_reason_code':
      return refusal.codes.length === 0
        ? 'The merchant keeps no reason codes any more. Open the dialog again.'
        : 'The merchant requires one of its reason codes. Open the dialog again to choose one.';
    case 'over_daily_limit': {
      if (refusal.limit === 0n)
        return 'Your role refunds within a daily limit, and the merchant has set none for it. Ask an owner.';
      const [limit, left] = [refusal.limit, refusal.left].map((amount) => formatMoney(currency, amount));
      return `You may request refunds of ${limit} a day, and ${refusal.left === 0n ? 'nothing' : left} of it is left today.`;
    }
    default:
      return refusal satisfies never;
  }
}

/** The reason of a refund: its code's title, and what was written. */
export function describeReason({
  reasonCode,
  reasonTitle = null,
  reason,
}: {
  readonly reasonCode: string | null;
  readonly reasonTitle?: string | null;
  readonly reason: string | null;
}): string | null {
  const title = reasonTitle ?? reasonCode;
  if (title === null) return reason;
  return reason === null ? title : `${title}: ${reason}`;
}

/** Why the merchant's control refuses a refund, as the server says it. */
type ControlRefusal =
  | { readonly kind: 'needs_reason_code'; readonly codes: readonly unknown[] }
  | { readonly kind: 'over_daily_limit'; readonly limit: bigint; readonly left: bigint };
