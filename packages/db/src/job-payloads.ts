/** Job payloads by job name. The worker has a task of the same name. */
export interface Jobs {
  /** Verify one attempt with its gateway, because it may have changed. */
  'check-attempt': {
    merchantId: string;
    attemptId: string;
    /** The gateway's own transaction id, where it is known. A hint. */
    transactionId?: string;
  };
  /** Follow up a merchant's webhooks of gateways that are due. */
  'follow-webhooks': { merchantId: string };
  /** Send the pending events of one webhook endpoint. */
  'deliver-events': { merchantId: string; endpointId: string };
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

/** A job that is added after the commit of what it is about. */
export type JobHint = {
  readonly [Name in keyof Jobs]: { readonly name: Name; readonly payload: Jobs[Name]; readonly key?: string };
}[keyof Jobs];
