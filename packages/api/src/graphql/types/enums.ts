import type { EnumRef } from '@pothos/core';
import { DISPUTE_STATES } from '@switchyard/disputes/lists';
import { CHARGE_STATES, PAYMENT_DATES, PAYMENT_STATUSES, REFUND_STATES } from '@switchyard/payments/lists';
import { DISCREPANCY_KINDS, DISCREPANCY_STATES } from '@switchyard/reconciliation/discrepancy-noun';
import { DISPLAY_STATUSES, type DisplayStatus } from '@switchyard/reporting/display-status';
import { LINE_KINDS, SETTLEMENT_DISCREPANCY_KINDS, SETTLEMENT_STATUSES } from '@switchyard/settlements/nouns';
import { DELIVERY_STATES } from '@switchyard/webhooks/delivery-noun';
import { builder } from '../builder.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Own> ? Own : never;
/** An enum of the schema whose values are words of a list. */
type WordsEnum = EnumRef<Types, string>;

const ENUMS = new Map<string, WordsEnum>();

/** Names the enum that the schema has of the words of a filter. */
export function nameWords(words: readonly string[], ref: WordsEnum): void {
  ENUMS.set(words.join(), ref);
}

/** The enum of these words; null where the schema has them as text. */
export function enumOf(words: readonly string[]): WordsEnum | null {
  return ENUMS.get(words.join()) ?? null;
}

export const Mode = builder.enumType('Mode', {
  description: 'Test payments never move money.',
  values: {
    test: { description: 'Used with test keys; gateways are called with test accounts.' },
    live: { description: 'Real money.' },
  },
});

export const PaymentStatus = builder.enumType('PaymentStatus', {
  description: 'Status of a payment.',
  values: {
    INITIATED: { description: 'Recorded; no gateway has opened a checkout yet.' },
    PENDING: { description: 'A checkout is open; the customer has not finished.' },
    SUCCESS: { description: 'A gateway proved that the money was received.' },
    FAILED: { description: 'No gateway opened a checkout, or a gateway proved that nothing was paid.' },
    REFUNDED: { description: 'The full amount has been returned.' },
  },
});

export const PaymentDisplayStatus = builder.enumType('PaymentDisplayStatus', {
  description: 'Status of a payment as people read it.',
  values: {
    INITIATED: { description: 'Recorded; no gateway has opened a checkout yet.' },
    PENDING: { description: 'A checkout is open; the customer has not finished.' },
    SUCCESS: { description: 'Paid, and nothing went back.' },
    PARTLY_REFUNDED: { description: 'Paid, and some of the amount has been refunded.' },
    REFUNDED: { description: 'The full amount has been returned.' },
    REVERSED: { description: 'Paid, and the gateway took money back.' },
    EXPIRED: { description: 'The customer did not pay in time; no gateway failed.' },
    FAILED: { description: 'No gateway opened a checkout, or the payment was declined.' },
  } satisfies Record<DisplayStatus, object>,
});

export const AttemptState = builder.enumType('AttemptState', {
  description: 'State of an attempt to open a checkout.',
  values: {
    STARTED: { description: 'Recorded, the gateway is being called.' },
    OPENED: { description: 'The gateway opened a checkout.' },
    REFUSED: { description: 'The gateway refused: no checkout exists.' },
    UNKNOWN: { description: 'No usable answer: a checkout may exist, and is verified until it is known.' },
    PAID: { description: 'The gateway proved payment.' },
    UNPAID: { description: 'The gateway proved that nothing was paid.' },
  },
});

export const RefundState = builder.enumType('RefundState', {
  description: 'State of a refund.',
  values: {
    REQUESTED: { description: 'Recorded; the gateway has not been asked yet.' },
    PROCESSING: { description: 'The gateway has accepted it.' },
    SUCCEEDED: { description: 'The money has been returned.' },
    FAILED: { description: 'The gateway refused it.' },
    NEEDS_ATTENTION: { description: 'A staff user has to review it.' },
  },
});

export const DuplicateChargeState = builder.enumType('DuplicateChargeState', {
  description: 'State of a duplicate charge.',
  values: {
    OPEN: { description: 'Not refunded yet.' },
    REFUNDING: { description: 'A refund of it is in progress.' },
    REFUNDED: { description: 'The money has been returned.' },
    DISMISSED: { description: 'A staff user decided that it needs no refund.' },
  },
});

export const DeliveryState = builder.enumType('DeliveryState', {
  description: 'State of a webhook delivery.',
  values: {
    PENDING: { description: 'Not delivered yet; it is retried.' },
    DELIVERED: { description: 'The endpoint accepted it.' },
    FAILED: { description: 'Retries are exhausted; it can be sent again.' },
  },
});

export const DiscrepancyKind = builder.enumType('DiscrepancyKind', {
  description: "How the gateway's statement and the ledger differ.",
  values: {
    MISSING_HERE: { description: 'On the statement, not in the ledger.' },
    MISSING_THERE: { description: 'In the ledger, not on the statement.' },
    STATUS: { description: 'Paid on one side, not on the other.' },
    CURRENCY: { description: 'The currencies differ.' },
    AMOUNT: { description: 'The amounts differ.' },
  },
});

export const DiscrepancyState = builder.enumType('DiscrepancyState', {
  description: 'State of a discrepancy.',
  values: {
    OPEN: { description: 'Neither explained nor resolved.' },
    EXPLAINED: { description: 'The cause is known, and nothing has to be done.' },
    RESOLVED: { description: 'Corrected, or absent from a later comparison.' },
  },
});

export const SettlementStatus = builder.enumType('SettlementStatus', {
  description: 'State of a settlement, as its gateway reports it.',
  values: {
    PENDING: { description: 'Not paid out yet.' },
    PAID: { description: 'Paid out.' },
    FAILED: { description: 'The payout failed.' },
    WITHDRAWN: { description: 'Recorded from a file by mistake, and withdrawn by staff.' },
  },
});

export const SettlementDiscrepancyKind = builder.enumType('SettlementDiscrepancyKind', {
  description: 'How what was settled differs from what was expected.',
  values: {
    LATE: { description: 'Not settled on the day on which it was expected; it may still come.' },
    MISSING: { description: 'Not settled after the days of grace, or not on the bank statements.' },
    OVER: { description: 'More was settled than expected.' },
    UNDER: { description: 'Less was settled than expected.' },
    UNMATCHED: { description: 'Settled, and of nothing that the ledger has.' },
    OVERCHARGED: { description: 'The fee is above the contract.' },
  },
});

export const SettlementLineKind = builder.enumType('SettlementLineKind', {
  description: 'What a line of a settlement is of.',
  values: {
    PAYMENT: { description: 'A payment, before its fee.' },
    REFUND: { description: 'A refund.' },
    FEE: { description: 'A fee.' },
    CHARGEBACK: { description: 'Taken back by a dispute.' },
    ADJUSTMENT: { description: 'A correction by the gateway.' },
    OTHER: { description: 'Anything else that the gateway names.' },
    RESIDUE: { description: 'What the lines leave of the net amount.' },
  },
});

export const PaymentDate = builder.enumType('PaymentDate', {
  description: 'A date of a payment, which periods, days, weeks and months may be of.',
  values: {
    CREATED: { value: 'created', description: 'When it was created.' },
    PAID: { value: 'paid', description: 'When it was paid.' },
    SETTLED: {
      value: 'settled',
      description: 'The day of the payout that it is in, by the gateway. Payments that are not settled are in no period.',
    },
  } as const,
});

export const VolumeGroup = builder.enumType('VolumeGroup', {
  description: 'Dimensions that volume can be grouped by.',
  values: {
    day: { description: "Days in the query's time zone." },
    week: { description: 'Weeks, from Monday.' },
    month: { description: 'Months.' },
    gateway: { description: 'The gateway that was paid, else the one whose checkout the customer was given.' },
    account: { description: 'The account that was paid, else the one whose checkout the customer was given.' },
    method: { description: 'The method used, else the one requested.' },
    status: { description: 'Status of the payments.' },
    merchant: { description: 'The merchant.' },
    rule: { description: 'The rule that matched.' },
  },
});

export const DisputeState = builder.enumType('DisputeState', {
  description: 'State of a dispute, as its gateway reports it.',
  values: {
    NEEDS_RESPONSE: { description: 'It has to be answered before it is due.' },
    UNDER_REVIEW: { description: 'Answered; the bank or the gateway decides.' },
    WON: { description: 'The merchant keeps the money.' },
    LOST: { description: 'The money goes back to the customer.' },
    ACCEPTED: { description: 'The merchant accepted it: the money goes back.' },
    EXPIRED: { description: 'It was not answered in time: the money goes back.' },
    CLOSED: { description: 'Closed without a word on who keeps the money.' },
  },
});

const DueSource = builder.enumType('DisputeDueSource', {
  description: 'Where the due date of a dispute comes from.',
  values: {
    GATEWAY: { description: "A field of the gateway's." },
    RULE: { description: 'The rule that the gateway publishes, counted from when the dispute was opened.' },
    STAFF: { description: 'A staff user entered it.' },
  },
});

/** The enums of fields of models, by the names that models have of them. */
export const MODEL_ENUMS: ReadonlyMap<string, WordsEnum> = new Map<string, WordsEnum>([
  ['DeliveryState', DeliveryState],
  ['DiscrepancyKind', DiscrepancyKind],
  ['DiscrepancyState', DiscrepancyState],
  ['DisputeDueSource', DueSource],
  ['DisputeState', DisputeState],
  ['DuplicateChargeState', DuplicateChargeState],
  ['RefundState', RefundState],
  ['SettlementDiscrepancyKind', SettlementDiscrepancyKind],
  ['SettlementLineKind', SettlementLineKind],
  ['SettlementStatus', SettlementStatus],
]);

for (const [words, ref] of [
  [PAYMENT_STATUSES, PaymentStatus],
  [DISPLAY_STATUSES, PaymentDisplayStatus],
  [PAYMENT_DATES, PaymentDate],
  [REFUND_STATES, RefundState],
  [CHARGE_STATES, DuplicateChargeState],
  [DELIVERY_STATES, DeliveryState],
  [DISCREPANCY_KINDS, DiscrepancyKind],
  [DISCREPANCY_STATES, DiscrepancyState],
  [DISPUTE_STATES, DisputeState],
  [SETTLEMENT_STATUSES, SettlementStatus],
  [SETTLEMENT_DISCREPANCY_KINDS, SettlementDiscrepancyKind],
  [LINE_KINDS, SettlementLineKind],
] as const) {
  nameWords(words, ref);
}
