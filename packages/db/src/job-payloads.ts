/** Job payloads by job name. The worker has a task of the same name. */
export interface Jobs {
  /** Verify one attempt with its gateway, because it may have changed. */
  'check-attempt': {
    merchantId: string;
    attemptId: string;
    /** The gateway's own transaction id, where it is known. A hint. */
    transactionId?: string;
  };
  /** Look up soon what was open while no process received gateways' webhooks, from `since` (ISO 8601) on. */
  'check-after-absence': { since: string };
  /** Continue queueing events of a period for one endpoint again. */
  'resend-events': { merchantId: string; resendId: string };
  /** Reconcile one account's day with the gateway's statement. `day` is `YYYY-MM-DD`. */
  'reconcile-day': { merchantId: string; accountId: string; day: string };
  /** Read one account's settlements from its gateway, and match them. */
  'read-settlements': { merchantId: string; accountId: string };
  /** Store a settlement that a gateway announced, and ask for what is in it. */
  'store-announced-settlement': {
    merchantId: string;
    accountId: string;
    settlement: { settlementId: string; currency: string; net: string; settledOn: string | null; createdAt: string };
  };
  /** Read one account's disputes from its gateway. */
  'read-disputes': { merchantId: string; accountId: string };
  /** Send a recorded answer to a dispute. */
  'answer-dispute': { merchantId: string; responseId: string };
  /** Match a merchant's payouts with the lines of its bank statements. */
  'match-bank': { merchantId: string; mode: 'test' | 'live' };
  /** Request a recorded refund from the gateway. */
  'send-refund': { merchantId: string; refundId: string };
  /** Refund a duplicate charge. */
  'refund-duplicate': { merchantId: string; duplicateChargeId: string };
  /** Make and send one scheduled report. */
  'make-report': { merchantId: string; runId: string };
  /** Send what is due at one notification channel. */
  'send-notifications': { merchantId: string; channelId: string };
}

/** Due rows that workers would find within two seconds: a merchant's webhooks of gateways, or the pending events of an endpoint. */
export type Wake =
  | { readonly name: 'follow-webhooks'; readonly payload: { readonly merchantId: string } }
  | { readonly name: 'deliver-events'; readonly payload: { readonly merchantId: string; readonly endpointId: string } };

/** Work that committed rows say and that is to be done at once: a refund to be sent is a job, of one process. */
export type Hint = Wake | { readonly name: 'send-refund'; readonly payload: Jobs['send-refund']; readonly key: string };
