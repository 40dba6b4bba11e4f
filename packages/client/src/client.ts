import { SwitchyardError, SwitchyardIdError } from './errors.ts';
import { type ApiRequest, type CallOptions, type Connection, send } from './send.ts';
import type {
  DataOf,
  Dispute,
  DisputeList,
  DisputeQuery,
  EventList,
  EventQuery,
  InitiatedPayment,
  InitiateParameters,
  Payment,
  PaymentList,
  PaymentQuery,
  Refund,
  RefundList,
  RefundParameters,
  RefundQuery,
  RuleDraft,
  RuleDraftParameters,
  RuleSetFile,
  Rules,
  RulesCheck,
  Settlement,
  SettlementLine,
  SettlementLineList,
  SettlementLineQuery,
  SettlementList,
  SettlementQuery,
  TestEventParameters,
  VerificationResult,
  VerifyParameters,
  WebhookEvent,
} from './types.ts';
import { webhooks } from './webhooks.ts';

/** Where Switchyard is, and as whom to call it. */
export interface SwitchyardOptions {
  /** Its address, such as `https://switchyard.example`. */
  readonly baseUrl: string;
  /** A secret key, `sk_test_…` or `sk_live_…`. Never in a browser. */
  readonly apiKey: string;
  /** Longest wait for one answer, in milliseconds; 30 seconds unless given. Initiate may take 20 while gateways are in trouble. */
  readonly timeoutMs?: number;
  /** How often at most a request is sent again after the first time; 3 unless given. */
  readonly retriesMax?: number;
  /** Sends the requests instead of the runtime's own `fetch`. */
  readonly fetch?: typeof fetch;
}

/** A client of one merchant in one mode: those of its key. */
export interface Switchyard {
  readonly payments: {
    /**
     * Starts a payment: picks a gateway, opens a checkout there and answers where to send the customer. Sent again after a lost answer,
     * it is still one payment.
     */
    initiate(parameters: InitiateParameters, options?: CallOptions): Promise<InitiatedPayment>;
    retrieve(paymentId: string, options?: CallOptions): Promise<Payment>;
    /** Asks the gateway what became of a payment. Do this before you ship. */
    verify(paymentId: string, parameters?: VerifyParameters, options?: CallOptions): Promise<VerificationResult>;
    /** Every payment that matches, newest first, read a page at a time as the loop goes on. */
    list(query?: PaymentQuery, options?: CallOptions): AsyncIterable<Payment>;
    /** One page; the next one begins at its `nextCursor`. */
    listPage(query?: PaymentQuery, options?: CallOptions): Promise<PaymentList>;
  };
  readonly refunds: {
    /** Refunds a payment: an `amount`, or `full: true` for all that is left. It is PENDING at first; `refund.succeeded` or `refund.failed` is its end. */
    create(paymentId: string, parameters: RefundParameters, options?: CallOptions): Promise<Refund>;
    retrieve(paymentId: string, refundId: string, options?: CallOptions): Promise<Refund>;
    list(paymentId: string, query?: RefundQuery, options?: CallOptions): AsyncIterable<Refund>;
    listPage(paymentId: string, query?: RefundQuery, options?: CallOptions): Promise<RefundList>;
  };
  /** Payouts of gateways and what is in them. Needs a key that may read settlements. */
  readonly settlements: {
    retrieve(settlementId: string, options?: CallOptions): Promise<Settlement>;
    /** Every settlement that matches: those that are not paid out yet, then the newest. */
    list(query?: SettlementQuery, options?: CallOptions): AsyncIterable<Settlement>;
    listPage(query?: SettlementQuery, options?: CallOptions): Promise<SettlementList>;
    /** The lines of a settlement in the gateway's order. They add up to its net amount. */
    listLines(settlementId: string, query?: SettlementLineQuery, options?: CallOptions): AsyncIterable<SettlementLine>;
    listLinesPage(settlementId: string, query?: SettlementLineQuery, options?: CallOptions): Promise<SettlementLineList>;
  };
  /** Payments that customers dispute. They are answered on the dashboard. */
  readonly disputes: {
    retrieve(disputeId: string, options?: CallOptions): Promise<Dispute>;
    /** Every dispute that matches, newest first. */
    list(query?: DisputeQuery, options?: CallOptions): AsyncIterable<Dispute>;
    listPage(query?: DisputeQuery, options?: CallOptions): Promise<DisputeList>;
  };
  readonly events: {
    /** Every event that matches, newest first: what a webhook endpoint that was away has missed. */
    list(query?: EventQuery, options?: CallOptions): AsyncIterable<WebhookEvent>;
    listPage(query?: EventQuery, options?: CallOptions): Promise<EventList>;
    /** In test mode, sends the newest event of a type to your endpoints once more, under an id of its own. */
    sendTest(parameters: TestEventParameters, options?: CallOptions): Promise<WebhookEvent>;
  };
  /** Needs a key that was granted `rules:read` or `rules:write` by name. */
  readonly rules: {
    /** The active rules. */
    retrieve(options?: CallOptions): Promise<Rules>;
    /** Findings that the dashboard would show for a file before its rules are published. */
    check(file: RuleSetFile, options?: CallOptions): Promise<RulesCheck>;
    /** Saves a file as a new draft, for staff to publish. */
    createDraft(parameters: RuleDraftParameters, options?: CallOptions): Promise<RuleDraft>;
  };
  readonly webhooks: typeof webhooks;
}

const TIMEOUT_MS = 30_000;
const RETRIES_MAX = 3;

/** Makes a client. It sends nothing yet and holds no connection. The key is in none of its properties, so that logging it is safe. */
export function createSwitchyard(options: SwitchyardOptions): Switchyard {
  const connection: Connection = {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retriesMax: options.retriesMax ?? RETRIES_MAX,
    // Called through the global object, which some runtimes insist on.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  };
  const call = <Data>(request: ApiRequest, callOptions?: CallOptions) => send<Data>(connection, request, callOptions);

  const listPayments = (query: PaymentQuery = {}, callOptions?: CallOptions) =>
    call<DataOf<'listPayments'>>({ method: 'GET', path: '/v1/payments', query }, callOptions);
  const listRefunds = async (paymentId: string, query: RefundQuery = {}, callOptions?: CallOptions) =>
    call<DataOf<'listRefunds'>>({ method: 'GET', path: `${pathOf(paymentId)}/refunds`, query }, callOptions);
  const listEvents = (query: EventQuery = {}, callOptions?: CallOptions) =>
    call<DataOf<'listEvents'>>({ method: 'GET', path: '/v1/events', query }, callOptions);
  const listSettlements = (query: SettlementQuery = {}, callOptions?: CallOptions) =>
    call<DataOf<'listSettlements'>>({ method: 'GET', path: '/v1/settlements', query }, callOptions);
  const listLines = async (settlementId: string, query: SettlementLineQuery = {}, callOptions?: CallOptions) =>
    call<DataOf<'listSettlementLines'>>(
      { method: 'GET', path: `${addressOf('settlements', settlementId)}/lines`, query },
      callOptions,
    );
  const listDisputes = (query: DisputeQuery = {}, callOptions?: CallOptions) =>
    call<DataOf<'listDisputes'>>({ method: 'GET', path: '/v1/disputes', query }, callOptions);

  return {
    payments: {
      initiate: (body, callOptions) =>
        call<InitiatedPayment>({ method: 'POST', path: '/v1/payments/initiate', body, once: true }, callOptions),
      retrieve: async (paymentId, callOptions) => call<Payment>({ method: 'GET', path: pathOf(paymentId) }, callOptions),
      verify: async (paymentId, body = {}, callOptions) =>
        call<VerificationResult>({ method: 'POST', path: `${pathOf(paymentId)}/verify`, body }, callOptions),
      list: (query, callOptions) =>
        eachItem(
          (cursor) => listPayments({ ...query, ...cursor }, callOptions),
          ({ payments }) => payments,
        ),
      listPage: listPayments,
    },
    refunds: {
      create: async (paymentId, body, callOptions) =>
        call<Refund>({ method: 'POST', path: `${pathOf(paymentId)}/refunds`, body, once: true }, callOptions),
      retrieve: async (paymentId, refundId, callOptions) =>
        call<Refund>({ method: 'GET', path: `${pathOf(paymentId)}/refunds/${segment('a refund', refundId)}` }, callOptions),
      list: (paymentId, query, callOptions) =>
        eachItem(
          (cursor) => listRefunds(paymentId, { ...query, ...cursor }, callOptions),
          ({ refunds }) => refunds,
        ),
      listPage: listRefunds,
    },
    settlements: {
      retrieve: async (settlementId, callOptions) =>
        call<Settlement>({ method: 'GET', path: addressOf('settlements', settlementId) }, callOptions),
      list: (query, callOptions) =>
        eachItem(
          (cursor) => listSettlements({ ...query, ...cursor }, callOptions),
          ({ settlements }) => settlements,
        ),
      listPage: listSettlements,
      listLines: (settlementId, query, callOptions) =>
        eachItem(
          (cursor) => listLines(settlementId, { ...query, ...cursor }, callOptions),
          ({ lines }) => lines,
        ),
      listLinesPage: listLines,
    },
    disputes: {
      retrieve: async (disputeId, callOptions) =>
        call<Dispute>({ method: 'GET', path: addressOf('disputes', disputeId) }, callOptions),
      list: (query, callOptions) =>
        eachItem(
          (cursor) => listDisputes({ ...query, ...cursor }, callOptions),
          ({ disputes }) => disputes,
        ),
      listPage: listDisputes,
    },
    events: {
      list: (query, callOptions) =>
        eachItem(
          (cursor) => listEvents({ ...query, ...cursor }, callOptions),
          ({ events }) => events,
        ),
      listPage: listEvents,
      sendTest: async (body, callOptions) =>
        call<WebhookEvent>({ method: 'POST', path: '/v1/events/test', body, mayRepeat: false }, callOptions),
    },
    rules: {
      retrieve: async (callOptions) => call<Rules>({ method: 'GET', path: '/v1/rules' }, callOptions),
      check: async (file, callOptions) =>
        call<RulesCheck>({ method: 'POST', path: '/v1/rules/check', body: { file } }, callOptions),
      createDraft: async (body, callOptions) =>
        call<RuleDraft>({ method: 'POST', path: '/v1/rules/drafts', body, mayRepeat: false }, callOptions),
    },
    webhooks,
  };
}

/** The items of all pages, in order; a page is read when the one before is used up. */
async function* eachItem<Page extends { readonly nextCursor: string | null }, Item>(
  readPage: (from: { readonly cursor?: string }) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  let page = await readPage({});
  yield* itemsOf(page);
  while (page.nextCursor !== null) {
    page = await readPage({ cursor: page.nextCursor });
    yield* itemsOf(page);
  }
}

function pathOf(paymentId: string): string {
  return addressOf('payments', paymentId);
}

const NAMES = { payments: 'a payment', settlements: 'a settlement', disputes: 'a dispute' } as const;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function addressOf(list: keyof typeof NAMES, id: string): string {
  return `/v1/${list}/${segment(NAMES[list], id)}`;
}

/** An id often comes from a browser. Encoding is not enough: an empty one, or `..`, is the address of something else. */
function segment(name: string, id: string): string {
  if (!UUID.test(id)) throw new SwitchyardIdError(`The id of ${name} must be a UUID`);
  return id;
}

function readBaseUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw new SwitchyardError(`baseUrl must be a web address: ${text}`);
  return text.replace(/\/+$/, '');
}
