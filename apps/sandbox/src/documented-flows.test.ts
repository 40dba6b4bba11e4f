import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import { type GatewayName, gatewayNames, simulators } from './simulators.ts';
import { type Client, clients, email, has, type Shown } from './testing/clients.ts';
import {
  differencesFrom,
  differencesFromFlow,
  readDocumentedFlows,
  readDocumentedShapes,
  readVocabulary,
} from './testing/documented.ts';
import { at, call, listAt, quickSandbox, type Receiver, receiver, settle, textAt } from './testing/harness.ts';

/** Flows of every simulator that are checked against the documented examples of the gateway. */
const FLOWS = [
  'failed',
  'pending',
  'abandoned',
  'reversed',
  'refund pending',
  'refund done',
  'refund failed',
  'disputed',
  'listed',
  'refunds listed',
  'settled',
  'wrong key',
  'duplicate reference',
  'unknown reference',
  'invalid amount',
  'failed event',
  'refund pending event',
  'refund done event',
  'refund failed event',
  'dispute event',
  'settlement event',
] as const;

type Flow = (typeof FLOWS)[number];

/** Flows whose examples show one state, which the simulator has to name by the same word. */
const HAS_STATE: ReadonlySet<Flow> = new Set<Flow>([
  'failed',
  'pending',
  'abandoned',
  'reversed',
  'refund pending',
  'refund done',
  'refund failed',
  'failed event',
  'refund done event',
  'refund failed event',
]);

let sandbox: Sandbox;

beforeAll(async () => {
  // Refunds end when the flow says so.
  sandbox = await quickSandbox({ refundDelayMs: 600_000 });
});
afterAll(() => sandbox.close());

/** One simulator, with what its staff and its customers do. */
class Stage {
  readonly gateway: GatewayName;
  readonly client: Client;
  readonly #hooks: Receiver;
  #count = 0;

  constructor(gateway: GatewayName, client: Client, hooks: Receiver) {
    this.gateway = gateway;
    this.client = client;
    this.#hooks = hooks;
  }

  /** The webhook that `is` accepts, once it has come. */
  async event(is: (body: unknown) => boolean): Promise<Shown> {
    const { received } = this.#hooks;
    for (let count = received.length; ; count += 1) {
      const found = received.find(({ body }) => is(body));
      if (found !== undefined) return { status: 200, body: found.body };
      await this.#hooks.count(count + 1);
    }
  }

  reference(): string {
    this.#count += 1;
    return `flow-${this.gateway}-${this.#count}`;
  }

  async control(method: string, path: string, body: unknown): Promise<unknown> {
    const { status, body: answered } = await call(method, `${sandbox.controlUrl}/control/${this.gateway}${path}`, null, body);
    expect([path, status]).toEqual([path, 200]);
    return answered;
  }

  async opened(): Promise<string> {
    const reference = this.reference();
    await this.client.open(reference);
    return reference;
  }

  async paid(): Promise<string> {
    const reference = await this.opened();
    await this.pay(reference);
    return reference;
  }

  async pay(reference: string): Promise<void> {
    await settle(sandbox, this.gateway, reference, { outcome: 'success' });
  }

  async altered(status: 'failed' | 'pending'): Promise<Shown> {
    const reference = await this.opened();
    // A payment that failed was tried: the customer's try is what fails, or what goes on.
    await settle(sandbox, this.gateway, reference, { outcome: 'failed' });
    await this.control('POST', `/transactions/${reference}/alter`, { status });
    return this.client.verify(reference);
  }

  /** A refund that ended so, by the gateway's call. */
  async refunded(outcome: 'processed' | 'failed'): Promise<Shown> {
    const reference = await this.paid();
    const requested = await this.client.refund(reference);
    await this.endRefund(reference, outcome);
    return present(this.client.findRefund)(requested);
  }

  async endRefund(reference: string, outcome: 'processed' | 'failed'): Promise<void> {
    const journal = await this.control('GET', '/journal', undefined);
    const own = listAt(journal, 'refunds').find((refund) => at(refund, 'reference') === reference);
    await this.control('POST', `/refunds/${textAt(own, 'id')}/settle`, { outcome });
  }

  async dispute(reference: string): Promise<void> {
    await this.control('POST', `/transactions/${reference}/dispute`, { amount: 200 * this.client.naira });
  }

  /** The gateway's call for payouts. */
  settled(): Promise<Shown> {
    return present(this.client.settled)((is) => this.event(is));
  }

  /** The payout of what was paid. */
  async payOut(): Promise<void> {
    await this.control('POST', '/settlements', {});
  }
}

function present<T>(member: T | undefined): T {
  if (member === undefined) throw new Error('the gateway has no such call');
  return member;
}

const scenarios: Readonly<Record<Flow, (stage: Stage) => Promise<Shown>>> = {
  failed: (stage) => stage.altered('failed'),
  pending: (stage) => stage.altered('pending'),
  async abandoned(stage) {
    const reference = stage.reference();
    await stage.control('POST', '/transactions', { reference, amount: 1_000 * stage.client.naira, status: 'abandoned' });
    return stage.client.verify(reference);
  },
  async reversed(stage) {
    const reference = await stage.paid();
    await stage.control('POST', `/transactions/${reference}/reverse`, {});
    return stage.client.verify(reference);
  },
  async 'refund pending'(stage) {
    const requested = await stage.client.refund(await stage.paid());
    return stage.client.showsPendingRefund === true ? present(stage.client.findRefund)(requested) : requested;
  },
  'refund done': (stage) => stage.refunded('processed'),
  'refund failed': (stage) => stage.refunded('failed'),
  async disputed(stage) {
    await stage.dispute(await stage.paid());
    return present(stage.client.listDisputes)();
  },
  async listed(stage) {
    await stage.paid();
    return stage.client.list();
  },
  async 'refunds listed'(stage) {
    await stage.refunded('processed');
    return present(stage.client.listRefunds)();
  },
  async settled(stage) {
    await stage.paid();
    await stage.payOut();
    return stage.settled();
  },
  'wrong key': (stage) => present(stage.client.withWrongKey)(stage.reference()),
  async 'duplicate reference'(stage) {
    return stage.client.open(await stage.opened());
  },
  'unknown reference': (stage) => stage.client.verify(stage.reference()),
  'invalid amount': (stage) => stage.client.openInvalid(stage.reference()),
  async 'failed event'(stage) {
    const reference = await stage.opened();
    await settle(sandbox, stage.gateway, reference, { outcome: 'failed' });
    return stage.event((body) => has(body, reference));
  },
  async 'refund pending event'(stage) {
    await stage.client.refund(await stage.paid());
    return stage.event((body) => present(stage.client.isRefundEvent)(body, 'pending'));
  },
  async 'refund done event'(stage) {
    await stage.refunded('processed');
    return stage.event((body) => present(stage.client.isRefundEvent)(body, 'done'));
  },
  async 'refund failed event'(stage) {
    await stage.refunded('failed');
    return stage.event((body) => present(stage.client.isRefundEvent)(body, 'failed'));
  },
  async 'dispute event'(stage) {
    await stage.dispute(await stage.paid());
    return stage.event((body) => has(body, 'charge.dispute.create'));
  },
  async 'settlement event'(stage) {
    await stage.paid();
    await stage.payOut();
    return stage.event((body) => has(body, '"SETTLEMENT"'));
  },
};

/** A payment from its opening to its payout, with a refund and a dispute: answers and webhooks by the names of the documented shapes. */
const fromOpeningToPayout: Readonly<Record<GatewayName, (stage: Stage) => Promise<Readonly<Record<string, Shown>>>>> = {
  async paystack(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const initialize = await client.open(reference);
    const duplicate = await client.open(reference);
    const error = await present(client.openWithoutEmail)(stage.reference());
    const refusal = await present(client.withWrongKey)(reference);
    await stage.pay(reference);
    const verify = await client.verify(reference);
    const refundCreated = await client.refund(reference);
    await stage.endRefund(reference, 'processed');
    await stage.dispute(reference);
    const disputes = await present(client.listDisputes)();
    const dispute = `/dispute/${textAt(disputes.body, 'data', 0, 'id')}`;
    const uploadUrl = await client.ask('GET', `${dispute}/upload_url?upload_filename=a.pdf`);
    await fetch(textAt(uploadUrl.body, 'data', 'signedUrl'), { method: 'PUT', body: 'a file' });
    await stage.payOut();
    const settlements = await stage.settled();
    return {
      initialize,
      duplicate,
      error,
      refusal,
      verify,
      transactions: await client.list(),
      refundCreated,
      refundFetched: await present(client.findRefund)(refundCreated),
      refunds: await present(client.listRefunds)(),
      chargeEvent: await stage.event((body) => has(body, 'charge.success', reference)),
      refundEvent: await stage.event((body) => has(body, 'refund.processed', reference)),
      disputeEvent: await stage.event((body) => has(body, 'charge.dispute.create')),
      disputes,
      dispute: await client.ask('GET', dispute),
      uploadUrl,
      evidence: await client.ask('POST', `${dispute}/evidence`, {
        customer_email: email,
        customer_name: 'Ada Obi',
        customer_phone: '0800',
        service_details: 'a book',
        delivery_address: '1 Broad Street',
      }),
      disputeResolved: await client.ask('PUT', `${dispute}/resolve`, {
        resolution: 'merchant-accepted',
        message: 'Accepted',
        refund_amount: 20_000,
        uploaded_filename: textAt(uploadUrl.body, 'data', 'fileName'),
      }),
      settlements,
      settlementTransactions: await client.ask('GET', `/settlement/${textAt(settlements.body, 'data', 0, 'id')}/transactions`),
    };
  },

  async flutterwave(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const link = await client.open(reference);
    const refusal = await client.verify(reference);
    await stage.pay(reference);
    const refund = await client.refund(reference);
    await stage.endRefund(reference, 'processed');
    await stage.dispute(reference);
    await stage.payOut();
    const settlements = await stage.settled();
    const chargebacks = await present(client.listDisputes)();
    return {
      link,
      refusal,
      transaction: await client.verify(reference),
      transactions: await client.list(),
      refund,
      refunds: await present(client.listRefunds)(),
      chargeEvent: await stage.event((body) => has(body, 'charge.completed', reference)),
      refundEvent: await stage.event((body) => has(body, 'AmountRefunded')),
      settlements,
      settlement: await client.ask('GET', `/settlements/${textAt(settlements.body, 'data', 0, 'id')}`),
      chargebacks,
      upload: await present(client.upload)(),
      chargebackAnswered: await client.ask('PUT', `/chargebacks/${textAt(chargebacks.body, 'data', 0, 'id')}`, {
        action: 'accept',
        comment: 'Accepted',
      }),
    };
  },

  async monnify(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const initialised = await client.open(reference);
    const refusal = await client.open(reference);
    await stage.pay(reference);
    const transaction = await client.verify(reference);
    const refund = await client.refund(reference);
    await stage.endRefund(reference, 'processed');
    await stage.payOut();
    return {
      token: { status: 200, body: client.token },
      initialised,
      refusal,
      transaction,
      transactions: await client.list(),
      refund,
      refunds: await present(client.listRefunds)(),
      collectionEvent: await stage.event((body) => has(body, 'SUCCESSFUL_TRANSACTION', reference)),
      refundEvent: await stage.event((body) => has(body, 'SUCCESSFUL_REFUND')),
      settlementEvent: await stage.event((body) => has(body, '"SETTLEMENT"')),
      settled: await stage.settled(),
    };
  },

  async squad(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const initiate = await client.open(reference);
    const initiateRefusal = await present(client.openWithoutKey)(reference);
    const invalidFields = await present(client.openWithoutEmail)(stage.reference());
    const refusal = await client.verify(stage.reference());
    const keyRefusal = await present(client.withWrongKey)(reference);
    await stage.pay(reference);
    return {
      initiate,
      initiateRefusal,
      invalidFields,
      refusal,
      keyRefusal,
      verify: await client.verify(reference),
      transactions: await client.list(),
      refund: await client.refund(reference),
      chargeEvent: await stage.event((body) => has(body, 'charge_successful', reference)),
    };
  },

  async kora(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const initialize = await client.open(reference);
    const refusal = await client.open(reference);
    const invalid = await client.openInvalid(stage.reference());
    await stage.pay(reference);
    const refund = await client.refund(reference);
    await stage.endRefund(reference, 'processed');
    return {
      initialize,
      refusal,
      invalid,
      charge: await client.verify(reference),
      payIns: await client.list(),
      refund,
      refundEvent: await stage.event((body) => has(body, 'refund.success', `rf-${reference}`)),
      refundFound: await present(client.findRefund)(refund),
      refunds: await present(client.listRefunds)(),
      chargeEvent: await stage.event((body) => has(body, 'charge.success', reference)),
    };
  },

  async interswitch(stage) {
    const { client } = stage;
    const reference = stage.reference();
    const bill = await client.open(reference);
    const notFound = await client.verify(stage.reference());
    await stage.pay(reference);
    return {
      token: { status: 200, body: client.token },
      bill,
      notFound,
      answeredNone: await present(client.verifyOtherAmount)(reference),
      transaction: await client.verify(reference),
      refund: await client.refund(reference),
      transactionEvent: await stage.event((body) => has(body, 'TRANSACTION.COMPLETED', reference)),
    };
  },
};

const wordAlone = 'the source names the state alone, and shows no such answer';

/**
 * Flows without a documented example, each with its reason. One that has an example fails the suite as well: then the flow is to be
 * checked.
 */
const GAPS: Readonly<Record<GatewayName, Readonly<Partial<Record<Flow, string>>>>> = {
  paystack: {
    'refund failed': wordAlone,
    'invalid amount': 'the one sample of a refused request is of a missing parameter',
    'failed event': 'no event of a charge that failed is listed under the supported events',
    'settlement event': 'no event of settlements is listed under the supported events',
  },
  flutterwave: {
    reversed: 'transactions have no such status: refunds and chargebacks are records of their own',
    'wrong key': 'no page shows the answer to a key that is not known',
    'duplicate reference': 'no page shows it, and references may be used again',
    'invalid amount': 'no page shows the answer to invalid fields',
    'refund pending event': 'the one sample is of a refund that is done',
    'refund failed event': 'the one sample is of a refund that is done',
    'dispute event': 'the page on chargebacks names the event, and shows no body',
    'settlement event': 'no event of settlements is documented',
  },
  monnify: {
    disputed: 'no disputes are documented',
    'wrong key': 'no page shows the answer to keys that are not known',
    'failed event': 'events are of collections that succeeded',
    'refund pending event': 'events are of refunds that ended',
    'dispute event': 'no disputes are documented',
  },
  squad: {
    reversed: 'a status of transfers alone',
    'refund done': 'no call that shows a refund is documented, and no word but pending',
    'refund failed': 'no call that shows a refund is documented, and no word but pending',
    disputed: 'the sample answer of the list of disputes is empty',
    'refunds listed': 'no list of refunds is documented',
    settled: 'no list of settlements is documented',
    'duplicate reference': 'references have to differ; the words of the refusal are not documented',
    'failed event': 'the one event is of charges that succeeded',
    'refund pending event': 'no event of refunds is documented',
    'refund done event': 'no event of refunds is documented',
    'refund failed event': 'no event of refunds is documented',
    'dispute event': 'no event of disputes is documented',
    'settlement event': 'no event of settlements is documented',
  },
  kora: {
    reversed: 'charges have no such status',
    disputed: 'chargebacks can be updated by their reference, and are listed by no call',
    settled: 'no list of settlements is documented',
    'failed event': 'the page on Checkout says that only success is sent',
    'refund pending event': 'events are of refunds that ended',
    'dispute event': 'no event of chargebacks is documented',
    'settlement event': 'no event of settlements is documented',
  },
  interswitch: {
    reversed: 'no such response code is documented for a payment that was approved',
    disputed: 'disputes are in Arbiter, which is for banks',
    'refunds listed': 'the page on refunds names the list, and shows no answer',
    settled: 'no list of settlements is documented',
    'wrong key': 'no page shows the answer to a client that is not known',
    'duplicate reference': 'the code is documented (Z5), the answer that carries it is not',
    'invalid amount': 'no page shows the answer to invalid fields',
    'refund pending event': 'no event of refunds is documented',
    'refund done event': 'no event of refunds is documented',
    'refund failed event': 'no event of refunds is documented',
    'dispute event': 'no event of disputes is documented',
    'settlement event': 'no event of settlements is documented',
  },
};

const unnamed = 'the order names no customer: null in other samples';
const unpaid = 'one that was not paid is listed as well, the sample has paid ones alone';
const justMade = 'null in the sample of a refund that was just made';
const searched = 'in the API reference’s answer of the search, not in the SDK’s sample';
const card = 'in the table of the page on card payments, whose sample was not found';
const oneObject = 'the page announces a list and shows one object in its place';
const byCard = 'paid by card, the sample from a bank account';
const repeated = 'a field of the request, which the answer repeats';
const compared = 'rows that do not name the reference and the code cannot be compared with anything';

/** Differences that are meant, by flow, each with its reason. One that is no longer there fails the suite as well. */
const KNOWN: Readonly<Record<GatewayName, Readonly<Partial<Record<Flow, Readonly<Record<string, string>>>>>>> = {
  paystack: {
    'refund done': { 'data.channel: null, documented as string': justMade },
    listed: {
      'data[].paid_at: null, documented as string': unpaid,
      'data[].ip_address: null, documented as string': unpaid,
      'data[].fees: null, documented as number': unpaid,
      'data[].paidAt: null, documented as string': unpaid,
    },
    'refunds listed': { 'data[].channel: null, documented as string': justMade },
    'unknown reference': {
      'HTTP 400, documented as 404':
        'the OpenAPI gives 404 for all calls, the sample answers of verify have 400 for what it refuses',
    },
    'refund pending event': {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
    },
    'refund done event': {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
    },
    'refund failed event': {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
    },
    'dispute event': {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
      'data.customer.phone: null, documented as string': unnamed,
    },
  },
  flutterwave: {
    listed: { 'data[].account: missing': byCard },
    'refund done event': {
      'status: completed-mpgs, documented as completed': 'the sample has the bare word, the table of statuses one for each way',
    },
  },
  monnify: {
    listed: {
      'responseBody.content[].customerDTO.merchantCode: in no example': searched,
      'responseBody.content[].providerAmount: in no example': searched,
      'responseBody.content[].flagged: in no example': searched,
      'responseBody.content[].merchantCode: in no example': searched,
      'responseBody.content[].payableAmount: in no example': searched,
      'responseBody.content[].paymentMethod: null, documented as string': unpaid,
    },
    'settlement event': {
      'eventData.transactions[].accountDetails: null, documented as object': 'paid by card, the sample by transfer',
    },
  },
  squad: {
    listed: {
      'data[].customer_name: null, documented as string': unnamed,
      'data[].transaction_type: null, documented as string': unpaid,
    },
    'invalid amount': { 'errors.email: missing': 'the sample is of another field' },
  },
  kora: {
    failed: { 'data.card: in no example': card },
    pending: { 'data.card: in no example': card },
    listed: { 'data: list, documented as object': oneObject },
    'refunds listed': { 'data.refunds[].completed_at: null, documented as string': 'one that is under way, the sample is done' },
  },
  interswitch: {
    'refund pending': { 'parentTransactionReference: in no example': repeated },
    'refund done': { 'parentTransactionReference: in no example': repeated },
    'refund failed': { 'parentTransactionReference: in no example': repeated },
    listed: {
      'data[].merchant_reference: in no example': compared,
      'data[].currency_code: in no example': compared,
      'data[].response_code: in no example': compared,
      'data[].payment_channel: in no example': compared,
    },
  },
};

/** As {@link KNOWN}, by the names of the shapes of a payment from its opening to its payout. */
const KNOWN_SHAPES: Readonly<Record<GatewayName, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  paystack: {
    disputeEvent: {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
      'data.customer.phone: null, documented as string': unnamed,
    },
    refundEvent: {
      'data.customer.first_name: null, documented as string': unnamed,
      'data.customer.last_name: null, documented as string': unnamed,
    },
    refundFetched: { 'data.channel: null, documented as string': justMade },
    refunds: { 'data[].channel: null, documented as string': justMade },
    settlementTransactions: { 'data[].message: null, documented as string': 'null in the samples of every other transaction' },
  },
  flutterwave: {
    transactions: { 'data[].account: missing': byCard },
  },
  monnify: {
    initialised: {
      'responseBody.incomeSplitConfig: in no example': 'in the table of the API reference, not in the SDK’s sample',
    },
    settlementEvent: {
      'eventData.transactions[].accountDetails: null, documented as object': 'paid by card, the sample by transfer',
    },
    transactions: {
      'responseBody.content[].customerDTO.merchantCode: in no example': searched,
      'responseBody.content[].providerAmount: in no example': searched,
      'responseBody.content[].flagged: in no example': searched,
      'responseBody.content[].merchantCode: in no example': searched,
      'responseBody.content[].payableAmount: in no example': searched,
    },
  },
  squad: {
    chargeEvent: { 'Body.payment_information.token_id: null, documented as string': 'the card was not to be tokenised' },
    transactions: { 'data[].customer_name: null, documented as string': unnamed },
  },
  kora: {
    charge: { 'data.card: in no example': card },
    payIns: { 'data: list, documented as object': oneObject },
  },
  interswitch: {
    refund: { 'parentTransactionReference: in no example': repeated },
  },
};

describe.each(gatewayNames)('the simulator of %s', (gateway) => {
  const documented = readDocumentedFlows(gateway);
  const known = readVocabulary(gateway);
  const gaps = Object.keys(GAPS[gateway]);
  let stage: Stage;
  let hooks: Receiver;

  beforeAll(async () => {
    hooks = await receiver();
    const credentials = simulators[gateway].credentialsFor('demo');
    const registered = { ...credentials, webhookUrl: hooks.url, refundWebhooks: true };
    await call('PUT', `${sandbox.controlUrl}/control/${gateway}/keys`, null, registered);
    stage = new Stage(gateway, await clients[gateway](sandbox, credentials), hooks);
  });
  afterAll(() => hooks.close());

  it('has an example of every flow, or a reason why there is none', () => {
    expect([...documented.keys()].filter((flow) => !FLOWS.some((each) => each === flow))).toEqual([]);
    expect(FLOWS.filter((flow) => !documented.has(flow))).toEqual(FLOWS.filter((flow) => gaps.includes(flow)));
  });

  // Before the others, whose payments would be in its lists.
  it('answers a payment from its opening to its payout in the documented shapes, but for what is meant', async () => {
    const shapes = readDocumentedShapes(gateway);
    const shown = await fromOpeningToPayout[gateway](stage);
    expect(Object.keys(shown).toSorted()).toEqual([...shapes.keys()].toSorted());
    const differences = [...shapes].map(([name, shape]) => [name, differencesFrom(shape, shown[name]?.body, known)] as const);
    const meant = Object.entries(KNOWN_SHAPES[gateway]).map(([name, reasons]) => [name, Object.keys(reasons)]);
    expect(Object.fromEntries(differences.filter(([, each]) => each.length > 0))).toEqual(Object.fromEntries(meant));
  });

  it.each(FLOWS.filter((flow) => documented.has(flow)))('%s: is answered as documented, but for what is meant', async (flow) => {
    const example = documented.get(flow);
    if (example === undefined) throw new Error('the flow has an example');
    const shown = await scenarios[flow](stage);
    const found = differencesFromFlow(example, shown, { hasState: HAS_STATE.has(flow), known });
    expect(found).toEqual(Object.keys(KNOWN[gateway][flow] ?? {}));
  });
});
