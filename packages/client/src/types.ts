import type { components, operations } from './generated/openapi.ts';

type Operations = operations;
type Operation = keyof Operations;

/** `data` of the answer of an operation that succeeded. */
export type DataOf<Name extends Operation> = Operations[Name] extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } };
}
  ? Data
  : never;

type BodyOf<Name extends Operation> = Operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

type QueryOf<Name extends Operation> = Operations[Name] extends { parameters: { query?: infer Query } }
  ? OrNull<NonNullable<Query>>
  : never;

/** A filter that is null filters nothing, as one that is left out. */
type OrNull<Query> = { [Name in keyof Query]: Query[Name] | null };

/** A payment, as it is read. Amounts are whole main units: 2500 is 2,500 naira. */
export type Payment = DataOf<'getPayment'>;
/** A payment, as initiate answers it. Send the customer to `recommendedGateway.session.redirectUrl`. */
export type InitiatedPayment = DataOf<'initiatePayment'>;
/** Answer of verify: the record of the payment's last change of status. */
export type VerificationResult = DataOf<'verifyPayment'>;
export type Refund = DataOf<'getRefund'>;
/** An event record, as webhook endpoints receive it. */
export type WebhookEvent = components['schemas']['WebhookEvent'];

export type InitiateParameters = BodyOf<'initiatePayment'>;
export type VerifyParameters = BodyOf<'verifyPayment'>;
export type RefundParameters = BodyOf<'refundPayment'>;

/** A moment: a `Date`, or ISO 8601 text with its offset. */
export type Moment = Date | string;

interface CreatedWithin {
  /** Recorded at this moment or later. */
  createdFrom?: Moment | null;
  /** Recorded before this moment. */
  createdTo?: Moment | null;
}

/** Filter of payments; `limit` is the size of a page. */
export type PaymentQuery = Omit<QueryOf<'listPayments'>, 'status' | keyof CreatedWithin> &
  CreatedWithin & {
    /** Payments of this status, or of any of these. */
    status?: Payment['status'] | readonly Payment['status'][] | null;
  };

/** Filter of events; `limit` is the size of a page. */
export type EventQuery = Omit<QueryOf<'listEvents'>, 'type' | keyof CreatedWithin> &
  CreatedWithin & {
    /** Events of this type, or of any of these. */
    type?: WebhookEvent['type'] | readonly WebhookEvent['type'][] | null;
  };

/** Page of a payment's refunds; `limit` is its size. */
export type RefundQuery = QueryOf<'listRefunds'>;

/** A payout of a gateway. Amounts are exact decimals of the main unit, as text. */
export type Settlement = DataOf<'getSettlement'>;
/** One amount in a settlement: what is added to it, or taken off, and the payment, refund or dispute that explains it. */
export type SettlementLine = DataOf<'listSettlementLines'>['lines'][number];
/** A payment that a customer disputes with the bank. Amounts are numbers of the main unit. */
export type Dispute = DataOf<'getDispute'>;

/** Filter of settlements; `limit` is the size of a page. Days are `2026-11-26`. */
export type SettlementQuery = Omit<QueryOf<'listSettlements'>, 'status'> & {
  /** Settlements of this status, or of any of these. */
  status?: Settlement['status'] | readonly Settlement['status'][] | null;
};

/** Filter of the lines of a settlement; `limit` is the size of a page. */
export type SettlementLineQuery = Omit<QueryOf<'listSettlementLines'>, 'kind'> & {
  /** Lines of this kind, or of any of these. */
  kind?: SettlementLine['kind'] | readonly SettlementLine['kind'][] | null;
};

/** Filter of disputes; `limit` is the size of a page. */
export type DisputeQuery = Omit<QueryOf<'listDisputes'>, 'state' | keyof CreatedWithin> &
  CreatedWithin & {
    /** Disputes in this state, or in any of these. */
    state?: Dispute['state'] | readonly Dispute['state'][] | null;
  };

export type TestEventParameters = BodyOf<'sendTestEvent'>;
/** The active rules as a file, and the accounts that rules can name. */
export type Rules = DataOf<'getRules'>;
/** Routing rules as a file; accounts are named by their labels. */
export type RuleSetFile = BodyOf<'checkRules'>['file'];
export type RulesCheck = DataOf<'checkRules'>;
export type RuleDraftParameters = BodyOf<'createRuleDraft'>;
export type RuleDraft = DataOf<'createRuleDraft'>;

export type PaymentList = DataOf<'listPayments'>;
export type RefundList = DataOf<'listRefunds'>;
export type EventList = DataOf<'listEvents'>;
export type SettlementList = DataOf<'listSettlements'>;
export type SettlementLineList = DataOf<'listSettlementLines'>;
export type DisputeList = DataOf<'listDisputes'>;
