import { builder } from '../builder.ts';

export const Mode = builder.enumType('Mode', {
  description: 'Test payments never move money.',
  values: {
    test: { description: 'Reached with test keys; gateways are called with test accounts.' },
    live: { description: 'Real money.' },
  },
});

export const PaymentStatus = builder.enumType('PaymentStatus', {
  description: 'Where a payment stands.',
  values: {
    INITIATED: { description: 'Recorded; no gateway has opened a checkout yet.' },
    PENDING: { description: 'A checkout is open; the customer has not finished.' },
    SUCCESS: { description: 'A gateway proved that the money was received.' },
    FAILED: { description: 'No gateway opened a checkout, or a gateway proved that nothing was paid.' },
    REFUNDED: { description: 'The full amount has been returned.' },
  },
});

export const AttemptState = builder.enumType('AttemptState', {
  description: 'What is known of one try to open a checkout.',
  values: {
    STARTED: { description: 'Recorded, the gateway is being called.' },
    OPENED: { description: 'The gateway opened a checkout.' },
    REFUSED: { description: 'The gateway refused: no checkout exists.' },
    UNKNOWN: { description: 'No usable answer: a checkout may exist, and is watched.' },
    PAID: { description: 'The gateway proved payment.' },
    UNPAID: { description: 'The gateway proved that nothing was paid.' },
  },
});

export const RefundState = builder.enumType('RefundState', {
  description: 'Where a refund stands.',
  values: {
    REQUESTED: { description: 'Recorded; the gateway has not been asked yet.' },
    PROCESSING: { description: 'The gateway has accepted it.' },
    SUCCEEDED: { description: 'The money has been returned.' },
    FAILED: { description: 'The gateway refused it.' },
    NEEDS_ATTENTION: { description: 'A person has to look at it.' },
  },
});

export const DuplicateChargeState = builder.enumType('DuplicateChargeState', {
  description: 'What became of money charged a second time.',
  values: {
    OPEN: { description: 'Nobody has given it back yet.' },
    REFUNDING: { description: 'A refund of it is under way.' },
    REFUNDED: { description: 'It has been returned.' },
    DISMISSED: { description: 'Somebody decided that it needs no refund.' },
  },
});

export const DeliveryState = builder.enumType('DeliveryState', {
  description: 'Where an event on its way to an endpoint stands.',
  values: {
    PENDING: { description: 'Not delivered yet; it is tried again.' },
    DELIVERED: { description: 'The endpoint took it.' },
    FAILED: { description: 'Given up; it can be sent again.' },
  },
});

export const DifferenceKind = builder.enumType('DifferenceKind', {
  description: "How a gateway's list and our books differ.",
  values: {
    MISSING_HERE: { description: 'The gateway lists it, we do not have it.' },
    MISSING_THERE: { description: 'We have it, the gateway does not list it.' },
    STATUS: { description: 'One says paid, the other not.' },
    CURRENCY: { description: 'The currencies differ.' },
    AMOUNT: { description: 'The amounts differ.' },
  },
});

export const DifferenceState = builder.enumType('DifferenceState', {
  description: 'Whether somebody has dealt with a difference.',
  values: {
    OPEN: { description: 'Nobody has.' },
    EXPLAINED: { description: 'Somebody knows why, and nothing has to be done.' },
    RESOLVED: { description: 'Put right, or gone by itself.' },
  },
});

export const VolumeGroup = builder.enumType('VolumeGroup', {
  description: 'What volume can be told apart by.',
  values: {
    day: { description: "Days of the query's zone." },
    week: { description: 'Weeks, from Monday.' },
    month: { description: 'Months.' },
    gateway: { description: 'The gateway that was paid, else whose checkout the customer had.' },
    account: { description: 'The account that was paid, else whose checkout the customer had.' },
    method: { description: 'The method that was used, else the one asked for.' },
    status: { description: 'Where the payments stand.' },
    merchant: { description: 'The merchant.' },
    rule: { description: 'The rule that matched.' },
  },
});
