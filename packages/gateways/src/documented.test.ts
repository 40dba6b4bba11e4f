import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeGatewayConnections } from './connections.ts';
import type { AccountAccess, Gateway, ListedSettlement } from './gateway.ts';
import { publishedWords, stateKinds } from './published-states.ts';
import { findGateway, gatewayNames } from './registry.ts';
import { type DocumentedExample, documentedGateways, headersWith, readDocumented, signDocumented } from './testing/replay.ts';
import { delivered, order, query, refundOrder, wireReply } from './testing/script.ts';
import { type StubServer, startStubServer } from './testing/stub-server.ts';

const patient = { timeoutMs: 10_000 };
const period = { from: new Date('2000-01-01T00:00:00Z'), to: new Date('2100-01-01T00:00:00Z'), cursor: null };

/** Settlement whose lines are asked for: its id and net amount are the example's. */
const settlement: ListedSettlement = {
  settlementId: '1',
  status: 'paid',
  currency: 'NGN',
  gross: '0',
  fees: '0',
  deductions: '0',
  net: '0',
  settledOn: null,
  createdAt: new Date('2026-11-20T00:00:00Z'),
};

const answer = {
  action: 'accept',
  amount: '10.02',
  message: 'Merchant accepted',
  evidence: 'proof.pdf',
  customer: null,
} as const;

const evidenceFile = { fileName: 'proof.pdf', mediaType: 'application/pdf', content: new Uint8Array([1]) };

/** Runs the connector's function of that name, with the defaults that the example's input replaces. */
function run(gateway: Gateway, account: AccountAccess, { operation, input }: DocumentedExample): Promise<unknown> {
  const amounts = typeof input.amount === 'number' ? { ...input, amount: BigInt(input.amount) } : input;
  const named = { gatewayDisputeId: '1', gatewayRefundId: '1' };
  switch (operation) {
    case 'open':
      return gateway.open(account, { ...order, ...amounts }, patient);
    case 'verify':
      return gateway.verify(account, { ...query, ...amounts }, patient);
    case 'refund':
      return gateway.refund(account, { ...refundOrder, ...amounts }, patient);
    case 'findRefund':
      return gateway.findRefund(account, { ...named, ...input }, patient);
    case 'listPayments':
      return gateway.listPayments(account, period, patient);
    case 'listRefunds':
      return gateway.listRefunds(account, { ...period, paymentReference: null, transactionId: null, ...input }, patient);
    case 'listSettlements':
      return present(gateway.listSettlements)(account, period, patient);
    case 'listSettlementLines':
      return present(gateway.listSettlementLines)(account, { settlement: { ...settlement, ...input }, cursor: null }, patient);
    case 'findDispute':
      return present(gateway.findDispute)(account, { ...named, ...input }, patient);
    case 'listDisputes':
      return present(gateway.listDisputes)(account, period, patient);
    case 'answerDispute':
      return present(gateway.answerDispute)(account, { ...named, ...answer, ...input }, patient);
    case 'uploadEvidence':
      return present(gateway.uploadEvidence)(account, { ...named, ...evidenceFile, ...input }, patient);
    default:
      throw new Error(`there is no operation ${operation}`);
  }
}

function present<T>(member: T | undefined): T {
  if (member === undefined) throw new Error('the gateway has no such operation');
  return member;
}

/** Times as text, as the examples have them. */
function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

/** Kinds of answers that every gateway's examples show, by what counts as one. */
const KINDS = {
  success: ({ topic }) => topic === 'success',
  failure: ({ topic }) => topic === 'failed',
  pending: ({ topic }) => topic === 'pending',
  reversed: ({ topic }) => topic === 'reversed',
  refund: ({ topic, kind }) => topic === 'refund' && kind === 'answer',
  dispute: ({ topic }) => topic === 'dispute',
  settlement: ({ topic }) => topic === 'settlement',
  list: ({ topic }) => topic === 'list',
  error: ({ topic }) => topic === 'error',
  request: ({ kind }) => kind === 'request',
  webhook: ({ signature }) => signature !== undefined,
} satisfies Readonly<Record<string, (example: DocumentedExample) => boolean>>;

it.each(documentedGateways())('of %s show every kind of answer, but for those that it documents none of', (name) => {
  const { examples, printedSignature, gaps } = readDocumented(name);
  const missing = Object.entries(KINDS).flatMap(([kind, is]) => (examples.some(is) ? [] : [kind]));
  const all = printedSignature === undefined ? [...missing, 'printed signature'] : missing;
  expect(all).toEqual(Object.keys(gaps));
});

it.each(documentedGateways())('of %s show every published state of a refund and of a transaction', (name) => {
  const { examples, states } = readDocumented(name);
  const shown = examples.map(({ body }) => JSON.stringify(body).toLowerCase()).join(' ');
  const isShown = (word: string) => shown.includes(`"${word.toLowerCase()}"`);
  const words = [...(states.refund?.words ?? []), ...(states.transaction?.words ?? [])];
  expect(words.filter((word) => !isShown(word))).toEqual([]);
});

it('are kept for every gateway, fifteen or more', () => {
  expect(documentedGateways()).toEqual([...gatewayNames].sort());
  expect(documentedGateways().filter((name) => readDocumented(name).examples.length < 15)).toEqual([]);
});

describe.each(documentedGateways())('documented examples of %s', (name) => {
  const collection = readDocumented(name);
  const found = findGateway(name);
  if (found === null) throw new Error(`there is no gateway ${name}`);
  const gateway = found;
  let server: StubServer;
  let account: AccountAccess;

  beforeAll(async () => {
    const { token } = collection;
    const issued = collection.examples.find((example) => example.name === token?.example);
    server = await startStubServer((call) => {
      const isToken = token !== undefined && issued !== undefined && call.path.split('?')[0]?.endsWith(token.path) === true;
      return isToken ? wireReply({ status: issued.status, json: issued.body }) : null;
    });
    account = { accountId: `documented-${name}`, mode: 'test', credentials: collection.credentials, baseUrl: server.url };
  });
  afterAll(async () => {
    await closeGatewayConnections();
    await server.close();
  });

  const answers = collection.examples.filter(({ kind, operation }) => kind === 'answer' && operation !== undefined);
  const webhooks = collection.examples.filter(({ kind }) => kind === 'webhook');
  const requests = collection.examples.filter(({ kind, operation }) => kind === 'request' && operation !== undefined);

  it('have credentials that the connector takes', () => {
    expect(gateway.credentials.safeParse(collection.credentials).success).toBe(true);
  });

  it.each(Object.entries(collection.states))('the table of a %s has the published words, and no other', (kind, { words }) => {
    const known = stateKinds.find((each) => each === kind);
    const table = known === undefined ? null : publishedWords(name, known);
    // Squad writes the same word in capitals and in lower case.
    const written = words.map((word) => (table?.includes(word) === true ? word : word.toLowerCase()));
    expect([...(table ?? [])].sort()).toEqual([...written].sort());
  });

  it.runIf(collection.printedSignature !== undefined)('a signature that a document prints is the rule’s, and accepted', () => {
    const { secret, body, signature } = present(collection.printedSignature);
    const { header, key } = collection.signature;
    expect(signDocumented(collection, secret, body)).toBe(signature);
    const printed = { ...account, credentials: { ...collection.credentials, [key]: secret } };
    expect(gateway.readWebhook(printed, delivered(body, { [header]: signature }))).toMatchObject({ kind: 'payment' });
    const forged = `${body.slice(0, -1)} }`;
    expect(gateway.readWebhook(printed, delivered(forged, { [header]: signature }))).toMatchObject({ kind: 'refused' });
  });

  it('have names that differ', () => {
    const names = collection.examples.map((example) => example.name);
    expect(names.filter((each, at) => names.indexOf(each) !== at)).toEqual([]);
  });

  it.each(answers.map((example) => [example.name, example] as const))('%s', async (_name, example) => {
    const replies = [...example.before, { status: example.status, body: example.body }, ...example.after];
    server.script((_call, count) => {
      const { status, body } = replies[Math.min(count, replies.length) - 1] ?? { status: 500, body: null };
      return wireReply({ status, json: body });
    });
    expect(toJson(await run(gateway, account, example))).toMatchObject(example.expected);
    expect(server.calls.length).toBeGreaterThan(example.before.length);
  });

  it.each(webhooks.map((example) => [example.name, example] as const))('%s', (_name, example) => {
    const body = JSON.stringify(example.body);
    const signature = signDocumented(collection, collection.credentials[collection.signature.key] ?? '', body);
    expect(example.signature).toBe(signature);
    expect(toJson(gateway.readWebhook(account, delivered(body, headersWith(collection, signature))))).toMatchObject(
      example.expected,
    );
    const forged = signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(gateway.readWebhook(account, delivered(body, headersWith(collection, forged)))).toEqual({
      kind: 'refused',
      why: 'bad_signature',
    });
  });

  it.each(requests.map((example) => [example.name, example] as const))('%s', async (_name, example) => {
    const replies = example.before;
    server.script((_call, count) => {
      const { status, body } = replies[count - 1] ?? { status: 400, body: {} };
      return wireReply({ status, json: body });
    });
    await run(gateway, account, example);
    const sent = server.calls.at(-1);
    expect(toJson({ method: sent?.method, path: sent?.path.split('?')[0] })).toMatchObject(example.expected);
    const body = JSON.parse(sent?.body ?? '') as Readonly<Record<string, unknown>>;
    const { fields = {}, required = [] } = example;
    for (const [field, value] of Object.entries(body)) {
      expect([field, (fields[field] ?? 'not documented').split('|')]).toEqual([field, expect.arrayContaining([typeOf(value)])]);
    }
    expect(required.filter((field) => !Object.hasOwn(body, field))).toEqual([]);
  });
});

const PAIRS = documentedGateways().flatMap((from) =>
  documentedGateways()
    .filter((at) => at !== from)
    .map((at) => [from, at] as const),
);

/** The key that a gateway signs with here: no two have the same. */
function keyOf(name: string): string {
  return `the key of ${name}`;
}

/** The body of a documented webhook about a payment. */
function noticeOf(name: string): string {
  const example = readDocumented(name).examples.find(({ kind, expected }) => kind === 'webhook' && expected.kind === 'payment');
  return JSON.stringify(present(example).body);
}

it.each(PAIRS)('a webhook signed by %s and delivered to %s is refused, with either body, under either header', (from, at) => {
  const [theirs, ours] = [readDocumented(from), readDocumented(at)];
  const credentials = { ...ours.credentials, [ours.signature.key]: keyOf(at) };
  const account: AccountAccess = { accountId: `documented-${at}`, mode: 'test', credentials, baseUrl: null };
  const gateway = present(findGateway(at) ?? undefined);
  const own = noticeOf(at);
  const genuine = headersWith(ours, signDocumented(ours, keyOf(at), own));
  expect(gateway.readWebhook(account, delivered(own, genuine)).kind).toBe('payment');
  for (const body of [noticeOf(from), own]) {
    const signature = signDocumented(theirs, keyOf(from), body);
    const [under, underOurs] = [headersWith(theirs, signature), headersWith(ours, signature)];
    for (const headers of [under, underOurs, { ...under, ...underOurs }]) {
      expect(gateway.readWebhook(account, delivered(body, headers)).kind).toBe('refused');
    }
  }
});
