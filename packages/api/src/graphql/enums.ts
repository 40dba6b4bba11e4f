import { builder } from './builder.ts';

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
