import type { ListedDispute } from '@switchyard/gateways';
import type { PaymentsContext } from '@switchyard/payments/context';
import { attemptReference } from '@switchyard/payments/initiate';
import { listUnanswered } from '@switchyard/payments/reversals';
import { openTestPayments, readEventBody, type TestPayments } from '@switchyard/payments/testing';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  addEvidence,
  answerDispute,
  countDisputes,
  findDispute,
  listDisputes,
  openDispute,
  recordDispute,
  settleResponse,
} from './console/console.ts';
import { readDisputes } from './intake/intake.ts';
import { sendResponse } from './responses/send-response.ts';
import { type DisputedPayment, disputeOf, type FakeGateway, payAt, withDisputes } from './testing/disputes.ts';

const actor = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';
const pdf = new TextEncoder().encode('%PDF-1.7 receipt');

let tests: TestPayments;
let context: PaymentsContext;
let fake: FakeGateway;
let payment: DisputedPayment;
beforeAll(async () => {
  tests = await openTestPayments();
});
afterAll(() => tests.close());
beforeEach(async () => {
  tests.setClock(new Date('2026-11-20T09:00:00Z'));
  payment = await payAt(tests, 'paystack-main');
  ({ context, fake } = withDisputes(tests, []));
});

const key = () => ({ merchantId: payment.merchantId, accountId: payment.accountId });
const read = (changes: Partial<ListedDispute> = {}) => {
  fake.disputes.splice(0, 1, disputeOf(payment, changes));
  return readDisputes(context, key());
};
const stored = () => tests.database.prisma.dispute.findFirstOrThrow({ where: { merchantId: payment.merchantId } });
const detail = async () => {
  const found = await findDispute(context, { merchantIds: [payment.merchantId], disputeId: (await stored()).id });
  if (found === null) throw new Error('the dispute is there');
  return found;
};
const types = async () => (await detail()).history.map(({ type, state }) => `${type} ${state}`);
const eventBody = z.object({ type: z.string(), data: z.object({ dispute: z.looseObject({ state: z.string() }).optional() }) });
const events = async () => {
  const rows = await tests.database.prisma.merchantEvent.findMany({
    where: { merchantId: payment.merchantId, paymentId: payment.paymentId, type: { startsWith: 'dispute.' } },
    orderBy: { id: 'asc' },
  });
  return rows
    .map((row) => eventBody.parse(JSON.parse(readEventBody(row))))
    .map(({ type, data }) => `${type} ${data.dispute?.state}`);
};

/** Adds evidence and answers; returns the outcome. */
async function answer(changes: Partial<Parameters<typeof answerDispute>[1]> = {}) {
  const { merchantId, id: disputeId, amount, stage } = await stored();
  const evidence = await addEvidence(context, { merchantId, disputeId, fileName: 'receipt.pdf', content: pdf, actor });
  return answerDispute(context, {
    merchantId,
    disputeId,
    action: 'CONTEST',
    amount: null,
    message: 'It was delivered',
    send: true,
    actor,
    customerName: 'Ada Obi',
    service: 'Shoes',
    evidenceId: evidence.kind === 'added' ? evidence.evidenceId : null,
    seen: { amount: amount.toFixed(), stage },
    ...changes,
  });
}
const send = async (outcome: Awaited<ReturnType<typeof answer>>) => {
  if (outcome.kind !== 'answered') throw new Error(`it was not answered: ${JSON.stringify(outcome)}`);
  await sendResponse(context, { merchantId: payment.merchantId, responseId: outcome.responseId });
};
const responseState = async () => (await detail()).responses.map(({ state }) => state);

describe('reading the list of a gateway', () => {
  test('finds a dispute whose webhook was lost, once, with its due date by the gateway’s rule, and announces it to the merchant', async () => {
    await read();
    await read();
    expect(await detail()).toMatchObject({
      state: 'NEEDS_RESPONSE',
      amount: '2500',
      dueAt: new Date('2026-11-21T00:00:00Z'),
      dueSource: 'RULE',
      manual: false,
    });
    expect([await types(), await events()]).toEqual([['reported NEEDS_RESPONSE'], ['dispute.opened needs_response']]);
  });

  test.each([
    ['won', '0'],
    ['lost', '2500'],
    ['accepted', '2500'],
    ['expired', '2500'],
  ] as const)(
    'that says it was %s is announced to the merchant, and has %s of the payment taken back',
    async (state, reversed) => {
      await read();
      await read({ state });
      expect(await events()).toEqual(['dispute.opened needs_response', `dispute.closed ${state}`]);
      expect((await detail()).payment?.reversedAmount).toBe(reversed);
    },
  );

  test('goes back to the oldest open dispute, so that its end is found months later', async () => {
    await read();
    tests.setClock(new Date('2027-01-10T09:00:00Z'));
    await read();
    tests.setClock(new Date('2027-01-20T09:00:00Z'));
    await read({ state: 'won' });
    expect((await detail()).state).toBe('WON');
  });

  test('that fails keeps why, and begins at the same place again', async () => {
    fake.down = true;
    expect(await read()).toMatchObject({ kind: 'failed' });
    fake.down = false;
    await read();
    expect((await detail()).state).toBe('NEEDS_RESPONSE');
    const source = await tests.database.prisma.disputeSource.findFirstOrThrow({ where: key() });
    expect(source.failure).toBeNull();
  });
});

describe('a dispute of a payment that is not in the ledger', () => {
  const foreign = { reference: 'POS 12/7 – Surulere', transactionId: '77', transaction: { amount: '4100.5', currency: 'NGN' } };
  const merchantIds = () => [payment.merchantId];
  const inbox = async () => {
    const filter = { merchantIds: merchantIds(), mode: 'test', states: [], gateways: [], paymentId: null } as const;
    return (await listDisputes(context, { ...filter, after: null, limit: 10 })).items;
  };

  test('is shown with its deadline in the list, on its page and among what has to be answered, and changes no payment', async () => {
    await read({ ...foreign, amount: null });
    await read({ ...foreign, amount: null });
    const facts = {
      paymentId: null,
      reference: 'POS 12/7 – Surulere',
      state: 'NEEDS_RESPONSE',
      amount: '4100.5',
      currency: 'NGN',
    };
    const due = { dueAt: new Date('2026-11-21T00:00:00Z'), dueSource: 'RULE', mode: 'test', accountLabel: 'paystack-main' };
    expect(await inbox()).toMatchObject([{ ...facts, ...due }]);
    expect(await detail()).toMatchObject({ ...facts, ...due, payment: null, takenBack: '0' });
    expect(await types()).toEqual(['reported NEEDS_RESPONSE']);
    expect((await listUnanswered(tests.database, merchantIds())).map(({ inLedger, dueAt }) => [inLedger, dueAt])).toEqual([
      [false, due.dueAt],
    ]);
    await read({ ...foreign, state: 'lost' });
    const row = await tests.database.prisma.payment.findFirstOrThrow({ where: { merchantId: payment.merchantId } });
    expect([(await stored()).state, (await stored()).takenBack.toFixed(), row.reversedAmount.toFixed()]).toEqual([
      'LOST',
      '0',
      '0',
    ]);
    expect(await events()).toEqual([]);
  });

  test('is shown also where its gateway names no amount at all', async () => {
    const { transaction: _, ...unnamed } = foreign;
    await read({ ...unnamed, amount: null });
    expect(await inbox()).toMatchObject([{ amount: '0', currency: 'NGN', dueAt: new Date('2026-11-21T00:00:00Z') }]);
  });

  test('is recorded once by two reports at the same moment', async () => {
    fake.disputes.splice(0, 1, disputeOf(payment, foreign));
    const outcomes = await Promise.all([
      readDisputes(context, key()),
      readDisputes(context, key()),
      readDisputes(context, key()),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['read', 'read', 'read']);
    expect(await types()).toEqual(['reported NEEDS_RESPONSE']);
  });

  test('is accepted from here, and contested at the gateway where that asks for the customer', async () => {
    await read(foreign);
    expect(await answer()).toMatchObject({ kind: 'refused', why: expect.stringContaining('who is not known here') });
    expect(await answer({ send: false, customerName: null, service: null })).toMatchObject({ kind: 'answered' });
    await read({ ...foreign, stage: 'second' });
    await send(await answer({ action: 'ACCEPT', amount: '1000' }));
    expect(fake.answers).toMatchObject([{ action: 'accept', amount: '1000', customer: null }]);
    expect((await detail()).state).toBe('ACCEPTED');
  });

  test('has its fee recorded by hand', async () => {
    await read(foreign);
    const { merchantId, id: disputeId } = await stored();
    const change = { merchantId, disputeId, state: null, fee: '50', actor };
    expect(await recordDispute(context, change)).toEqual({ kind: 'recorded' });
    expect(await detail()).toMatchObject({ fee: '50', state: 'NEEDS_RESPONSE', paymentId: null });
  });

  test('becomes that of its payment once the ledger has it, with the same id, and is announced then', async () => {
    await read({ ...foreign, amount: '2500' });
    const { id } = await stored();
    const where = { merchantId: payment.merchantId, paymentId: payment.paymentId };
    await tests.database.prisma.attempt.updateMany({ where, data: { transactionId: '77' } });
    await read({ transactionId: '77' });
    expect(await detail()).toMatchObject({ disputeId: id, paymentId: payment.paymentId, payment: { amount: '2500' } });
    expect([await events(), (await inbox()).length]).toEqual([['dispute.opened needs_response'], 1]);
  });
});

describe('an answer', () => {
  beforeEach(() => read());

  test('is sent with its evidence, and the dispute follows what the gateway says', async () => {
    await send(await answer());
    expect(fake.uploads).toEqual(['receipt.pdf']);
    expect(fake.answers).toMatchObject([
      { action: 'contest', amount: '0', evidence: 'stored-receipt.pdf', customer: { name: 'Ada Obi', email: 'ada@example.com' } },
    ]);
    expect([await responseState(), (await detail()).state]).toEqual([['SENT'], 'UNDER_REVIEW']);
    expect(await types()).toEqual([
      'reported NEEDS_RESPONSE',
      'evidence_added NEEDS_RESPONSE',
      'answered NEEDS_RESPONSE',
      'sent NEEDS_RESPONSE',
      'reported UNDER_REVIEW',
    ]);
  });

  test('is given once, also by two people at the same moment', async () => {
    const both = await Promise.all([answer(), answer({ action: 'ACCEPT' })]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['answered', 'refused']);
    for (const outcome of both) if (outcome.kind === 'answered') await Promise.all([send(outcome), send(outcome)]);
    expect(fake.answers.length).toBe(1);
    expect(await answer()).toMatchObject({ kind: 'refused' });
  });

  test('that the gateway has already, by one that was lost with its row, is not sent a second time', async () => {
    const outcome = await answer();
    fake.disputes.splice(0, 1, disputeOf(payment, { state: 'under_review' }));
    await send(outcome);
    expect([fake.answers.length, fake.uploads.length]).toEqual([0, 0]);
    expect([await responseState(), (await detail()).state]).toEqual([['REFUSED'], 'UNDER_REVIEW']);
  });

  test('is not sent while the gateway does not say whether it waits for one', async () => {
    const outcome = await answer();
    fake.down = true;
    await expect(send(outcome)).rejects.toThrow('waits for an answer');
    fake.down = false;
    await send(outcome);
    expect([fake.answers.length, await responseState()]).toEqual([1, ['SENT']]);
  });

  test('without a reply is asked for and never sent twice', async () => {
    fake.meets = 'lost';
    const outcome = await answer({ action: 'ACCEPT', amount: '1000.5' });
    await expect(send(outcome)).rejects.toThrow('not known');
    expect(await responseState()).toEqual(['UNKNOWN']);
    await send(outcome);
    expect([fake.answers.length, await responseState(), (await detail()).state]).toEqual([1, ['SENT'], 'ACCEPTED']);
  });

  test('that the gateway still waits for is not known to have arrived, and is never sent twice', async () => {
    fake.meets = 'vanishes';
    const outcome = await answer();
    await expect(send(outcome)).rejects.toThrow('not known');
    await expect(send(outcome)).rejects.toThrow('not known');
    expect([fake.answers.length, await responseState(), (await detail()).state]).toEqual([1, ['UNKNOWN'], 'NEEDS_RESPONSE']);
  });

  test('whose process ended on the way is asked for by the next, and never sent twice', async () => {
    fake.meets = 'dies';
    const outcome = await answer();
    await expect(send(outcome)).rejects.toThrow('the process ended');
    await send(outcome);
    expect([fake.answers.length, await responseState()]).toEqual([1, ['SENT']]);
  });

  test('that is still not known is settled by reading the list', async () => {
    fake.meets = 'lost';
    await expect(send(await answer())).rejects.toThrow('not known');
    await readDisputes(context, key());
    expect(await responseState()).toEqual(['SENT']);
  });

  test('that the gateway refuses can be given again', async () => {
    fake.meets = 'refused';
    await send(await answer());
    expect([await responseState(), (await detail()).state]).toEqual([['REFUSED'], 'NEEDS_RESPONSE']);
    fake.meets = 'arrives';
    await send(await answer());
    expect(await responseState()).toEqual(['REFUSED', 'SENT']);
  });

  test('that never arrived, as a person saw at the gateway, can be given again', async () => {
    fake.meets = 'lost';
    const outcome = await answer();
    await expect(send(outcome)).rejects.toThrow('not known');
    if (outcome.kind !== 'answered') throw new Error('it was answered');
    const { merchantId, id: disputeId } = await stored();
    const seen = { merchantId, disputeId, responseId: outcome.responseId, arrived: false, actor };
    expect(await settleResponse(context, seen)).toEqual({ kind: 'settled' });
    expect(await settleResponse(context, seen)).toMatchObject({ kind: 'refused' });
    expect(await responseState()).toEqual(['REFUSED']);
  });

  test('to something else than was seen, without what the gateway needs, or of more than was disputed is refused', async () => {
    const refusals = await Promise.all([
      answer({ seen: { amount: '1', stage: null } }),
      answer({ evidenceId: null }),
      answer({ customerName: null }),
      answer({ action: 'ACCEPT', amount: '2500.01' }),
      answer({ send: false }),
    ]);
    expect(refusals.map((outcome) => (outcome.kind === 'refused' ? outcome.field : outcome.kind))).toEqual([
      null,
      'evidenceId',
      'customerName',
      'amount',
      null,
    ]);
    await read({ state: 'won' });
    const why = 'The dispute needs no answer any more.';
    expect(await answer()).toEqual({ kind: 'refused', field: null, why });
  });

  test('may accept exactly the disputed amount, and is on record with its author', async () => {
    const outcome = await answer({ action: 'ACCEPT', amount: '2500' });
    expect(outcome).toMatchObject({ kind: 'answered' });
    const where = { tenantId: payment.merchantId, action: 'disputes.answered' };
    const entries = await tests.database.prisma.auditEntry.findMany({ where });
    expect(entries).toMatchObject([
      { actor, objectId: (await stored()).id, after: { action: 'ACCEPT', amount: '2500', by: 'call' } },
    ]);
  });

  test('has evidence of its own dispute alone', async () => {
    const second = disputeOf(payment, { gatewayDisputeId: '358951' });
    fake.disputes.push(second);
    await readDisputes(context, key());
    const { merchantId } = payment;
    const other = await tests.database.prisma.dispute.findFirstOrThrow({ where: { merchantId, gatewayDisputeId: '358951' } });
    const file = { merchantId, disputeId: other.id, fileName: 'other.pdf', content: pdf, actor };
    const evidence = await addEvidence(context, file);
    if (evidence.kind !== 'added') throw new Error(evidence.kind);
    const { id: disputeId } = await tests.database.prisma.dispute.findFirstOrThrow({
      where: { merchantId, gatewayDisputeId: '358950' },
    });
    expect(await answer({ disputeId, evidenceId: evidence.evidenceId })).toMatchObject({ kind: 'refused', field: 'evidenceId' });
    expect(await answer({ disputeId: other.id, evidenceId: evidence.evidenceId })).toMatchObject({ kind: 'answered' });
  });
});

describe('a lost dispute', () => {
  const reversed = async () => {
    const { merchantId, paymentId: id } = payment;
    const where = { merchantId_id: { merchantId, id } };
    return (await tests.database.prisma.payment.findUniqueOrThrow({ where })).reversedAmount.toFixed();
  };
  const own = () => ({ merchantId: payment.merchantId, paymentId: payment.paymentId });

  test('of a second charge takes nothing of the payment back', async () => {
    await tests.database.prisma.attempt.updateMany({ where: own(), data: { duplicate: true } });
    await read({ state: 'lost' });
    expect([(await stored()).state, await reversed()]).toEqual(['LOST', '0']);
  });

  test('of another transaction of the attempt takes nothing of the payment back', async () => {
    await read({ state: 'lost', transactionId: 'another' });
    expect([(await stored()).state, await reversed()]).toEqual(['LOST', '0']);
  });

  test('is not added to one of a second charge of the same payment', async () => {
    const { accountId } = payment;
    const second = { reference: attemptReference(payment.paymentId, 1), transactionId: 't-second' };
    const made = { createdAt: tests.now(), updatedAt: tests.now() };
    const money = { state: 'PAID', duplicate: true, receivedAmount: '2500', receivedCurrency: 'NGN' } as const;
    const attempt = { ...own(), ...second, ...money, ...made, id: tests.newId(), position: 1, accountId, gateway: 'paystack' };
    await tests.database.prisma.attempt.create({ data: attempt });
    await read({ ...second, gatewayDisputeId: '358951', state: 'lost', amount: '1000' });
    await read({ state: 'lost', amount: '500' });
    expect(await tests.database.prisma.dispute.count({ where: { ...own(), state: 'LOST' } })).toBe(2);
    expect(await reversed()).toBe('500');
  });

  test('takes back what was not refunded before, and no more', async () => {
    const { accountId, transactionId } = payment;
    const { id: attemptId } = await tests.database.prisma.attempt.findFirstOrThrow({ where: own() });
    const id = tests.newId();
    const made = { createdAt: tests.now(), updatedAt: tests.now(), requestedBy: 'merchant' };
    const money = { attemptId, accountId, transactionId, gateway: 'paystack', amount: 2_000n, currency: 'NGN' };
    const refund = { ...own(), ...money, ...made, id, mode: 'test', reference: `rf-${id}`, state: 'SUCCEEDED' } as const;
    await tests.database.prisma.refund.create({ data: refund });
    await read({ state: 'lost' });
    expect(await reversed()).toBe('500');
    expect(await taken()).toEqual({ '358950': '500' });
  });

  const taken = async () => {
    const rows = await tests.database.prisma.dispute.findMany({ where: own() });
    return Object.fromEntries(rows.map(({ gatewayDisputeId, takenBack }) => [gatewayDisputeId, takenBack.toFixed()]));
  };

  test('takes back once what several disputes are of: each what was left, and the payment all of it', async () => {
    await read({ state: 'lost', amount: '2000', closedAt: new Date('2026-11-20T10:00:00Z') });
    fake.disputes.push(
      disputeOf(payment, { gatewayDisputeId: '358951', state: 'lost', closedAt: new Date('2026-11-21T10:00:00Z') }),
    );
    await readDisputes(context, key());
    expect([await reversed(), await taken()]).toEqual(['2500', { '358950': '2000', '358951': '500' }]);
    await read({ state: 'won' });
    expect([await reversed(), await taken()]).toEqual(['2500', { '358950': '0', '358951': '2500' }]);
  });

  test('of another transaction is not added to that of the payment', async () => {
    fake.disputes.push(disputeOf(payment, { gatewayDisputeId: '358951', state: 'lost', transactionId: 'another' }));
    await readDisputes(context, key());
    await read({ state: 'lost', amount: '700' });
    expect([await reversed(), await taken()]).toEqual(['700', { '358950': '700', '358951': '0' }]);
  });

  test('of a second charge takes no more than that charge received, and nothing of the payment', async () => {
    await tests.database.prisma.attempt.updateMany({ where: own(), data: { duplicate: true, receivedAmount: '1200' } });
    await read({ state: 'lost' });
    expect([await reversed(), await taken()]).toEqual(['0', { '358950': '1200' }]);
  });

  test('takes back the rest once a refund that counted has failed', async () => {
    const { accountId, transactionId } = payment;
    const { id: attemptId } = await tests.database.prisma.attempt.findFirstOrThrow({ where: own() });
    const id = tests.newId();
    const made = { createdAt: tests.now(), updatedAt: tests.now(), requestedBy: 'merchant' };
    const money = { attemptId, accountId, transactionId, gateway: 'paystack', amount: 2_000n, currency: 'NGN' };
    const refund = { ...own(), ...money, ...made, id, mode: 'test', reference: `rf-${id}`, state: 'PROCESSING' } as const;
    await tests.database.prisma.refund.create({ data: refund });
    await read({ state: 'lost' });
    expect([await reversed(), await taken()]).toEqual(['500', { '358950': '500' }]);
    await tests.database.prisma.refund.updateMany({ where: { id }, data: { state: 'FAILED' } });
    await read({ state: 'lost' });
    expect([await reversed(), await taken()]).toEqual(['2500', { '358950': '2500' }]);
    expect(await types()).toEqual(['reported LOST']);
  });
});

describe('a dispute at a gateway without a list', () => {
  const open = (changes: Partial<Parameters<typeof openDispute>[1]> = {}) =>
    openDispute(context, {
      merchantId: payment.merchantId,
      paymentId: payment.paymentId,
      gatewayDisputeId: 'KCB-1',
      amount: '1000.5',
      category: 'chargeback',
      fee: null,
      openedAt: new Date('2026-11-20T08:00:00Z'),
      dueAt: null,
      actor,
      ...changes,
    });

  test('is opened by hand, answered there, recorded and closed, with its fee, and the merchant is told', async () => {
    payment = await payAt(tests, 'kora-main');
    expect(await open()).toMatchObject({ kind: 'opened' });
    expect(await open()).toMatchObject({ kind: 'refused', field: 'gatewayDisputeId' });
    expect(await detail()).toMatchObject({ manual: true, dueAt: new Date('2026-11-21T08:00:00Z'), dueSource: 'RULE' });
    expect(await answer({ send: true })).toMatchObject({ kind: 'refused' });
    expect(await answer({ send: false })).toMatchObject({ kind: 'answered' });
    const { merchantId, id: disputeId } = await stored();
    await recordDispute(context, { merchantId, disputeId, state: 'LOST', fee: '500', actor });
    expect(await detail()).toMatchObject({ state: 'LOST', fee: '500', payment: { reversedAmount: '1000.5' } });
    expect(await events()).toEqual(['dispute.opened needs_response', 'dispute.closed lost']);
    expect((await types()).filter((type) => type.startsWith('opened') || type.startsWith('recorded'))).toEqual([
      'opened_by_hand NEEDS_RESPONSE',
      'recorded LOST',
    ]);
  });

  test('is not opened where the gateway has a list, nor of a payment that was not paid', async () => {
    expect(await open()).toMatchObject({ kind: 'refused' });
    expect(await open({ paymentId: tests.newId() })).toEqual({ kind: 'not_found' });
  });

  test('was opened there before it is here', async () => {
    payment = await payAt(tests, 'kora-main');
    const later = new Date(tests.now().getTime() + 1);
    expect(await open({ openedAt: later })).toMatchObject({ kind: 'refused', field: 'openedAt' });
    expect(await open({ openedAt: tests.now() })).toMatchObject({ kind: 'opened' });
  });

  test('whose gateway reports it is not closed by hand', async () => {
    await read();
    const { merchantId, id: disputeId } = await stored();
    expect(await recordDispute(context, { merchantId, disputeId, state: 'WON', fee: null, actor })).toMatchObject({
      kind: 'refused',
    });
  });
});

test('the history of a dispute cannot be changed', async () => {
  await read();
  await expect(tests.database.prisma.disputeEvent.updateMany({ data: { type: 'won' } })).rejects.toThrow('does not change');
});

test('the inbox has those due first, page by page, and counts that are the sums of the table', async () => {
  const due = ['2026-11-21T00:00:00Z', '2026-11-20T12:00:00Z', null];
  fake.disputes.push(
    ...due.map((dueAt, at) =>
      disputeOf(payment, { gatewayDisputeId: String(at), dueAt: dueAt === null ? null : new Date(dueAt) }),
    ),
  );
  await readDisputes(context, key());
  const filter = { merchantIds: [payment.merchantId], mode: 'test', gateways: [], paymentId: null } as const;
  const page = async (after: Parameters<typeof listDisputes>[1]['after']) =>
    listDisputes(context, { ...filter, states: [], after, limit: 2 });
  const first = await page(null);
  const second = await page(first.next);
  expect([...first.items, ...second.items].map(({ gatewayDisputeId }) => gatewayDisputeId)).toEqual(['1', '0', '2']);
  expect(second.next).toBeNull();
  expect(await countDisputes(context, filter)).toEqual([{ state: 'NEEDS_RESPONSE', currency: 'NGN', count: 3, amount: '7500' }]);
});

describe.each(['paystack', 'flutterwave'])('a dispute at %s whose status is not documented', (gateway) => {
  const unrecognised = {
    message: 'The gateway reports a status that its documentation does not list: escalated.',
    record: '{"status":"escalated"}',
  };
  const unanswered = async () => {
    const rows = await listUnanswered(tests.database, [payment.merchantId]);
    return rows.map(({ disputeId }) => disputeId);
  };
  beforeEach(async () => {
    payment = await payAt(tests, `${gateway}-main`);
    ({ context, fake } = withDisputes(tests, []));
  });

  test('waits for a person at once, shown with what was answered, and stays as that person records it', async () => {
    await read({ unrecognised });
    const { disputeId } = await detail();
    expect(await unanswered()).toEqual([disputeId]);
    const shown = { unrecognised: unrecognised.message, unrecognisedRecord: unrecognised.record };
    expect(await detail()).toMatchObject({ ...shown, state: 'NEEDS_RESPONSE' });
    const timeline = { merchantId: payment.merchantId, paymentId: payment.paymentId, type: 'dispute.unrecognised_status' };
    await read({ unrecognised });
    expect(await tests.database.prisma.timelineEvent.findMany({ where: timeline })).toMatchObject([
      { detail: { disputeId, gateway, message: unrecognised.message, answer: unrecognised.record } },
    ]);
    const { merchantId } = payment;
    const lost = { merchantId, disputeId, state: 'LOST', fee: null, actor } as const;
    expect(await recordDispute(context, lost)).toEqual({ kind: 'recorded' });
    await read({ unrecognised });
    expect(await detail()).toMatchObject({ ...shown, state: 'LOST', payment: { reversedAmount: '2500' } });
    expect(await unanswered()).toEqual([]);
    expect(await types()).toEqual(['unrecognised NEEDS_RESPONSE', 'recorded LOST']);
    await read({ state: 'won' });
    expect(await detail()).toMatchObject({ state: 'WON', unrecognised: null });
  });

  test('that was answered waits for a person again, and is not taken for a new one by the merchant', async () => {
    await read();
    await send(await answer());
    expect(await unanswered()).toEqual([]);
    await read({ state: 'under_review' });
    await read({ unrecognised });
    expect(await unanswered()).toEqual([(await detail()).disputeId]);
    expect(await events()).toEqual(['dispute.opened needs_response']);
  });
});
