import type { z } from 'zod';
import type { CheckId, Topic } from './check-list.ts';

/**
 * The contract every payment gateway's connector fulfils.
 *
 * A connector turns one call into one {@link Outcome}. It never throws for anything the other side does: time-outs, refused
 * connections, HTML, broken JSON and absurd sizes all come back as outcomes. It keeps no state between calls and knows nothing
 * of payments, merchants or the database.
 */
export interface Gateway {
  /** Stable lower-case name, as merchants write it in `requestedGateway` and read it in `recommendedGateway.name`. */
  readonly name: string;
  /** Name as people write it: `Paystack`. */
  readonly title: string;
  /** Credentials that an account at this gateway must be configured with; secrets are named in {@link Gateway.secretFields}. */
  readonly credentials: z.ZodType<Record<string, string>>;
  /** Names of the credential fields that must never be stored, logged or answered in clear. */
  readonly secretFields: readonly string[];
  readonly capabilities: GatewayCapabilities;
  /** Prices that the gateway publishes for local payments, the usual one first; a default, as agreements differ. */
  readonly publishedFees: readonly PublishedFees[];
  /**
   * How settlements become known: `polled` from the gateway's list, `webhook` where it announces each and then lists what is in it, `file`
   * where it documents neither and people take in its files.
   */
  readonly settlementRoad: 'polled' | 'webhook' | 'file';
  /** When the gateway pays out, as it publishes it for local accounts; a default, as agreements differ. */
  readonly publishedSettlement: PublishedSettlement;
  /** Documented ways to answer disputes. */
  readonly disputes: DisputeSupport;
  /** The end of a customer's transfers that are not as the checkout asked. */
  readonly transfers: TransferRules;
  readonly certification: CertificationFacts;
  /** Its error codes as it documents them. */
  readonly errorCodes: readonly ErrorCode[];
  /** Settings that an account needs on the gateway's own dashboard and no call can check, one sentence each. */
  readonly dashboardSettings?: readonly string[];
  /**
   * The call that probes an account: free of charge and without effect, about a payment that is known there. Null where the gateway offers
   * none: its health is then known from checkouts alone.
   */
  readonly probe: 'verify' | null;
  /** Base address of the live service. Test accounts may point elsewhere, live accounts never do. */
  readonly baseUrl: string;
  /** Hosts (exact, or `.suffix`) a checkout address of a live account may have. */
  readonly checkoutHosts: readonly string[];
  /** Opens a hosted checkout under our reference. `yes` carries the address to send the customer to. */
  open(account: AccountAccess, order: CheckoutOrder, options: CallOptions): Promise<Outcome<CheckoutSession>>;
  /**
   * Verifies the checkout opened under `query.reference`.
   * `yes`: money was received (how much is in the value; the caller compares). `no`: the gateway states that nothing was paid
   * and nothing will be. `unknown`: not final, or no usable answer; class `customer` means that the customer has not finished.
   */
  verify(account: AccountAccess, query: VerifyQuery, options: CallOptions): Promise<Outcome<ReceivedPayment>>;
  /** Requests a refund. `yes` means accepted; {@link RefundReceipt.state} shows whether it is final. */
  refund(account: AccountAccess, order: RefundOrder, options: CallOptions): Promise<Outcome<RefundReceipt>>;
  /** Looks a refund up. `yes` carries its state; `no`: the gateway knows no such refund. */
  findRefund(account: AccountAccess, query: RefundQuery, options: CallOptions): Promise<Outcome<RefundReceipt>>;
  /**
   * Our reference of the transaction that the gateway's own id names; present where webhooks about returned transfers name nothing else.
   * `no`: the gateway knows no such transaction.
   */
  findReference?(
    account: AccountAccess,
    query: { readonly transactionId: string },
    options: CallOptions,
  ): Promise<Outcome<string>>;
  /**
   * Looks a dispute up by the gateway's own id; absent where the gateway documents no such call. `no`: the gateway knows no such dispute.
   */
  findDispute?(account: AccountAccess, query: DisputeQuery, options: CallOptions): Promise<Outcome<ReportedDispute>>;
  /**
   * One page of the disputes that were opened in `[query.from, query.to)`; absent where the gateway documents no list of them. `yes` only
   * when every row could be read.
   */
  listDisputes?(account: AccountAccess, query: ListQuery, options: CallOptions): Promise<Outcome<ListPage<ListedDispute>>>;
  /**
   * Uploads a file that supports an answer; absent where the gateway documents no call for it. The value is what the answer calls the file.
   * Uploading it again does no harm.
   */
  uploadEvidence?(account: AccountAccess, file: EvidenceFile, options: CallOptions): Promise<Outcome<string>>;
  /**
   * Answers a dispute, which cannot be taken back; present where {@link DisputeSupport.responses} names any. `yes` carries the state that the
   * gateway reports after it, `no` means that nothing was done.
   */
  answerDispute?(
    account: AccountAccess,
    answer: DisputeAnswer,
    options: CallOptions,
  ): Promise<Outcome<{ readonly state: ReportedDispute['state'] }>>;
  /**
   * One page of the gateway's own transactions created in `[query.from, query.to)`, opened by any client. `yes` only when every
   * row could be read: a row that cannot be is money that might go unseen. Follow pages with `readAllPages`.
   */
  listPayments(account: AccountAccess, query: ListQuery, options: CallOptions): Promise<Outcome<ListPage<ListedPayment>>>;
  /**
   * One page of the refunds created in `[query.from, query.to)`, of one payment when it is named. A payment named only by its
   * reference is looked up first; `no` when the gateway knows no such payment.
   */
  listRefunds(account: AccountAccess, query: RefundListQuery, options: CallOptions): Promise<Outcome<ListPage<ListedRefund>>>;
  /**
   * One page of the account's settlements created in `[query.from, query.to)`; present where settlements are `polled`. `yes` only when every
   * row could be read.
   */
  listSettlements?(account: AccountAccess, query: ListQuery, options: CallOptions): Promise<Outcome<ListPage<ListedSettlement>>>;
  /**
   * One page of the lines of a settlement, in the gateway's order; present where settlements are `polled` or come by `webhook`. What the gateway
   * reports of the settlement as a whole (deductions, stamp duty) is among the lines, so that they explain its net amount as far as the
   * gateway does.
   */
  listSettlementLines?(
    account: AccountAccess,
    query: SettlementLineQuery,
    options: CallOptions,
  ): Promise<Outcome<ListPage<ListedSettlementLine>>>;
  /** Verifies and parses a webhook of the gateway; pure, constant-time in the signature. Never proof of payment. */
  readWebhook(account: AccountAccess, delivery: WebhookRequest): WebhookReading;
  /** Reads the query the customer's browser brought back. Never proof of payment. */
  readReturn(query: URLSearchParams): ReturnReading;
}

/** Capabilities of a gateway for every merchant, whatever its account is configured to. */
export interface GatewayCapabilities {
  /** ISO 4217 codes. */
  readonly currencies: readonly string[];
  /** Canonical payment methods (`CARD`, `TRANSFER`, …) the gateway's hosted checkout offers. */
  readonly methods: readonly string[];
  /** Smallest amount of the main unit the gateway takes. */
  readonly minAmount: number;
  /** Largest amount of the main unit the gateway takes, or null when it publishes none. */
  readonly maxAmount: number | null;
  /**
   * Look-ups the gateway has no call for: they answer `unknown` with the code `not_supported`, and call nothing. What became of a refund
   * is then known from the answer that accepted it and from webhooks alone, and reconciliation compares payments only.
   */
  readonly missingLookups?: readonly ('findRefund' | 'listRefunds')[];
  /** Fields that the list of payments has and look-ups leave out: a fee is on record once the list was read, and money without a currency is naira. */
  readonly onlyInLists?: readonly ('fee' | 'currency')[];
  /** True where a request for a refund has no field for a reference of ours: a refund is known there by its payment and amount alone. */
  readonly refundsCarryNoReference?: true;
}

/** A price list: percentage and VAT in hundredths of a percent, the rest in whole main units. */
export interface PublishedFees {
  /** `Paystack, local cards and transfers` */
  readonly title: string;
  readonly schedule: {
    readonly percentBasisPoints: number;
    readonly flat: number;
    /** The flat part is waived below this amount; null where it never is. */
    readonly flatWaivedBelow: number | null;
    readonly cap: number | null;
    /** VAT on the fee. */
    readonly vatBasisPoints: number;
  };
  /** Conditions that the schedule leaves out. */
  readonly note: string | null;
}

/** A gateway's published calendar of payouts. */
export interface PublishedSettlement {
  /** Working days, Monday to Friday, after the day of a payment. */
  readonly workingDays: number;
  /** The gateway's page that states it; null where none was found, and one working day is assumed. */
  readonly source: string | null;
  /** True where refunds are paid from the merchant's wallet at the gateway, and so are deducted from no settlement. */
  readonly refundsFromWallet?: true;
}

/** Mistakes that a customer can make at a checkout by transfer: another amount, after its time, once more after it was paid. */
export const transferMistakes = ['another_amount', 'late', 'again'] as const;

export type TransferMistake = (typeof transferMistakes)[number];

/** The end of a mistaken transfer, as the gateway publishes it. */
export interface TransferRule {
  /**
   * `returned` to the customer by the gateway; `received`, so that the payment needs review or is a duplicate; `chosen` on the gateway's
   * dashboard; `not_published`.
   */
  readonly end: 'returned' | 'received' | 'chosen' | 'not_published';
  /** How it becomes known: the gateway's word, or null where nothing announces it. */
  readonly shownBy: string | null;
  /** Null where nothing is published. */
  readonly section: DocumentSection | null;
}

export type TransferRules = Readonly<Record<TransferMistake, TransferRule>>;

/** A section of a gateway's documentation. */
export interface DocumentSection {
  readonly title: string;
  readonly address: string;
}

/** Meanings of a gateway's error codes: a try of the customer's was refused; a fault of ours or of the merchant's; one of theirs. */
export const errorMeanings = ['declined', 'ours', 'theirs', 'unknown'] as const;

/** One of {@link errorMeanings}. */
export type ErrorMeaning = (typeof errorMeanings)[number];

/** Failures that a connector can answer for an error code. */
export type CodedFailure = Extract<
  FailureCode,
  | 'request_rejected'
  | 'duplicate_reference'
  | 'not_found'
  | 'invalid_credentials'
  | 'http_5xx'
  | 'declined'
  | 'checkout_closed'
  | 'undecided'
>;

/** The subject of a call. */
export type Subject = 'payment' | 'refund' | 'dispute';

/** A code by which a gateway says why nothing was done, as its documentation has it, and what the connector answers for it. */
export interface ErrorCode {
  /** The gateway's code; its words where it has no code for them. */
  readonly code: string;
  /** The gateway's words. */
  readonly words: string;
  /** The words of an answer that are taken for it. */
  readonly message?: RegExp;
  /** Codes that are taken for it, where the document does not name them one by one. */
  readonly codes?: RegExp;
  /** Whose fault it is. */
  readonly meaning: ErrorMeaning;
  /** `declined` and `checkout_closed` are of payments that failed: a call that is refused with such a code is refused as with any other. */
  readonly failure: CodedFailure;
  /** HTTP statuses under which it counts; under others the call is refused as with any other code. */
  readonly statuses?: readonly number[];
  /** The subject that a call must have for it to count; absent where it always does. */
  readonly of?: Subject;
  readonly section: DocumentSection;
}

/** Facts that the certification of a gateway needs: from its documentation, never from a simulator. */
export interface CertificationFacts {
  readonly sections: Readonly<Record<Topic, DocumentSection>>;
  /** A published test card that is approved, as a person types it. */
  readonly testCard: string;
  /** An amount of whole naira that has to be refused: the one below the published minimum, or nothing at all. */
  readonly tooSmall: bigint;
  /** Failure of a look-up of a reference that was never opened; `not_paid_yet` where there is no transaction before a customer begins. */
  readonly unknownReference: 'not_found' | 'not_paid_yet';
  /** Checks that the gateway's documentation makes impossible, and why. */
  readonly notPossible: Readonly<Partial<Record<CheckId, string>>>;
  /**
   * Pays an open checkout with a published test card, and answers `paid` or why not; absent where the API takes none from every merchant's
   * test keys. Paystack's and Flutterwave's charge calls make a transaction of their own; Kora's and Interswitch's want keys that few
   * accounts have; Squad documents none.
   */
  readonly payByTestCard?: (account: AccountAccess, session: CheckoutSession) => Promise<string>;
}

/** Kinds of answers to a dispute: the money goes back, or the merchant keeps it with evidence. */
export type DisputeAction = 'accept' | 'contest';

/** Documented ways to answer a gateway's disputes. */
export interface DisputeSupport {
  /** Within what a merchant has to answer, from when a dispute is opened; null where the gateway publishes nothing. */
  readonly answerWithin:
    | { readonly kind: 'hours'; readonly hours: number }
    /** Working hours for payments by cards of the country, and for any other. */
    | { readonly kind: 'working_hours'; readonly local: number; readonly international: number }
    | null;
  /** State of a dispute that is not answered in time; null where the gateway publishes nothing. */
  readonly unanswered: 'accepted' | 'lost' | null;
  /** The gateway's page that states it; null where none was found. */
  readonly source: string | null;
  /** Answers that a call sends. The others are given on the gateway's dashboard. */
  readonly responses: readonly DisputeAction[];
  /** Answers that need a file. */
  readonly evidenceFor: readonly DisputeAction[];
  /** Answers that need the customer's name and what was bought. */
  readonly customerFor: readonly DisputeAction[];
  /** True if a part of the amount can be accepted. */
  readonly partial: boolean;
}

/** Address and credentials of one merchant's account at a gateway. Credentials have been parsed by {@link Gateway.credentials}. */
export interface AccountAccess {
  readonly accountId: string;
  readonly mode: 'test' | 'live';
  readonly credentials: Readonly<Record<string, string>>;
  /** Another base address than the gateway's own; null for live accounts, always. */
  readonly baseUrl: string | null;
}

/** Limits of one call. */
export interface CallOptions {
  /** Most milliseconds the whole call may take: connection, answer and body together. */
  readonly timeoutMs: number;
}

/** An order to open a hosted checkout for. */
export interface CheckoutOrder {
  /** Our reference for this attempt: 8 to 50 characters of `[A-Za-z0-9-]`, never used twice at one account. */
  readonly reference: string;
  /** Main currency unit (naira, not kobo). */
  readonly amount: bigint;
  readonly currency: string;
  readonly customer: { readonly email: string; readonly phone: string | null; readonly id: string | null };
  /** Canonical method to offer, or null for all that the gateway offers. */
  readonly method: string | null;
  /** Where the gateway sends the customer's browser afterwards. */
  readonly callbackUrl: string;
  readonly paymentId: string;
  /** How long the session should stay open, in minutes, where the gateway supports it. */
  readonly sessionMinutes: number;
}

/** A hosted checkout that a gateway opened. */
export interface CheckoutSession {
  /** The gateway's own answer body (its `data`), secrets redacted, as it came. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Our reference of this checkout at the gateway. */
  readonly reference: string;
  /** Empty string where the gateway has none. */
  readonly accessCode: string;
  /** Where to send the customer. */
  readonly redirectUrl: string;
}

/** An attempt to look up, with the amount in whole main units and the currency that a payment must match. */
export interface VerifyQuery {
  readonly reference: string;
  /** Numeric or textual id the gateway gave the transaction, when known. A hint: the answer must still carry our reference. */
  readonly transactionId: string | null;
  readonly amount: bigint;
  readonly currency: string;
}

/** Money the gateway reports as received for one reference. */
export interface ReceivedPayment {
  readonly reference: string;
  /** The gateway's own id of the transaction; some need it to refund. */
  readonly transactionId: string;
  /** Exact decimal of the main unit, canonical: no sign, no leading zeros, no trailing zeros after the point (`1000`, `999.5`). */
  readonly amount: string;
  readonly currency: string;
  /** The gateway's fee as an exact decimal of the main unit, or null when it is not reported. */
  readonly fee: string | null;
  /** Canonical method used, or null when the gateway's word for it is not known. */
  readonly method: string | null;
  /** The country that issued the card, ISO 3166-1 alpha-2; absent where the gateway does not say, and of other methods. */
  readonly cardCountry?: string;
  /** The last four digits of the card's number; absent where the gateway does not give them, and of other methods. */
  readonly cardLast4?: string;
  /** The bank account that a transfer came from; absent where the gateway does not name it, and of other methods. */
  readonly payer?: TransferPayer;
  readonly paidAt: Date | null;
  /**
   * True when the gateway reports that the whole amount has since been returned, by a refund or a chargeback. Only Paystack (`reversed`,
   * https://paystack.com/docs/payments/verify-payments/) and Monnify (`REVERSED`, https://developers.monnify.com) document a word for it.
   * Always false at the others, whose transactions keep the status of the payment:
   * - Flutterwave v3: `successful`, `failed` and `pending`; chargebacks are announced in its dashboard and listed by `GET /chargebacks`
   *   (https://developer.flutterwave.com/docs/payment-operations/chargebacks), no webhook of them is documented.
   * - Kora: charges have no reversed status; chargebacks are shown in its dashboard and can only be updated by their reference
   *   (https://developers.korapay.com/docs/chargebacks).
   * - Squad: `GET /dispute` exists, its answer is empty in the document (https://docs.squadco.com/Others/disputes-chargebacks);
   *   `reversed` is a status of transfers alone.
   * - Interswitch: webhooks are of transactions, subscriptions, payment links and invoices
   *   (https://docs.interswitchgroup.com/docs/webhooks); disputes are in Arbiter, for banks.
   */
  readonly reversed: boolean;
  /** Why this money does not prove the payment although it was received, in one sentence; absent where it does. */
  readonly doubt?: string;
}

/** The bank account that a transfer came from. Null for what its gateway does not name. */
export interface TransferPayer {
  /** The gateway's word for the bank: its name or its code. */
  readonly bank: string | null;
  readonly name: string | null;
  /** The last four digits of the account number, or fewer where the gateway hides some of them. */
  readonly accountEnd: string | null;
}

/** A dispute to look up by the gateway's own id. */
export interface DisputeQuery {
  readonly gatewayDisputeId: string;
}

/** A status that the gateway's documentation does not list: it decides nothing, and people are shown what it is in. */
export interface UnrecognisedStatus {
  /** One sentence for people, with the status where it is a word. The same for the same status. */
  readonly message: string;
  /** The gateway's record with the status, as JSON: redacted, at most 4 KiB. */
  readonly record: string;
}

/** A customer's dispute of a payment as the gateway reports it. */
export interface ReportedDispute {
  readonly gatewayDisputeId: string;
  /** The disputed payment's reference and transaction. */
  readonly reference: string;
  readonly transactionId: string;
  /**
   * `accepted` by the merchant, `expired` without an answer. `closed`: the gateway's word does not say who keeps the money; then the
   * payment's transaction says it. `needs_response` of an unrecognised status, as it may: the time to answer is hours.
   */
  readonly state: 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired' | 'closed';
  /** The gateway's word for the kind of dispute, or null. */
  readonly category: string | null;
  /** The gateway's word for how far it got, or null. */
  readonly stage: string | null;
  /** Exact canonical decimal of the main unit; null where it is not reported: the whole payment. */
  readonly amount: string | null;
  /** The disputed transaction, where the report describes it: amount as above, ISO 4217 code. */
  readonly transaction?: { readonly amount: string | null; readonly currency: string | null };
  /** Until when the merchant has to answer, or null. */
  readonly dueAt: Date | null;
  readonly openedAt: Date | null;
  readonly closedAt: Date | null;
  /** Present where the gateway's status is none that it documents. */
  readonly unrecognised?: UnrecognisedStatus;
}

/** A dispute as the gateway's own list shows it. */
export interface ListedDispute extends ReportedDispute {
  /** When it was opened. */
  readonly createdAt: Date;
}

/** A file that supports an answer to a dispute. */
export interface EvidenceFile extends DisputeQuery {
  readonly fileName: string;
  /** `application/pdf`, `image/png` or `image/jpeg`. */
  readonly mediaType: string;
  readonly content: Uint8Array;
}

export interface DisputeAnswer extends DisputeQuery {
  readonly action: DisputeAction;
  /** Exact decimal of the main unit that goes back; `0` when it is contested. */
  readonly amount: string;
  readonly message: string;
  /** Name that {@link Gateway.uploadEvidence} gave the file, or null without one. */
  readonly evidence: string | null;
  /** Whom it is about, and what was bought, where the gateway asks for it. */
  readonly customer: {
    readonly name: string;
    readonly email: string;
    readonly phone: string | null;
    readonly service: string;
  } | null;
}

/** A refund of a paid transaction, in full or in part. */
export interface RefundOrder {
  /** Our reference of the refund, unique. */
  readonly refundReference: string;
  readonly paymentReference: string;
  readonly transactionId: string | null;
  /** Main unit. */
  readonly amount: bigint;
  readonly currency: string;
  readonly reason: string | null;
}

/** A refund to look up by the gateway's own id. */
export interface RefundQuery {
  readonly gatewayRefundId: string;
}

/** A refund as its gateway reports it. `message` is the gateway's text, null without one. */
export interface RefundReceipt {
  readonly gatewayRefundId: string;
  /** `processing` also of an unrecognised status. */
  readonly state: 'processing' | 'succeeded' | 'failed' | 'needs_attention';
  readonly message: string | null;
  /** Present where the gateway's status is none that it documents. */
  readonly unrecognised?: UnrecognisedStatus;
}

/** A page of the payments or refunds that a gateway created within a period. */
export interface ListQuery {
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  /** Null for the first page, then what the page before gave as {@link ListPage.nextCursor}. */
  readonly cursor: string | null;
  /** Fewer rows a page than the connector asks for otherwise, where the gateway's list takes a number. */
  readonly rowsPerPage?: number;
}

/** A page of refunds. */
export interface RefundListQuery extends ListQuery {
  /** Only refunds of the payment under this reference, or null for all. */
  readonly paymentReference: string | null;
  /** The gateway's own id of that payment, where known: saves looking it up. */
  readonly transactionId: string | null;
}

/** A page of a gateway's list. */
export interface ListPage<T> {
  readonly rows: readonly T[];
  /** Null when there is no further page. A page may be empty and still have one after it. */
  readonly nextCursor: string | null;
}

/** One transaction as the gateway's own list shows it. */
export interface ListedPayment {
  /** The reference it was opened under, ours or another system's, or null when it has none. */
  readonly reference: string | null;
  readonly transactionId: string;
  /** `open`: neither paid nor given up, or a word of the gateway that is not known. */
  readonly status: 'paid' | 'unpaid' | 'open' | 'reversed';
  /** Received when paid or reversed, else requested. Exact canonical decimal of the main unit, as {@link ReceivedPayment.amount}. */
  readonly amount: string;
  /** The gateway's fee as an exact decimal of the main unit, or null when it is not reported. */
  readonly fee: string | null;
  readonly currency: string;
  /** Canonical method used, or null when the gateway's word for it is not known. */
  readonly method: string | null;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
}

/** One refund as the gateway's own list shows it. */
export interface ListedRefund {
  readonly gatewayRefundId: string;
  /** The payment's reference, or null where the gateway names the payment only by its own id. */
  readonly paymentReference: string | null;
  readonly transactionId: string | null;
  /** Exact canonical decimal of the main unit. */
  readonly amount: string;
  /** Null where the gateway's list has none. */
  readonly currency: string | null;
  readonly state: RefundReceipt['state'];
  /** The text {@link Gateway.refund} sent our refund's reference in, or null. */
  readonly note: string | null;
  readonly createdAt: Date;
  /** Present where the gateway's status is none that it documents. */
  readonly unrecognised?: UnrecognisedStatus;
}

/** A payout as the gateway's own list shows it. Amounts are exact canonical decimals of the main unit. */
export interface ListedSettlement {
  /** The gateway's own id. */
  readonly settlementId: string;
  /** `pending` also of an unrecognised status. */
  readonly status: 'pending' | 'paid' | 'failed';
  readonly currency: string;
  /** The payments in it, before fees and deductions. */
  readonly gross: string;
  readonly fees: string;
  /** Taken off beside fees: refunds, chargebacks, stamp duty. */
  readonly deductions: string;
  /** Paid out. */
  readonly net: string;
  /** Day of the payout by the gateway's calendar, `YYYY-MM-DD`; null until it is known. */
  readonly settledOn: string | null;
  readonly createdAt: Date;
  /** Present where the gateway's status is none that it documents. */
  readonly unrecognised?: UnrecognisedStatus;
}

/** A page of a settlement's lines. */
export interface SettlementLineQuery {
  readonly settlement: ListedSettlement;
  /** Null for the first page, then the page before's {@link ListPage.nextCursor}. */
  readonly cursor: string | null;
}

/** One amount in a settlement. */
export interface ListedSettlementLine {
  /** Identity within the settlement: `payment/4099260516`, `fee/4099260516`, `deductions`. */
  readonly key: string;
  readonly kind: 'payment' | 'refund' | 'fee' | 'chargeback' | 'adjustment' | 'other';
  /** Exact canonical decimal of the main unit, with a leading `-` where it takes off the net amount. */
  readonly amount: string;
  /** The reference of the payment it is about, ours or another system's; null where the gateway names none. */
  readonly reference: string | null;
  readonly transactionId: string | null;
  /** The gateway's own words; null without any. */
  readonly description: string | null;
  /** When the payment was paid or the refund made; null where the gateway does not report it. */
  readonly occurredAt: Date | null;
}

/** An HTTP request to an account's webhook URL, before it is verified. */
export interface WebhookRequest {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as received; signatures cover these. */
  readonly body: Uint8Array;
}

/** A webhook after its signature was checked. Nothing but its references may be trusted. */
export type WebhookReading =
  /**
   * `whole_body_signature`: signed with the account's secret over the whole body, where the gateway documents one over a part of it. It
   * shows what to ask the gateway; nothing of it is acted on.
   */
  | {
      readonly kind: 'refused';
      readonly why: 'missing_signature' | 'bad_signature' | 'whole_body_signature' | 'malformed';
    }
  /** Genuine, but nothing we act on. */
  | ({ readonly kind: 'ignored' } & WebhookFacts)
  | ({ readonly kind: 'payment'; readonly reference: string; readonly transactionId: string | null } & WebhookFacts)
  /** A dispute of a payment changed. */
  | ({
      readonly kind: 'dispute';
      readonly gatewayDisputeId: string;
      readonly reference: string;
      readonly transactionId: string;
    } & WebhookFacts)
  /**
   * A settlement was paid out. The webhook alone knows its amount: what is in it has to be asked for. `kept` is the body to store: without
   * the payments in it and their customers.
   */
  | ({ readonly kind: 'settlement'; readonly settlement: AnnouncedSettlement; readonly kept: string } & WebhookFacts)
  /** A customer's transfer was not taken, and goes back by the gateway. It names its payment, or only the gateway's own id of it. */
  | ({
      readonly kind: 'returned_transfer';
      readonly reference: string | null;
      readonly transactionId: string | null;
      readonly transfer: ReturnedTransfer;
    } & WebhookFacts)
  /** Something happened to disputes of the account, which the webhook does not name: they are in the list. */
  | ({ readonly kind: 'disputes' } & WebhookFacts)
  /** The refund, or only the payment that it is of. */
  | ({ readonly kind: 'refund'; readonly gatewayRefundId: string | null; readonly reference: string | null } & WebhookFacts);

/** A transfer that the gateway sends back, as its webhook says: there is no call to ask about it. */
export interface ReturnedTransfer {
  readonly why: TransferMistake;
  /** Exact canonical decimal of the main unit that the customer sent. */
  readonly amount: string;
  readonly currency: string;
}

/** A payout as a webhook announces it. */
export type AnnouncedSettlement = Pick<ListedSettlement, 'settlementId' | 'currency' | 'net' | 'settledOn' | 'createdAt'>;

/** Fields of every genuine webhook. */
export interface WebhookFacts {
  readonly event: string;
  /** Same for every delivery of the same event. */
  readonly dedupeKey: string;
  /** When the event happened; null where the body has no time. */
  readonly occurredAt: Date | null;
}

/** Contents of the query of a customer's return. A hint: only a lookup proves payment. */
export interface ReturnReading {
  readonly reference: string | null;
  readonly transactionId: string | null;
  readonly hint: 'completed' | 'cancelled' | null;
}

/** The side that caused an outcome. Only `provider_fault` counts against a gateway's health. */
export type OutcomeClass = 'provider_fault' | 'customer' | 'our_configuration';

/** Result of a call: done, certainly refused, or unknown. Unknown is never turned into no. */
export type Outcome<T> =
  | { readonly outcome: 'yes'; readonly value: T; readonly call: CallRecord }
  | { readonly outcome: 'no'; readonly failure: Failure; readonly call: CallRecord }
  | { readonly outcome: 'unknown'; readonly failure: Failure; readonly call: CallRecord };

/** Why a call did not do what was asked. */
export interface Failure {
  readonly class: OutcomeClass;
  readonly code: FailureCode;
  /** One sentence for people, secrets redacted, at most 500 characters. */
  readonly message: string;
  /** The code that the gateway gave, as its table of error codes has it; absent where it answered nothing of the kind. */
  readonly gatewayCode?: string;
}

/** Kinds of failures, the same for all gateways. */
export const failureCodes = [
  'connection_refused',
  /** The account's base address is one that calls must not reach. */
  'address_refused',
  'timeout',
  'connection_lost',
  'http_5xx',
  'malformed_answer',
  'answer_too_large',
  'rate_limited',
  'invalid_credentials',
  'request_rejected',
  'duplicate_reference',
  'not_found',
  'not_paid_yet',
  /** The last try to pay failed. The customer may try again while the checkout is open. */
  'declined',
  /** Nothing was paid, and nothing can be paid any more. */
  'checkout_closed',
  /** A well-formed answer whose status the gateway's documentation does not list: it decides nothing. */
  'unrecognised_status',
  /** A documented status that leaves open whether the customer paid. */
  'undecided',
  'reference_mismatch',
  'unsafe_checkout_url',
  'not_supported',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** Request and answer of a call, for the attempt's record: redacted and bounded, safe to store. */
export interface CallRecord {
  readonly method: string;
  /** Without credentials. */
  readonly url: string;
  /** Null when no answer came. */
  readonly httpStatus: number | null;
  readonly latencyMs: number;
  /** The part of it before the request was written: it waited for a connection, or for one of ours to be free. 0 when left out. */
  readonly unsentMs?: number;
  /** Redacted request body, at most 4 KiB. */
  readonly request: string | null;
  /** Redacted answer body, at most 16 KiB. */
  readonly answer: string | null;
  /** Milliseconds to wait before the next call, when the gateway requests that. */
  readonly retryAfterMs: number | null;
}
