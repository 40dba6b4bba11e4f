import type {
  CheckoutOrder,
  ListQuery,
  RefundListQuery,
  RefundOrder,
  RefundReceipt,
  TransferPayer,
  VerifyQuery,
  WebhookRequest,
} from '../gateway.ts';
import type { StubCall, StubReply } from './stub-server.ts';

/** One answer of a gateway. */
export interface WireAnswer {
  readonly status: number;
  readonly json: unknown;
}

export interface TransactionFacts {
  readonly reference: string;
  readonly id: string;
  /** `unlisted`: a status that none of the gateway's documents has. */
  readonly state: 'paid' | 'failed' | 'unfinished' | 'unlisted';
  /** The gateway's word or code for a state, in place of the usual one. */
  readonly word?: string;
  /** As it stands in the JSON, in the gateway's own unit. */
  readonly amount: unknown;
  readonly currency: string;
}

export interface ListedFacts {
  readonly reference: string | null;
  readonly id: string;
  readonly state: TransactionFacts['state'];
  /** As it stands in the JSON, in the gateway's own unit. */
  readonly amount: unknown;
  readonly currency: string;
  readonly createdAt: string;
}

/** A refund's state; `unlisted`: a status that none of the gateway's documents has. */
export type RefundFactsState = RefundReceipt['state'] | 'unlisted';

/** The transaction that a refund is of. */
export interface RefundedFacts {
  readonly reference: string;
  readonly id: string;
}

export interface ListedRefundFacts {
  readonly id: string;
  readonly transactionId: string;
  readonly amount: unknown;
  readonly state: RefundFactsState;
  readonly note: string;
  readonly createdAt: string;
}

export interface SettlementFacts {
  readonly id: string;
  /** `unlisted`: a status that none of the gateway's documents has. */
  readonly state: 'paid' | 'pending' | 'failed' | 'unlisted';
  /** Amounts as they stand in the JSON, in the gateway's own unit. */
  readonly gross: unknown;
  readonly fees: unknown;
  readonly deductions: unknown;
  readonly net: unknown;
  readonly createdAt: string;
  /** `YYYY-MM-DD` */
  readonly settledOn: string;
}

/** A payment in a settlement. */
export interface SettledFacts {
  readonly id: string;
  readonly reference: string;
  readonly amount: unknown;
  readonly fee: unknown;
}

/** How a gateway lists its payouts. */
export interface SettlementScript {
  page(rows: readonly SettlementFacts[], page: PageFacts): WireAnswer;
  lines(settlement: SettlementFacts, rows: readonly SettledFacts[], page: PageFacts): WireAnswer;
  /** True where a settlement's payments are not in pages. */
  readonly linesAtOnce?: true;
}

export interface DisputeFacts {
  readonly id: string;
  readonly reference: string;
  readonly transactionId: string;
  /** `unlisted`: a status that none of the gateway's documents has. */
  readonly state: 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired' | 'unlisted';
  /** As it stands in the JSON, in the gateway's own unit. */
  readonly amount: unknown;
  readonly createdAt: string;
  readonly dueAt: string;
}

/** How a gateway lists its disputes and takes answers. */
export interface DisputeScript {
  /** Those of the contract's states that the gateway has words for. */
  readonly states: readonly Exclude<DisputeFacts['state'], 'unlisted'>[];
  page(rows: readonly DisputeFacts[], page: PageFacts): WireAnswer;
  /** Answer to a call that answers a dispute or adds to the answer; null for any other call. */
  answered(call: StubCall, facts: DisputeFacts): WireAnswer | null;
  /** Answer to a call that uploads a file as `name` to the stub server at `url`. */
  uploaded(call: StubCall, name: string, url: string): WireAnswer;
  /** Name in an answer of a file that was uploaded as `name`. */
  nameOf(name: string): string;
}

/** The number of a page, and how many there are. */
export interface PageFacts {
  readonly page: number;
  readonly pages: number;
}

export interface WebhookFacts {
  readonly reference: string;
  readonly id: string;
  /** When the payment was made; the fixture's own time when left out. */
  readonly at?: string;
}

/**
 * The wire format of one gateway, from which the stub server answers. Everything here is written from the
 * gateway's documentation, never from its connector.
 */
export interface GatewayScript {
  readonly credentials: { readonly test: Readonly<Record<string, string>>; readonly live: Readonly<Record<string, string>> };
  /** True where no credential shows whether it is one of test or of live mode. */
  readonly keysNameNoMode?: true;
  /** How it issues tokens, where calls are made with one in place of a key. */
  readonly token?: {
    /** The path of the call that gets one, below any base address, without a query. */
    readonly path: string;
    /** The answer that issues this token for so long. */
    issued(token: string, lifetimeSeconds: number): WireAnswer;
  };
  /** A count of kobo as the gateway writes it in JSON. */
  wireAmount(kobo: bigint): unknown;
  opened(reference: string, url: string): WireAnswer;
  /** A checkout opened under a reference that is not ours, or null where the answer carries none. */
  openedUnder(reference: string, url: string): WireAnswer | null;
  /** A refused call; with this code where the gateway has codes. */
  refused(message: string, code?: string): WireAnswer;
  duplicate(): WireAnswer;
  transaction(facts: TransactionFacts): WireAnswer;
  /** Answers to a look-up of a payment by transfer, in the order of its calls, and who paid it; absent where no answer names that. */
  readonly transfer?: {
    answers(facts: TransactionFacts): readonly WireAnswer[];
    readonly payer: TransferPayer;
  };
  notFound(): WireAnswer;
  /** A refund of the transaction of {@link transactionId}, or of another where the answer names it. */
  refund(id: string, state: RefundFactsState, of?: RefundedFacts): WireAnswer;
  /** True where the answer to a refund request names the transaction. */
  readonly refundNamesTransaction?: true;
  /** True if a refund's id at this gateway is our own reference of it. */
  readonly refundsByOwnReference?: boolean;
  /** The field that a refund request carries its amount in, where it is not `amount`. */
  readonly refundAmountField?: string;
  /** True where the answer to a refund request has no word for its state: it was taken or refused. */
  readonly refundHasNoStatus?: true;
  /** Those of the contract's refund states this gateway has. */
  readonly refundStates: readonly RefundReceipt['state'][];
  refundNotFound(): WireAnswer;
  /** True where a refund names something only the payment's look-up shows, so that each begins with one. */
  readonly refundNeedsLookup?: true;
  paymentPage(rows: readonly ListedFacts[], page: PageFacts): WireAnswer;
  refundPage(rows: readonly ListedRefundFacts[], page: PageFacts): WireAnswer;
  /** How it lists payouts, where it documents a list of them. */
  readonly settlements?: SettlementScript;
  /** How it lists disputes and takes answers, where it documents that. */
  readonly disputes?: DisputeScript;
  /** True where a page has neither its number nor the number of pages: the list ends with an empty page. */
  readonly pagesUnnumbered?: true;
  /** The page that a list request names. */
  pageAskedFor(query: URLSearchParams): number;
  /** The period that a list request names in its query or body, where that is not `from` and `to` that `Date.parse` reads. */
  periodAskedFor?(query: URLSearchParams, body: string): { readonly from: Date; readonly to: Date };
  /** True where the gateway has no id of its own for a transaction, and the merchant's reference is its name. */
  readonly transactionIsReference?: true;
  paymentNotice(facts: WebhookFacts): string;
  /** A webhook about a refund, or null where the gateway sends none. */
  refundNotice(): string | null;
  /** A genuine webhook of an event that is ignored. */
  otherNotice(): string;
  sign(body: string, credentials: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  readonly signatureHeader: string;
  /** False where a byte of the body can change under the same signature: a constant, or one over a part of the body. */
  readonly signatureCoversBody: boolean;
  /** True where webhooks about payments carry no time. */
  readonly noticeHasNoTime?: true;
  /** True where the query of a return is the same whether the customer paid or left. */
  readonly returnHasNoOutcome?: true;
  returned(reference: string, hint: 'completed' | 'cancelled'): URLSearchParams;
}

export const reference = 'sw-0198c0de-4111-7111-8111-111111111111';
export const otherReference = 'sw-0198c0de-4222-7222-8222-222222222222';
export const transactionId = '4099260516';

export const order: CheckoutOrder = {
  reference,
  amount: 1000n,
  currency: 'NGN',
  customer: { email: 'ada@example.com', phone: '+2348012345678', id: 'cus-1' },
  method: null,
  callbackUrl: 'https://merchant.example/checkout/0198c0de-4111-7111-8111-111111111111?keep=1',
  paymentId: '0198c0de-4111-7111-8111-111111111111',
  sessionMinutes: 60,
};

export const query: VerifyQuery = { reference, transactionId: null, amount: 1000n, currency: 'NGN' };

export const refundOrder: RefundOrder = {
  refundReference: 'rf-0198c0de-5111-7111-8111-111111111111',
  paymentReference: reference,
  transactionId,
  amount: 400n,
  currency: 'NGN',
  reason: 'Item out of stock',
};

/** A day in Lagos. */
export const wholeList: ListQuery = {
  from: new Date('2026-11-19T23:00:00.000Z'),
  to: new Date('2026-11-20T23:00:00.000Z'),
  cursor: null,
};

export const wholeRefundList: RefundListQuery = { ...wholeList, paymentReference: null, transactionId: null };

/** The id that a connector reports for a transaction. */
export function transactionIdOf(script: GatewayScript, facts: Pick<ListedFacts, 'id' | 'reference'>): string {
  return script.transactionIsReference === true ? (facts.reference ?? facts.id) : facts.id;
}

/** A wire answer as the stub server's reply. */
export function wireReply(answer: WireAnswer): StubReply {
  return { kind: 'answer', status: answer.status, body: JSON.stringify(answer.json) };
}

export function delivered(body: string, headers: Readonly<Record<string, string>>): WebhookRequest {
  return { headers, body: Buffer.from(body, 'utf8') };
}

/** An answer outside the gateway's protocol, or none at all, and the expected outcome. */
export interface MalformedReply {
  readonly name: string;
  readonly reply: StubReply;
  readonly code: string;
  /** Where it is read as pages, which may be larger. */
  readonly pagesCode?: string;
  /** For an action. A question always comes to `unknown`. */
  readonly action: 'no' | 'unknown';
}

const html = '<!doctype html><html><body><h1>Bad gateway</h1></body></html>';
const asHtml = { 'content-type': 'text/html' };

function answer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): StubReply {
  return { kind: 'answer', status, body, headers };
}

export const malformedReplies: readonly MalformedReply[] = [
  { name: 'a 500', reply: answer(500, '{"message":"boom"}'), code: 'http_5xx', action: 'unknown' },
  { name: 'an HTML 502', reply: answer(502, html, asHtml), code: 'http_5xx', action: 'unknown' },
  { name: 'a 503 with Retry-After', reply: answer(503, '{}', { 'retry-after': '7' }), code: 'http_5xx', action: 'unknown' },
  { name: 'HTML under 200', reply: answer(200, html, asHtml), code: 'malformed_answer', action: 'unknown' },
  { name: 'broken JSON', reply: answer(200, '{"status":true,"data":{"ref'), code: 'malformed_answer', action: 'unknown' },
  { name: 'an empty body', reply: answer(200, ''), code: 'malformed_answer', action: 'unknown' },
  { name: 'a JSON array', reply: answer(200, '[]'), code: 'malformed_answer', action: 'unknown' },
  { name: 'a JSON null', reply: answer(200, 'null'), code: 'malformed_answer', action: 'unknown' },
  { name: 'JSON of another shape', reply: answer(200, '{"ok":1,"data":7}'), code: 'malformed_answer', action: 'unknown' },
  {
    name: 'JSON nested a hundred thousand deep',
    reply: answer(200, '['.repeat(100_000)),
    code: 'malformed_answer',
    action: 'unknown',
  },
  {
    name: 'a compressed body',
    reply: answer(200, 'x', { 'content-encoding': 'gzip' }),
    code: 'malformed_answer',
    action: 'unknown',
  },
  {
    name: 'headers of 20 KiB',
    reply: answer(200, '{}', { 'x-big': 'b'.repeat(20_000) }),
    code: 'malformed_answer',
    action: 'unknown',
  },
  { name: 'something that is not HTTP', reply: { kind: 'garbage' }, code: 'malformed_answer', action: 'unknown' },
  { name: 'an endless body', reply: { kind: 'flood' }, code: 'answer_too_large', action: 'unknown' },
  {
    name: 'a body of 10 GB',
    reply: answer(200, '{', { 'content-length': '10000000000' }),
    code: 'answer_too_large',
    action: 'unknown',
  },
  {
    name: 'a body of 300 KiB',
    reply: answer(200, ' '.repeat(300 * 1024)),
    code: 'answer_too_large',
    pagesCode: 'malformed_answer',
    action: 'unknown',
  },
  { name: 'an HTML 404', reply: answer(404, html, asHtml), code: 'malformed_answer', action: 'no' },
  { name: 'an empty 400', reply: answer(400, ''), code: 'malformed_answer', action: 'no' },
  { name: 'a 401', reply: answer(401, '{"status":false,"message":"Invalid key"}'), code: 'invalid_credentials', action: 'no' },
  { name: 'a 403', reply: answer(403, html, asHtml), code: 'invalid_credentials', action: 'no' },
  { name: 'a 429', reply: answer(429, '{"message":"slow down"}', { 'retry-after': '3' }), code: 'rate_limited', action: 'no' },
  { name: 'a 408', reply: answer(408, ''), code: 'timeout', action: 'unknown' },
  { name: 'silence', reply: { kind: 'hang' }, code: 'timeout', action: 'unknown' },
  { name: 'a byte at a time', reply: { kind: 'drip' }, code: 'timeout', action: 'unknown' },
  { name: 'a reset connection', reply: { kind: 'reset' }, code: 'connection_lost', action: 'unknown' },
  { name: 'half an answer', reply: { kind: 'cut' }, code: 'connection_lost', action: 'unknown' },
];
