/**
 * The use case that needs each index of the tables that every payment, its webhooks and its events are written to: each costs every one of
 * them. Indexes of a primary key or another constraint are needed by that. A test finds an index that is not listed, and one that its use case
 * does not use.
 */
export const INDEXES = {
  payment: {
    payment_by_creation: 'the list of payments, newest first',
    payment_of_all_by_creation: 'the list of payments of all merchants',
    payment_by_unusual_status: 'the list of payments that failed or were refunded',
    payment_review_open: 'the list of payments under review',
    payment_by_email: 'payments of a customer by the e-mail address',
    payment_by_customer: "payments of a customer by the merchant's id",
    payment_by_phone_end: 'payments of a customer by the end of the phone number',
    payment_by_failure: 'the list of payments that failed for one reason',
    payment_by_amount_and_id: 'the list of payments by amount',
    payment_by_reversal: 'the list of payments whose money was taken back',
    payment_by_refund: 'the list of payments that were refunded in part',
    payment_by_paid: 'reports by when payments were paid',
  },
  payment_check: {
    payment_check_due: 'payments whose status check is due',
  },
  attempt: {
    attempt_by_account_and_time: 'the latest attempts at a gateway account',
    attempt_failed: 'payments that fell back from a gateway, or met the fault of an incident',
  },
  timeline_event: {
    timeline_event_by_gateway_transaction: "payments by the gateway's id of the transaction",
  },
  merchant_event: {
    merchant_event_merchant_id_mode_created_at_id_idx: 'the list of events',
  },
  webhook_delivery: {
    webhook_delivery_merchant_id_endpoint_id_created_at_id_idx: 'the deliveries of an endpoint, newest first',
    webhook_delivery_merchant_id_payment_id_idx: 'the deliveries about a payment',
    webhook_delivery_of_resend: 'the progress of resent events',
    webhook_delivery_by_settled_attempts: 'the deliveries of an endpoint by their attempts',
  },
  gateway_webhook: {
    gateway_webhook_by_named_payment: 'the gateway webhooks about a payment',
    gateway_webhook_by_account_and_state: 'the gateway webhooks of an account in one state',
  },
} as const;
