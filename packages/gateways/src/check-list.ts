/** Parts of a gateway's documentation that checks are about. */
export const topics = [
  'authentication',
  'open',
  'verify',
  'testCards',
  'refund',
  'refundStates',
  'payments',
  'refunds',
  'webhooks',
  'errors',
] as const;

export type Topic = (typeof topics)[number];

/** Checks in the order in which they are made: what each is about, and the checks that have to pass before it. */
export const CHECKS = {
  credentials: { title: 'The gateway takes the keys', topic: 'authentication', needs: [] },
  wrong_key: { title: 'A wrong key is refused as one', topic: 'authentication', needs: ['credentials'] },
  unknown_reference: {
    title: 'A reference that was never opened is answered as unknown',
    topic: 'errors',
    needs: ['credentials'],
  },
  open: { title: 'A checkout opens', topic: 'open', needs: ['credentials'] },
  checkout_page: { title: 'The page of the checkout is there', topic: 'open', needs: ['open'] },
  duplicate_reference: { title: 'A reference that was used before is refused as one', topic: 'errors', needs: ['open'] },
  amount_too_small: { title: 'An amount that is too small is refused', topic: 'errors', needs: ['open'] },
  verify_unpaid: { title: 'An unpaid checkout is reported as unpaid', topic: 'verify', needs: ['open'] },
  payment: { title: 'A payment by a test card is verified, with its amount', topic: 'testCards', needs: ['open'] },
  webhook: { title: 'The webhook of the payment comes, and its signature is checked', topic: 'webhooks', needs: ['payment'] },
  list_payments: { title: 'The payment is in the list', topic: 'payments', needs: ['payment'] },
  paging: { title: 'Pages of the list have each payment once', topic: 'payments', needs: ['open'] },
  refund_part: { title: 'A part of the payment is refunded', topic: 'refund', needs: ['payment'] },
  refund_rest: { title: 'The rest of the payment is refunded', topic: 'refund', needs: ['refund_part'] },
  refund_states: { title: 'The states of the refunds are published ones', topic: 'refundStates', needs: ['refund_part'] },
  list_refunds: { title: 'The refunds are in the list', topic: 'refunds', needs: ['refund_part'] },
  timeouts: { title: 'Calls take less time than the product waits', topic: 'open', needs: ['open'] },
} as const satisfies Readonly<Record<string, { title: string; topic: Topic; needs: readonly string[] }>>;

/** Identity of a check. */
export type CheckId = keyof typeof CHECKS;

/** Identities of all checks, in their order. */
export const checkIds = Object.keys(CHECKS) as [CheckId, ...CheckId[]];
