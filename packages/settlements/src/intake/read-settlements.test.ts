import { addDecimals } from '@switchyard/db/decimals';
import type { ListedSettlementLine } from '@switchyard/gateways';
import type { TestPayments } from '@switchyard/payments/testing';
import { openTestPayments } from '@switchyard/payments/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SourceLease } from '../source-lease.ts';
import {
  createSettledMerchant,
  type GatewaySettlement,
  linesOf,
  listing,
  recordDispute,
  recordPaid,
  recordRefund,
  settlementOf,
} from '../testing/account.ts';
import { scheduleSettlementReading } from './intake.ts';
import { matchAccount } from './match-account.ts';
import { readSettlements } from './read-settlements.ts';
import { storeSettlement } from './store-settlement.ts';

/* Payments of Tuesday 24 November 2026, due on Wednesday. The account is known since the first reading, on Monday. */
const PAID_AT = new Date('2026-11-24T11:00:00Z');

let context: TestPayments;
let key: { readonly merchantId: string; readonly accountId: string };
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-23T08:00:00Z'));
  key = await createSettledMerchant(context);
  expect(await readSettlements(listing(context, []).context, key)).toMatchObject({ kind: 'read', settlements: 0 });
});
afterAll(() => context.close());

const pay = (fee: string | null = '37.5') => recordPaid(context, key.merchantId, { paidAt: PAID_AT, fee });
const at = (time: string) => context.setClock(new Date(time));
const read = (listed: readonly GatewaySettlement[]) => readSettlements(listing(context, listed).context, key);
const lines = () =>
  context.database.prisma.settlementLine.findMany({
    where: key,
    orderBy: [{ createdAt: 'asc' }, { position: 'asc' }, { id: 'asc' }],
  });
const settlements = () => context.database.prisma.settlement.findMany({ where: key, orderBy: { reference: 'asc' } });
const source = () => context.database.prisma.settlementSource.findUniqueOrThrow({ where: { merchantId_accountId: key } });
const discrepancies = async () => {
  const rows = await context.database.prisma.settlementDiscrepancy.findMany({ where: key, orderBy: { createdAt: 'asc' } });
  return rows.map(({ kind, state, subject, expected, settled }) => {
    const money = `${expected?.toFixed() ?? '-'} ${settled?.toFixed() ?? '-'}`;
    return `${kind} ${state} ${subject.split('/')[0]} ${money}`;
  });
};

describe('reading an account', () => {
  test('stores each settlement with its lines, linked, and finds nothing open when all was settled', async () => {
    const [first, second] = [await pay(), await pay()];
    at('2026-11-25T08:00:00Z');
    const payout = settlementOf('s1', '2026-11-25', [...linesOf(first, PAID_AT), ...linesOf(second, PAID_AT)]);
    expect(await read([payout])).toEqual({ kind: 'read', settlements: 1, lines: 4 });
    expect(await settlements()).toMatchObject([{ status: 'PAID', lineCount: 4, periodFrom: PAID_AT, periodTo: PAID_AT }]);
    const [stored] = await settlements();
    expect([stored?.explained.toFixed(), stored?.unexplained.toFixed()]).toEqual(['5075', '0']);
    expect((await lines()).map(({ paymentId, linkedBy }) => [paymentId, linkedBy])).toEqual([
      [first.paymentId, 'REFERENCE'],
      [first.paymentId, 'REFERENCE'],
      [second.paymentId, 'REFERENCE'],
      [second.paymentId, 'REFERENCE'],
    ]);
    expect(await discrepancies()).toEqual([]);
    expect(await source()).toMatchObject({ failure: null, readTo: context.now(), matchedAt: context.now(), leasedUntil: null });
  });

  test('again stores nothing twice, and asks for no lines that are known', async () => {
    const paid = await pay();
    at('2026-11-25T08:00:00Z');
    const payout = settlementOf('s1', '2026-11-25', linesOf(paid, PAID_AT));
    await read([payout]);
    const before = [await settlements(), await lines()];
    at('2026-11-25T09:00:00Z');
    const again = listing(context, [payout]);
    expect(await readSettlements(again.context, key)).toEqual({ kind: 'read', settlements: 1, lines: 0 });
    expect([await settlements(), await lines()]).toEqual(before);
    expect(again.calls).toEqual(['heads']);
  });

  test('notices within a day that a payout of weeks ago has failed', async () => {
    const payment = await pay();
    const payout = settlementOf('s1', '2026-11-25', linesOf(payment, PAID_AT));
    at('2026-11-25T08:00:00Z');
    await read([payout]);
    at('2026-12-20T08:00:00Z');
    await read([payout]);
    const failed = { ...payout, head: { ...payout.head, status: 'failed' as const } };
    at('2026-12-20T09:00:00Z');
    await read([failed]);
    expect(await settlements()).toMatchObject([{ status: 'PAID' }]);
    at('2026-12-21T09:00:00Z');
    await read([failed]);
    expect(await settlements()).toMatchObject([{ status: 'FAILED' }]);
  });

  test('follows a pending settlement until it is paid, and one whose payout failed afterwards', async () => {
    const paid = await pay();
    at('2026-11-25T08:00:00Z');
    const payout = settlementOf('s1', '2026-11-25', linesOf(paid, PAID_AT));
    await read([{ ...payout, head: { ...payout.head, status: 'pending', settledOn: null } }]);
    expect(await settlements()).toMatchObject([{ status: 'PENDING', settledOn: null, lineCount: 0 }]);
    at('2026-11-27T08:00:00Z');
    await read([payout]);
    expect(await settlements()).toMatchObject([{ status: 'PAID', lineCount: 2 }]);
    expect(await discrepancies()).toEqual([]);
    at('2026-11-27T09:00:00Z');
    await read([{ ...payout, head: { ...payout.head, status: 'failed' } }]);
    expect(await discrepancies()).toEqual(['LATE OPEN payment 2462.5 -']);
  });

  test('keeps the amounts that the lines explain, whatever the gateway lists afterwards', async () => {
    const paid = await pay();
    at('2026-11-25T08:00:00Z');
    const payout = settlementOf('s1', '2026-11-25', linesOf(paid, PAID_AT));
    await read([payout]);
    const [before] = await settlements();
    at('2026-11-26T08:00:00Z');
    const other = {
      status: 'failed',
      net: '1',
      gross: '2',
      fees: '3',
      deductions: '4',
      currency: 'USD',
      settledOn: null,
    } as const;
    await read([{ ...payout, head: { ...payout.head, ...other } }]);
    const [after] = await settlements();
    expect(after).toEqual({ ...before, status: 'FAILED', updatedAt: context.now() });
  });

  test('stores what the lines leave of the net amount as a residue, which stays unexplained', async () => {
    const paid = await pay();
    at('2026-11-25T08:00:00Z');
    await read([settlementOf('s1', '2026-11-25', linesOf(paid, PAID_AT), { net: '2400' })]);
    const stored = await lines();
    expect(stored.at(-1)).toMatchObject({ kind: 'RESIDUE', linkedBy: null, position: 2 });
    expect(addDecimals(...stored.map(({ amount }) => amount.toFixed()))).toBe('2400');
    expect((await settlements())[0]?.unexplained.toFixed()).toBe('62.5');
    expect(await discrepancies()).toEqual(['UNMATCHED OPEN line - -62.5']);
  });

  test('that meets a page it cannot read stores that settlement not at all, and begins there again', async () => {
    const [first, second] = [await pay(), await pay()];
    at('2026-11-25T08:00:00Z');
    const before = await source();
    const extra: ListedSettlementLine = {
      ...linesOf(second, PAID_AT)[0],
      key: 'x',
      kind: 'other',
      amount: '1',
    } as ListedSettlementLine;
    const payouts = [
      settlementOf('s1', '2026-11-25', linesOf(first, PAID_AT)),
      settlementOf('s2', '2026-11-25', [...linesOf(second, PAID_AT), extra]),
    ];
    const broken = listing(context, payouts, { lines: 's2' });
    expect(await readSettlements(broken.context, key)).toEqual({ kind: 'failed', why: 'Paystack answered HTTP 503.' });
    expect((await settlements()).map(({ reference }) => reference)).toEqual(['s1']);
    expect(await source()).toMatchObject({
      failure: 'Paystack answered HTTP 503.',
      readTo: before.readTo,
      leasedUntil: null,
    });
    await read(payouts);
    expect((await settlements()).map(({ reference, lineCount }) => [reference, lineCount])).toEqual([
      ['s1', 2],
      ['s2', 3],
    ]);
    expect(await source()).toMatchObject({ failure: null, readTo: context.now() });
  });

  test('is for one process at a time, and for another once the lease of one that ended has run out', async () => {
    const lease = await SourceLease.take(context, key);
    expect(await read([])).toEqual({ kind: 'busy' });
    expect(await matchAccount(context, key)).toEqual({ kind: 'busy' });
    at('2026-11-23T08:06:00Z');
    expect(await read([])).toMatchObject({ kind: 'read' });
    await expect(lease?.renew()).rejects.toThrow();
  });

  test('lines of a stored settlement never change', async () => {
    at('2026-11-25T08:00:00Z');
    await read([settlementOf('s1', '2026-11-25', linesOf(await pay(), PAID_AT))]);
    await expect(context.database.prisma.settlementLine.updateMany({ where: key, data: { amount: '1' } })).rejects.toThrow(
      'settlement lines do not change',
    );
  });
});

describe('what is found open', () => {
  test('a payment is late, then missing, and resolved by its settlement; nothing is said of days that were not read', async () => {
    const paid = await pay();
    at('2026-11-26T08:00:00Z');
    expect(await matchAccount(context, key)).toMatchObject({ kind: 'matched', found: 0 });
    await read([]);
    expect(await discrepancies()).toEqual(['LATE OPEN payment 2462.5 -']);
    at('2026-11-30T08:00:00Z');
    await read([]);
    expect(await discrepancies()).toEqual(['MISSING OPEN payment 2462.5 -']);
    at('2026-12-01T08:00:00Z');
    await read([settlementOf('s1', '2026-12-01', linesOf(paid, PAID_AT))]);
    expect(await discrepancies()).toEqual(['MISSING RESOLVED payment 2462.5 -']);
  });

  test('nothing of payments that were due before the account was first read', async () => {
    await recordPaid(context, key.merchantId, { paidAt: new Date('2026-10-20T11:00:00Z') });
    at('2026-11-26T08:00:00Z');
    await read([]);
    expect(await discrepancies()).toEqual([]);
  });

  test('a refund of before the first known day is not awaited, which a payout before it may have taken off', async () => {
    const paid = await recordPaid(context, key.merchantId, { paidAt: new Date('2026-10-20T11:00:00Z') });
    // Settlements are known from Sunday, 25 October. Lagos is an hour ahead; both are due on Monday.
    await recordRefund(context, key, paid, { amount: 400n, at: new Date('2026-10-24T22:30:00Z') });
    await recordRefund(context, key, paid, { amount: 300n, at: new Date('2026-10-24T23:30:00Z') });
    at('2026-11-26T08:00:00Z');
    await read([]);
    expect(await discrepancies()).toEqual(['MISSING OPEN refund -300 -']);
  });

  test('a wrong fee is under, and a payment of two settlements is not', async () => {
    const [wrong, split] = [await pay(), await pay()];
    at('2026-11-25T08:00:00Z');
    const [amount, fee] = linesOf(split, PAID_AT) as [ListedSettlementLine, ListedSettlementLine];
    const first = settlementOf('s1', '2026-11-25', [...linesOf(wrong, PAID_AT, '-40'), { ...amount, amount: '1000' }]);
    await read([first]);
    expect(await discrepancies()).toEqual(['UNDER OPEN payment 2462.5 2460']);
    at('2026-11-26T08:00:00Z');
    await read([first, settlementOf('s2', '2026-11-26', [{ ...amount, amount: '1500' }, fee])]);
    expect(await discrepancies()).toEqual(['UNDER OPEN payment 2462.5 2460']);
  });

  test('a line that is of none of our payments is unmatched, until its payment is recorded', async () => {
    const paid = await pay();
    await context.database.prisma.attempt.updateMany({ where: key, data: { state: 'OPENED' } });
    at('2026-11-25T08:00:00Z');
    await read([settlementOf('s1', '2026-11-25', linesOf(paid, PAID_AT))]);
    expect(await discrepancies()).toEqual(['UNMATCHED OPEN line - 2500', 'UNMATCHED OPEN line - -37.5']);
    await context.database.prisma.attempt.updateMany({ where: key, data: { state: 'PAID' } });
    expect(await matchAccount(context, key)).toMatchObject({ linked: 2, found: 0, resolved: 2 });
    expect(await discrepancies()).toEqual(['UNMATCHED RESOLVED line - 2500', 'UNMATCHED RESOLVED line - -37.5']);
    expect((await settlements())[0]?.unexplained.toFixed()).toBe('0');
  });

  test('a fee that is missing of a payment found by amount and time; one that lines name by its transaction is settled', async () => {
    const [named, timed] = [await pay(), await recordPaid(context, key.merchantId, { paidAt: new Date('2026-11-24T15:00:00Z') })];
    at('2026-11-25T08:00:00Z');
    const [amount, fee] = linesOf(named, PAID_AT).map((each) => ({ ...each, reference: 'order-77' }));
    const [nameless] = linesOf(timed, new Date('2026-11-24T15:04:00Z'));
    await read([
      settlementOf('s1', '2026-11-25', [
        amount,
        fee,
        { ...nameless, reference: null, transactionId: null },
      ] as ListedSettlementLine[]),
    ]);
    expect((await lines()).map(({ paymentId, linkedBy }) => [paymentId, linkedBy])).toEqual([
      [named.paymentId, 'TRANSACTION'],
      [named.paymentId, 'TRANSACTION'],
      [timed.paymentId, 'AMOUNT_AND_TIME'],
    ]);
    expect(await discrepancies()).toEqual(['OVER OPEN payment 2462.5 2500']);
  });

  test('the charge for a lost dispute is that of the payout which takes it, in place of what was entered, once', async () => {
    const paid = await pay();
    const disputeId = await recordDispute(context, key, paid, { state: 'LOST', at: new Date('2026-11-25T13:00:00Z') });
    const where = { merchantId: key.merchantId, id: disputeId };
    await context.database.prisma.dispute.updateMany({ where, data: { fee: '1000' } });
    const about = { reference: paid.reference, transactionId: paid.transactionId, description: null, occurredAt: null };
    at('2026-11-26T08:00:00Z');
    const payouts = [
      settlementOf('s1', '2026-11-25', linesOf(paid, PAID_AT)),
      settlementOf('s2', '2026-11-26', [
        { key: 'chargeback/1', kind: 'chargeback', amount: '-2500', ...about },
        { key: 'fee/1', kind: 'fee', amount: '-1500.75', ...about },
      ]),
    ];
    await read(payouts);
    const dispute = await context.database.prisma.dispute.findFirstOrThrow({ where });
    expect(dispute.fee?.toFixed()).toBe('1500.75');
    const history = () => context.database.prisma.disputeEvent.findMany({ where: { merchantId: key.merchantId, disputeId } });
    const detail = { fee: '1500.75', currency: 'NGN', before: '1000' };
    expect(await history()).toMatchObject([{ type: 'fee_settled', actor: null, state: 'LOST', detail }]);
    expect(await discrepancies()).toEqual([]);
    await read(payouts);
    await matchAccount(context, key);
    expect(await history()).toHaveLength(1);
    const fees = (await lines()).filter(({ kind }) => kind === 'FEE').map(({ subjects }) => subjects[0]?.split('/')[0]);
    expect(fees).toEqual(['payment', 'dispute']);
  });

  test('a payout that takes more back by a chargeback than was left of the payment is under by the rest', async () => {
    const [refunded, whole] = [await pay(), await pay()];
    const moment = new Date('2026-11-25T13:00:00Z');
    await recordRefund(context, key, refunded, { amount: 2_000n, at: new Date('2026-11-24T12:00:00Z') });
    await recordDispute(context, key, refunded, { state: 'LOST', at: moment, takenBack: '500' });
    const nothing = await recordDispute(context, key, whole, { state: 'LOST', at: moment, takenBack: '0' });
    at('2026-11-26T08:00:00Z');
    const chargeback = (paid: typeof whole, amount: string) => {
      const names = { reference: paid.reference, transactionId: paid.transactionId, description: null, occurredAt: null };
      return { key: `chargeback/${paid.reference}`, kind: 'chargeback', amount, ...names } as const;
    };
    const deducted = { key: 'refund', kind: 'refund', amount: '-2000', reference: refunded.reference } as const;
    await read([
      settlementOf('s1', '2026-11-25', [...linesOf(refunded, PAID_AT), ...linesOf(whole, PAID_AT)]),
      settlementOf('s2', '2026-11-26', [
        { ...deducted, transactionId: refunded.transactionId, description: null, occurredAt: null },
        chargeback(refunded, '-2500'),
        chargeback(whole, '-2500'),
      ]),
    ]);
    expect((await discrepancies()).toSorted()).toEqual(['UNDER OPEN dispute -500 -2500', 'UNDER OPEN dispute 0 -2500']);
    await context.database.prisma.dispute.updateMany({ where: { id: nothing }, data: { takenBack: '2500' } });
    at('2026-11-27T08:00:00Z');
    await read([]);
    expect(await discrepancies()).toContain('UNDER OPEN dispute -500 -2500');
  });

  test('refunds and a lost dispute that one amount deducts are settled by it', async () => {
    const [first, second, third] = [await pay(), await pay(), await pay()];
    const one = await recordRefund(context, key, first, { amount: 400n, at: new Date('2026-11-24T12:00:00Z') });
    const two = await recordDispute(context, key, second, { state: 'LOST', at: new Date('2026-11-24T13:00:00Z') });
    await recordRefund(context, key, third, { amount: 100n, at: new Date('2026-11-24T13:30:00Z'), state: 'FAILED' });
    at('2026-11-25T08:00:00Z');
    const total = { key: 'deductions', kind: 'adjustment', amount: '-2900', reference: null } as const;
    const deductions = { ...total, transactionId: null, description: 'Deductions', occurredAt: null };
    const payments = [first, second, third].flatMap((paid) => linesOf(paid, PAID_AT));
    const payout = settlementOf('s1', '2026-11-25', [...payments, deductions]);
    await read([payout]);
    expect((await lines()).at(-1)).toMatchObject({ linkedBy: 'AMOUNT_AND_TIME', subjects: [`refund/${one}`, `dispute/${two}`] });
    at('2026-12-01T08:00:00Z');
    await read([payout]);
    expect(await discrepancies()).toEqual([]);
  });

  test('that people closed stays closed while it is the same, and opens again when it changes', async () => {
    await pay();
    at('2026-11-26T08:00:00Z');
    await read([]);
    await context.database.prisma.settlementDiscrepancy.updateMany({
      where: key,
      data: { state: 'EXPLAINED', resolvedBy: 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10', resolution: 'Bank holiday' },
    });
    at('2026-11-27T08:00:00Z');
    await read([]);
    expect(await discrepancies()).toEqual(['LATE EXPLAINED payment 2462.5 -']);
    at('2026-11-30T08:00:00Z');
    await read([]);
    expect(await discrepancies()).toEqual(['MISSING OPEN payment 2462.5 -']);
    const audited = await context.database.prisma.auditEntry.findMany({
      where: { tenantId: key.merchantId, objectType: 'settlement_discrepancy' },
    });
    expect(audited.map(({ action, actor }) => [action, actor])).toEqual([['settlements.reopened', 'system:settlements']]);
  });
});

describe('settlements that come by other roads', () => {
  test('are stored once, and make the account due to be matched', async () => {
    const paid = await pay();
    at('2026-11-25T08:00:00Z');
    const { head, lines: listed } = settlementOf('w1', '2026-11-25', linesOf(paid, PAID_AT));
    const received = { ...key, road: 'WEBHOOK', settlement: head, lines: listed } as const;
    const stored = await Promise.all([storeSettlement(context, received), storeSettlement(context, received)]);
    expect(stored.map(({ kind }) => kind).sort()).toEqual(['stored', 'unchanged']);
    expect(await source()).toMatchObject({ heardAt: context.now(), matchedAt: null });
    expect(await matchAccount(context, key)).toMatchObject({ linked: 2 });
    expect(await storeSettlement(context, { ...received, accountId: context.newId() })).toEqual({ kind: 'not_found' });
  });
});

describe('the schedule', () => {
  const jobs = async () => {
    const { rows } = await context.database.pool.query<{ accountId: string }>(
      `SELECT payload->>'accountId' AS "accountId" FROM graphile_worker._private_jobs AS job
       JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
       WHERE task.identifier = 'read-settlements' AND payload->>'merchantId' = $1`,
      [key.merchantId],
    );
    return rows.map(({ accountId }) => accountId);
  };

  test('asks for an account every hour, once however often it runs', async () => {
    await context.resources.configuration.refresh();
    await scheduleSettlementReading(context);
    await scheduleSettlementReading(context);
    expect(await jobs()).toEqual([key.accountId]);
    expect(await source()).toMatchObject({ nextPollAt: new Date('2026-11-23T09:00:00Z') });
  });

  test('leaves the job of a process that died as it is, to run again', async () => {
    await context.resources.configuration.refresh();
    await scheduleSettlementReading(context);
    const begun = `UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'dead', attempts = 1
      WHERE key = $1 RETURNING id, attempts`;
    const { rows } = await context.database.pool.query<{ id: string }>(begun, [`read-settlements:${key.accountId}`]);
    await context.database.prisma.settlementSource.updateMany({ where: key, data: { nextPollAt: null } });
    await scheduleSettlementReading(context);
    const { rows: left } = await context.database.pool.query(
      `SELECT job.id, job.attempts FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
       WHERE task.identifier = 'read-settlements' AND payload->>'merchantId' = $1`,
      [key.merchantId],
    );
    expect(rows).toHaveLength(1);
    expect(left).toEqual(rows);
  });
});

describe.each(['paystack', 'flutterwave'])('a payout of %s whose status is not documented', (gateway) => {
  const unrecognised = {
    message: 'The gateway reports a status that its documentation does not list: held.',
    record: '{"id":1,"status":"held"}',
  };
  beforeEach(async () => {
    context.setClock(new Date('2026-11-23T08:00:00Z'));
    key = await createSettledMerchant(context, null, `${gateway}-main`);
    await read([]);
  });

  test('stays pending, shown with its record, and is a discrepancy after seven days, until the gateway gives a known one', async () => {
    const paid = await pay();
    const payout = settlementOf('s1', '2026-11-25', linesOf(paid, PAID_AT));
    const held = { ...payout, head: { ...payout.head, status: 'pending' as const, unrecognised } };
    const shown = {
      status: 'PENDING',
      lineCount: 0,
      unrecognised: unrecognised.message,
      unrecognisedRecord: unrecognised.record,
    };
    at('2026-11-25T08:00:00Z');
    await read([held]);
    expect(await settlements()).toMatchObject([shown]);
    const ofPayout = async () => (await discrepancies()).filter((one) => one.includes(' status '));
    at('2026-12-01T08:00:00Z');
    await read([held]);
    expect(await ofPayout()).toEqual([]);
    at('2026-12-02T08:00:00Z');
    await read([held]);
    expect(await settlements()).toMatchObject([shown]);
    expect(await ofPayout()).toEqual(['MISSING OPEN status 2462.5 -']);
    at('2026-12-03T08:00:00Z');
    await read([payout]);
    expect(await settlements()).toMatchObject([{ status: 'PAID', unrecognised: null, unrecognisedRecord: null, lineCount: 2 }]);
    expect(await ofPayout()).toEqual(['MISSING RESOLVED status 2462.5 -']);
  });

  test('that was paid before stays paid, with its lines', async () => {
    const paid = await pay();
    const payout = settlementOf('s1', '2026-11-25', linesOf(paid, PAID_AT));
    at('2026-11-25T08:00:00Z');
    await read([payout]);
    at('2026-11-25T09:00:00Z');
    await read([{ ...payout, head: { ...payout.head, status: 'pending', unrecognised } }]);
    expect(await settlements()).toMatchObject([{ status: 'PAID', lineCount: 2, unrecognised: unrecognised.message }]);
    expect(await discrepancies()).toEqual([]);
  });
});
