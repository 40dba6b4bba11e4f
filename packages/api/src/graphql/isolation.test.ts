import { newId, toPrismaJson } from '@switchyard/db';
import { NO_UNITS } from '@switchyard/routing/canary';
import { issueToken } from '@switchyard/staff/machine-tokens';
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { issueTestToken } from '../testing/agent.ts';
import { CALLERS, hasRight, linesOf } from '../testing/rights.ts';
import { sendGraphql } from '../testing/served.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  openTestSwitchyard,
  recordPayment,
} from '../testing/switchyard.ts';
import { schema } from './handle.ts';
import { tokenViewer } from './viewer.ts';

/*
 * Two merchants, each with a marked row of every kind. A caller with access to one of them sends every query of the schema with
 * every field selected, so new fields are covered automatically.
 */

const DEPTH = 6;
let switchyard: Switchyard;
let close: () => Promise<void>;
let ours: Marked;
let theirs: Marked;
let staff: Browser;
let token: string;

interface Marked {
  readonly merchantId: string;
  readonly paymentId: string;
  /** Part of every text in this merchant's rows. */
  readonly mark: string;
  /** A currency that only this merchant has payments in. */
  readonly currency: string;
}

async function fill(mark: string, currency: string): Promise<Marked> {
  const merchantId = await createTestMerchant(switchyard, `${mark} Books`);
  const paymentId = await recordPayment(switchyard, merchantId, `${mark}-order`);
  const { prisma } = switchyard.resources.database;
  const accountId = switchyard.resources.configuration.merchant(merchantId)?.accounts[0]?.id ?? '';
  const at = new Date();
  const found = { merchantId, mode: 'test', createdAt: at } as const;
  const row = { ...found, updatedAt: at };
  await prisma.holdoutMonth.create({
    data: {
      merchantId,
      mode: 'test',
      month: '2026-11',
      currency,
      percent: 2,
      sums: toPrismaJson(NO_UNITS),
      routedPayments: 0,
      routedAmount: 0n,
      routedFees: 0,
      heldOutAmount: 0n,
      heldOutFees: 0,
    },
  });
  const attemptId = newId();
  await prisma.attempt.create({
    data: {
      merchantId,
      id: attemptId,
      paymentId,
      position: 0,
      accountId,
      gateway: 'paystack',
      reference: `${mark}-attempt`,
      state: 'OPENED',
      latencyMs: 100,
      createdAt: at,
      updatedAt: at,
    },
  });
  await prisma.payment.update({
    where: { merchantId_id: { merchantId, id: paymentId } },
    data: {
      status: 'SUCCESS',
      currentAttemptId: attemptId,
      metadata: { mark },
      paidMethod: mark,
      ruleId: mark,
      // Customers are asked for by the id that payments are.
      customerId: paymentId,
      customerPhone: mark,
    },
  });
  const inOwnCurrency = await recordPayment(switchyard, merchantId, `${mark}-${currency}`);
  await prisma.payment.update({
    where: { merchantId_id: { merchantId, id: inOwnCurrency } },
    data: { status: 'FAILED', currency },
  });
  const came = { accountId, day: new Date(at.toISOString().slice(0, 10)), operation: 'open', count: 1, firstAt: at, lastAt: at };
  await prisma.gatewayCode.create({ data: { merchantId, ...came, code: mark, paymentIds: [paymentId] } });
  const of = {
    paymentId,
    attemptId,
    accountId,
    gateway: 'paystack',
    reference: `${mark}-part`,
    transactionId: mark,
    currency: 'NGN',
  };
  await prisma.refund.create({
    data: { ...row, ...of, id: newId(), amount: 5n, state: 'SUCCEEDED', requestedBy: mark, reason: mark },
  });
  await prisma.duplicateCharge.create({ data: { ...row, ...of, id: newId(), amount: '5', state: 'OPEN', note: mark } });
  await prisma.reconciliationDiscrepancy.create({
    data: {
      ...found,
      id: newId(),
      accountId,
      gateway: 'paystack',
      day: new Date('2026-11-20'),
      kind: 'AMOUNT',
      state: 'OPEN',
      subject: mark,
      reference: mark,
      note: mark,
      paymentId,
      ledger: { mark },
      statement: { mark },
    },
  });
  const dispute = { paymentId, attemptId, accountId, gateway: 'paystack', gatewayDisputeId: mark, category: mark };
  const disputed = { amount: '5', currency, openedAt: at, state: 'WON' as const };
  const disputeId = newId();
  await prisma.dispute.create({ data: { ...row, ...dispute, ...disputed, id: disputeId } });
  const file = { fileName: `${mark}.pdf`, mediaType: 'application/pdf', sizeBytes: 1, content: new Uint8Array(1) };
  await prisma.disputeEvidence.create({
    data: { merchantId, id: newId(), disputeId, ...file, uploadedBy: mark, createdAt: at },
  });
  const answer = { stage: '', action: 'CONTEST', state: 'SENT', message: mark, requestedBy: mark } as const;
  await prisma.disputeResponse.create({ data: { merchantId, id: newId(), disputeId, ...answer, createdAt: at } });
  await prisma.refundApproval.create({
    data: {
      merchantId,
      id: newId(),
      mode: 'test',
      paymentId,
      kind: 'own',
      amount: 5n,
      currency,
      gateway: 'paystack',
      reason: mark,
      state: 'WAITING',
      requestedBy: mark,
      expiresAt: new Date(at.getTime() + 86_400_000),
      createdAt: at,
    },
  });
  // By the id of the payment, by which every single row is asked for.
  const incident = { id: paymentId, mode: 'test', kind: 'gateway_down', severity: 'critical', subject: accountId } as const;
  await prisma.incident.create({ data: { merchantId, ...incident, facts: { mark }, since: at, openedAt: at, updatedAt: at } });
  await prisma.incidentAccount.create({ data: { merchantId, incidentId: paymentId, accountId, metFrom: at } });
  const settlementId = newId();
  const statementId = newId();
  const bankLineId = newId();
  const taken = { hash: mark, name: mark, bytes: 1, takenBy: mark, takenAt: at } as const;
  await prisma.bankStatement.create({
    data: { merchantId, id: statementId, mode: 'test', format: 'csv', lines: 1, known: 0, ...taken },
  });
  const today = new Date(at.toISOString().slice(0, 10));
  await prisma.bankLine.create({
    data: {
      merchantId,
      id: bankLineId,
      mode: 'test',
      statementId,
      bankAccount: mark,
      bookedOn: today,
      amount: '5',
      currency: 'NGN',
      text: mark,
      dedupeKey: mark,
      createdAt: at,
    },
  });
  await prisma.bankMatch.create({ data: { merchantId, bankLineId, settlementId, matchedBy: 'reference', createdAt: at } });
  await prisma.settlementFile.create({
    data: { merchantId, id: newId(), mode: 'test', accountId, mapping: { mark }, rows: 1, settlements: 1, lines: 1, ...taken },
  });
  await prisma.settlementProfile.create({
    data: { merchantId, accountId, gateway: 'paystack', mapping: { mark }, updatedAt: at },
  });
  const ruleId = newId();
  await prisma.settlementIgnoreRule.create({
    data: { merchantId, id: ruleId, kind: 'UNDER', amountMax: '5', reason: mark, createdBy: mark, createdAt: at },
  });
  await prisma.settlementDiscrepancy.create({
    data: {
      ...found,
      id: newId(),
      accountId,
      gateway: 'paystack',
      kind: 'UNDER',
      state: 'RESOLVED',
      subject: `payout/${settlementId}`,
      currency,
      expected: '6',
      settled: '5',
      note: mark,
      resolvedBy: `rule:${ruleId}`,
    },
  });
  await prisma.settlement.create({
    data: {
      ...row,
      id: settlementId,
      settledOn: today,
      accountId,
      gateway: 'paystack',
      reference: mark,
      road: 'POLLED',
      status: 'PAID',
      currency,
      gross: '5',
      fees: '0',
      deductions: '0',
      net: '5',
    },
  });
  const line = { position: 0, kind: 'OTHER', amount: '5', currency, reference: mark, description: mark } as const;
  await prisma.settlementLine.create({ data: { merchantId, id: newId(), settlementId, accountId, ...line, createdAt: at } });
  await prisma.paymentFee.create({
    data: {
      merchantId,
      paymentId,
      mode: 'test',
      accountId,
      gateway: 'paystack',
      method: mark,
      currency,
      amount: '5',
      expected: '1',
      charged: '2',
      reported: '2',
      excess: '1',
      createdAt: at,
      paidAt: at,
    },
  });
  const endpointId = newId();
  const endpoint = { url: `https://${mark.toLowerCase()}.example`, types: [], secrets: [], enabled: true };
  await prisma.webhookEndpoint.create({ data: { ...row, id: endpointId, ...endpoint } });
  await prisma.webhookDelivery.create({
    data: {
      merchantId,
      id: newId(),
      endpointId,
      eventId: newId(),
      paymentId,
      position: 1,
      type: mark,
      state: 'PENDING',
      attempts: 0,
      createdAt: at,
      updatedAt: at,
    },
  });
  return { merchantId, paymentId, mark, currency };
}

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  [ours, theirs] = [await fill('Ours7Canary', 'KES'), await fill('Theirs9Canary', 'GHS')];
  await switchyard.resources.configuration.refresh();
  staff = new Browser(switchyard);
  const email = await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId: ours.merchantId, role: 'finance' }]);
  await staff.signIn(email);
  const { id: staffId } = await switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { email } });
  const issued = await issueToken(switchyard, {
    scopes: ['reports'],
    name: 'Books',
    merchantIds: [ours.merchantId, theirs.merchantId],
    modes: ['test'],
    staffId,
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  ({ token } = issued);
});
afterAll(() => close());

type SendQuery = (query: string) => Promise<string>;

const byStaff: SendQuery = async (query) => {
  const headers = staff.headers({ 'content-type': 'application/json' });
  const request = new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return (await sendGraphql(switchyard, request)).text();
};
const byToken: SendQuery = async (query) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const request = new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return (await sendGraphql(switchyard, request)).text();
};

/** A selection of every field of a type. */
function selection(type: GraphQLOutputType, depth: number, seen: readonly string[] = []): string {
  const named = getNamedType(type);
  if (isUnionType(named)) {
    return `{ __typename ${named
      .getTypes()
      .map((one) => `... on ${one.name} ${selection(one, depth, seen)}`)
      .join(' ')} }`;
  }
  if (!isObjectType(named)) return '';
  if (depth === 0 || seen.includes(named.name)) return '{ __typename }';
  const fields = Object.values(named.getFields())
    .filter((field) => field.args.every(({ type: of, defaultValue }) => !isNonNullType(of) || defaultValue !== undefined))
    .map((field) => `${field.name} ${selection(field.type, depth - 1, [...seen, named.name])}`);
  return `{ ${fields.join(' ')} }`;
}

/** A value for an argument that selects as much as possible, of one merchant or of all that the caller may read. */
function value(name: string, type: GraphQLInputType, wanted: { merchantId: string | null; paymentId: string }): string | null {
  const named = getNamedType(type);
  const list = (text: string) => (isListType(isNonNullType(type) ? type.ofType : type) ? `[${text}]` : text);
  if (name === 'merchantIds' || name === 'merchantId') {
    // Fields about one merchant are asked for theirs where all are meant.
    const merchantId = wanted.merchantId ?? (isNonNullType(type) ? ours.merchantId : null);
    return merchantId === null ? null : list(`"${merchantId}"`);
  }
  if (!isNonNullType(type)) return null;
  if (isInputObjectType(named)) {
    const parts = Object.values(named.getFields()).flatMap((field) => {
      const inner = value(field.name, field.type, wanted);
      return inner === null ? [] : [`${field.name}: ${inner}`];
    });
    return `{ ${parts.join(', ')} }`;
  }
  if (named.name === 'String' && name === 'from') return '"2026-11-01"';
  if (named.name === 'String' && name === 'to') return `"${new Date().toISOString().slice(0, 10)}"`;
  if (named.name === 'String' && name === 'month') return '"2026-11"';
  if (named.name === 'Mode') return 'test';
  if (isEnumType(named)) return list(named.getValues()[0]?.name ?? '');
  if (named.name === 'DateTime')
    return name === 'to' ? `"${new Date(Date.now() + 3_600_000).toISOString()}"` : '"2026-11-01T00:00:00Z"';
  return null;
}

function question(field: GraphQLField<unknown, unknown>, wanted: { merchantId: string | null; paymentId: string }): string {
  const given = field.args.flatMap(({ name, type, defaultValue }) => {
    if (name === 'id') return [`id: "${wanted.paymentId}"`];
    // Selecting everything is costly: a few rows stay within the cost limit.
    if (name === 'first') return ['first: 5'];
    if (name === 'groupBy') return ['groupBy: [merchant, account, method, rule]'];
    if (defaultValue !== undefined) return [];
    const inner = value(name, type, wanted);
    return inner === null ? [] : [`${name}: ${inner}`];
  });
  return `{ ${field.name}${given.length === 0 ? '' : `(${given.join(', ')})`} ${selection(field.type, DEPTH)} }`;
}

const fields = Object.values(schema.getQueryType()?.getFields() ?? {});

describe.each(fields.map((field) => [field.name, field] as const))('%s', (name, field) => {
  test.each([
    ['a staff user', byStaff],
    ['a token for both merchants, created by a staff user with access to one', byToken],
  ] as const)('shows %s what is theirs', async (_, ask) => {
    const answer = await ask(question(field, { merchantId: null, paymentId: ours.paymentId }));
    expect(answer).not.toContain('"errors"');
    if (name !== 'systemHealth')
      expect(answer).toMatch(new RegExp(`${ours.mark}|${ours.merchantId}|paystack-main|"${ours.currency}"`));
    expect(answer).not.toMatch(new RegExp(`${theirs.mark}|${theirs.merchantId}|${theirs.paymentId}|"${theirs.currency}"`, 'i'));
  });

  test.each([
    ['a staff user', byStaff],
    ['a token', byToken],
  ] as const)('shows %s nothing of another merchant that they ask about', async (_, ask) => {
    const answer = await ask(question(field, theirs));
    expect(answer.replaceAll(theirs.paymentId, '')).not.toMatch(
      new RegExp(`${theirs.mark}|${theirs.merchantId}|"${theirs.currency}"`, 'i'),
    );
  });
});

test('the table of rights has a line for every field of the query type, and there are no mutations', () => {
  expect(fields.map(({ name }) => name).toSorted()).toEqual(linesOf('graphql').toSorted());
  expect(schema.getMutationType()).toBeUndefined();
  expect(schema.getSubscriptionType()).toBeUndefined();
});

describe('each field, asked by', () => {
  const callers = new Map<string, SendQuery>();
  const asked = (field: (typeof fields)[number]) => question(field, { merchantId: ours.merchantId, paymentId: ours.paymentId });
  const refusal = /"code":"(FORBIDDEN|UNAUTHENTICATED)"|Not authorized|does not allow/;

  beforeAll(async () => {
    for (const caller of CALLERS) {
      const browser = new Browser(switchyard);
      const grants = caller === null ? [] : [{ merchantId: ours.merchantId, role: caller }];
      await browser.signIn(await createStaffWithGrants(switchyard, `${caller ?? 'none'}-of-ours@example.com`, grants));
      callers.set(String(caller), (query) => sendWith(browser.headers(), query));
    }
    const { prisma } = switchyard.resources.database;
    const { id: staffId } = await prisma.staffUser.findUniqueOrThrow({ where: { email: 'finance-of-ours@example.com' } });
    const issue = async (modes: readonly ('test' | 'live')[], data: { expiresAt?: Date; revokedAt?: Date } = {}) => {
      const expiresAt = new Date(Date.now() + 86_400_000);
      const of = { name: 'Books', merchantIds: [ours.merchantId], modes: [...modes], staffId, expiresAt };
      const issued = await issueToken(switchyard, { scopes: ['reports'], ...of });
      if (issued.kind !== 'issued') throw new Error(issued.kind);
      await prisma.machineToken.updateMany({ where: { id: issued.listed.id }, data });
      return (query: string) => sendWith(new Headers({ authorization: `Bearer ${issued.token}` }), query);
    };
    callers.set('expired', await issue(['test'], { expiresAt: new Date(Date.now() - 1_000) }));
    callers.set('revoked', await issue(['test'], { revokedAt: new Date() }));
    callers.set('other mode', await issue(['live']));
    const { token: agent } = await issueTestToken(switchyard, staffId);
    callers.set('agent', (query) => sendWith(new Headers({ authorization: `Bearer ${agent}` }), query));
    callers.set('nobody', (query) => sendWith(new Headers({ origin: ORIGIN }), query));
  });

  const sendWith: (headers: Headers, query: string) => Promise<string> = async (headers, query) => {
    headers.set('content-type', 'application/json');
    const request = new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return (await sendGraphql(switchyard, request)).text();
  };
  const ask = (caller: string, query: string) => callers.get(caller)?.(query) ?? Promise.reject(new Error(caller));

  test.each(CALLERS)('%s, is answered as the table of rights says', async (caller) => {
    for (const field of fields) {
      const answer = await ask(String(caller), asked(field));
      expect(refusal.test(answer), `${field.name}: ${answer}`).toBe(!hasRight(caller, `graphql ${field.name}`));
    }
  });

  test.each(['expired', 'revoked', 'other mode', 'agent', 'nobody'])(
    'a token that is no longer good, of the other mode, or an agent’s query of its own, is not: %s',
    async (caller) => {
      for (const field of fields) {
        const answer = await ask(caller, asked(field));
        expect(answer, field.name).not.toMatch(new RegExp(`${ours.mark}|"${ours.currency}"`));
        if (caller !== 'other mode') expect(answer, field.name).toContain('"errors"');
      }
    },
  );
});

test('every type that holds a merchant’s data declares its owner', () => {
  const holders = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && 'merchantId' in type.getFields());
  for (const type of holders) {
    const options: unknown = type.extensions.pothosOptions;
    expect(options, type.name).toHaveProperty('authScopes');
  }
  expect(holders.length).toBeGreaterThan(0);
});

describe('a row that a resolver read', () => {
  const guarded = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && Object.hasOwn(type.extensions.pothosOptions ?? {}, 'authScopes'),
  );

  /** Resolves it for a test-mode token for both merchants, of a staff user with access to one: true, or throws. */
  function show(typeName: string, merchantId: string, mode: string): unknown {
    const grants = [{ merchantId: ours.merchantId, role: 'finance' }] as const;
    const access = { tokenId: 'test', merchantIds: [ours.merchantId, theirs.merchantId], grants };
    const viewer = tokenViewer({ ...access, modes: ['test'] }, switchyard.resources.configuration.merchants());
    const type = schema.getType(typeName);
    if (!isObjectType(type)) throw new Error(`${typeName} has no rows`);
    const row = { id: typeName === 'Merchant' ? merchantId : newId(), merchantId, mode };
    const info: GraphQLResolveInfo = Object.create(null);
    return type.isTypeOf?.(row, { switchyard, viewer, signal: AbortSignal.timeout(10_000) }, info);
  }

  test.each(guarded.map(({ name }) => name))('is refused as %s when it is another merchant’s', (name) => {
    expect(show(name, ours.merchantId, 'test')).toBe(true);
    expect(() => show(name, theirs.merchantId, 'test')).toThrow('Not authorized');
  });

  test.each(['Payment', 'Refund', 'DuplicateCharge', 'ReconciliationDiscrepancy'])(
    'is refused as %s when its mode is out of reach',
    (name) => {
      expect(() => show(name, ours.merchantId, 'live')).toThrow('Not authorized');
    },
  );

  test('is checked whenever it belongs to a merchant', () => {
    expect(guarded.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Attempt', 'DuplicateCharge', 'Merchant', 'Payment', 'ReconciliationDiscrepancy', 'Refund']),
    );
  });
});
