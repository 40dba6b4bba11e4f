/** Invariants, a sentence for each kind of violation. */
export const INVARIANTS = {
  move_not_published: 'A payment and a refund make published moves alone, and no status goes back.',
  paid_without_money: 'A payment is paid only by its exact amount in its currency, neither returned nor in doubt.',
  money_not_recorded: 'Money that arrived while the payment was watched, and that proves it, makes it paid.',
  surplus_not_recorded: 'Money beyond the one that paid is recorded as a second charge or under review, exactly once.',
  surplus_made_up:
    'A second charge is recorded, and refunded by itself, only where a gateway received one and the merchant wants that.',
  wrong_names: 'A paid payment names the attempt that paid it, its reference, its amount, and whether it came late.',
  opening_denied: 'An attempt counts as refused only when its gateway has no open checkout of it.',
  unpaid_unproven: 'An attempt is unpaid, and a payment fails, only by an answer that proves it.',
  answer_forgotten: 'An answer that proves that an attempt is unpaid is recorded once.',
  review_differs: 'A review is open exactly while money that does not match is held, or a payment is undecided for a week.',
  check_missing: 'A payment that is not decided has a next check.',
  check_too_late: 'The next check of a payment is no further away than promised.',
  refund_not_as_asked: 'A refund is granted only of paid money, and of no more than is left.',
  refund_paid_twice: 'A gateway receives a refund once.',
  refund_differs: 'A refund ends as it ended at its gateway, and is handed over to staff when it does not end.',
  sums_differ: 'What went back of a payment is the sum of its refunds that succeeded.',
  reversal_differs: 'What the gateway took back is what it says, and no more than was left.',
  decision_differs:
    'A decision follows from the rules, picks no account that is excluded, and is the same when it is taken again.',
  health_differs: 'The health of an account follows from faults of its gateway alone, by the thresholds.',
  incident_differs: 'An incident is open while its condition is there, and closes after the grace period.',
  settlement_differs: 'Matching a payout finds exactly what is missing, short, charged too much or of no payment of ours.',
  threw: 'No decision throws.',
} as const;

/** A kind of violation. */
export type ViolationKind = keyof typeof INVARIANTS;

/** A violation of an invariant. */
export interface PureViolation {
  readonly kind: ViolationKind;
  readonly what: string;
}

export type Report = (kind: ViolationKind, what: string) => void;
