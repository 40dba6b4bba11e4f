import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { reservePayment } from '../../record/statements.ts';
import { newPayment } from '../../testing/context.ts';
import { claimDuePayment, claimDuePayments, scheduleNextCheck } from './queries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
/** Each test finds only its own payments due. */
afterEach(() => database.prisma.paymentCheck.deleteMany());
afterAll(() => database.close());

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const INITIATE_MS = 30_000;
const LEASE_MS = 2 * MINUTE_MS;
const merchantId = newId();
/** Statements that wait for a row of another. */
const WAITING = `
SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event IN ('transactionid', 'tuple')`;

/** The current time of a process whose clock is this many minutes off. */
const clockOff = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);
const OFF = [-10, 0, 10];
const pairs = OFF.flatMap((writer) => OFF.map((reader) => ({ writer, reader })));

/** A payment initiated by a process whose clock is off. */
async function reserved(minutesOff: number) {
  const payment = newPayment({ merchantId, createdAt: clockOff(minutesOff), abandonedAfterMs: INITIATE_MS });
  await reservePayment(database, payment, null);
  return { merchantId, paymentId: payment.paymentId };
}

type Key = Awaited<ReturnType<typeof reserved>>;

const claim = (payment: Key, minutesOff: number) =>
  claimDuePayment(database, payment, { now: clockOff(minutesOff), leaseMs: LEASE_MS });
/** Advances the database's clock as seen by one payment. */
const pass = async ({ merchantId, paymentId }: Key, ms: number) => {
  const where = { merchantId_paymentId: { merchantId, paymentId } };
  const { nextCheckAt } = await database.prisma.paymentCheck.findUniqueOrThrow({ where });
  await database.prisma.paymentCheck.update({ where, data: { nextCheckAt: new Date(nextCheckAt.getTime() - ms) } });
};
const checkOf = ({ paymentId }: Key) => database.prisma.paymentCheck.findFirst({ where: { paymentId } });
const open = ({ paymentId }: Key, nextCheckAt: Date) =>
  database.prisma.paymentCheck.updateMany({ where: { paymentId }, data: { initiating: false, nextCheckAt } });
const claimNext = async (now: Date, limit = 1) => claimDuePayments(database, { now, leaseMs: LEASE_MS, limit });

describe.each(pairs)('of two processes whose clocks are $writer and $reader minutes off', ({ writer, reader }) => {
  test('the second does not claim what the first is initiating', async () => {
    const payment = await reserved(writer);
    await pass(payment, INITIATE_MS - 10 * SECOND_MS);
    expect(await claim(payment, reader)).toBeNull();
    expect(await claimNext(clockOff(reader))).toEqual([]);
  });

  test('the second resumes what the first abandoned, as soon as its time is over', async () => {
    const one = await reserved(writer);
    const next = await reserved(writer);
    await Promise.all([pass(one, INITIATE_MS), pass(next, INITIATE_MS)]);
    expect(await claim(one, reader)).toMatchObject({ paymentId: one.paymentId, checkCount: 1 });
    expect(await claimNext(clockOff(reader), 5)).toMatchObject([next]);
  });

  test('the second does not claim what the first resumes, until its lease expires', async () => {
    const payment = await reserved(0);
    await pass(payment, INITIATE_MS);
    await claim(payment, writer);
    await pass(payment, LEASE_MS - 10 * SECOND_MS);
    expect(await claim(payment, reader)).toBeNull();
    await pass(payment, 10 * SECOND_MS);
    expect(await claim(payment, reader)).toMatchObject({ checkCount: 2 });
  });

  test('the second waits for the retry time that the first set after no answer', async () => {
    const payment = await reserved(0);
    await pass(payment, INITIATE_MS);
    const due = await claim(payment, writer);
    if (due === null) throw new Error('it was due');
    const now = clockOff(writer);
    await scheduleNextCheck(database, { due, nextCheckAt: new Date(now.getTime() + 40 * SECOND_MS), now });
    await pass(payment, 30 * SECOND_MS);
    expect(await claim(payment, reader)).toBeNull();
    await pass(payment, 10 * SECOND_MS);
    expect(await claim(payment, reader)).toMatchObject({ checkCount: 2 });
  });
});

describe('a payment whose checkout is open', () => {
  test('is due, leased and scheduled by the clock of the claiming process', async () => {
    const payment = await reserved(0);
    const now = clockOff(90);
    await open(payment, now);
    const lease = { now: new Date(now.getTime() - 1), leaseMs: LEASE_MS };
    expect(await claimDuePayment(database, payment, lease)).toBeNull();
    const due = await claimDuePayment(database, payment, { ...lease, now });
    expect(due).toMatchObject({ ...payment, leasedUntil: new Date(now.getTime() + LEASE_MS) });
    if (due === null) throw new Error('it was due');
    const next = clockOff(200);
    await scheduleNextCheck(database, { due, nextCheckAt: next, now });
    expect(await checkOf(payment)).toMatchObject({ nextCheckAt: next });
    await scheduleNextCheck(database, { due, nextCheckAt: null, now });
    expect(await checkOf(payment)).toMatchObject({ nextCheckAt: next });
  });

  test('is claimed before those that fell due later, and no more once it has no next check', async () => {
    const later = await reserved(0);
    const sooner = await reserved(0);
    const now = clockOff(0);
    await open(later, clockOff(-1));
    await open(sooner, clockOff(-2));
    const [first] = await claimNext(now);
    expect(first).toMatchObject(sooner);
    expect(await claimNext(now)).toMatchObject([later]);
    if (first === undefined) throw new Error('it was due');
    await scheduleNextCheck(database, { due: first, nextCheckAt: null, now });
    expect(await checkOf(sooner)).toBeNull();
    expect(await claim(sooner, 10_000)).toBeNull();
  });

  test('that another process claims at this moment is passed over, and nothing waits for it', async () => {
    const [held, free] = [await reserved(0), await reserved(0)];
    const now = clockOff(0);
    await open(held, clockOff(-2));
    await open(free, clockOff(-1));
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      const row = [held.merchantId, held.paymentId];
      await holder.query('SELECT FROM payment_check WHERE merchant_id = $1 AND payment_id = $2 FOR UPDATE', row);
      let isOver = false;
      const claimed = claimNext(now, 2).finally(() => {
        isOver = true;
      });
      const isWaiting = async () => (await database.pool.query(WAITING)).rows.length > 0;
      for (let waits = false; !isOver && !waits; ) waits = await isWaiting();
      expect(isOver).toBe(true);
      expect(await claimed).toMatchObject([free]);
    } finally {
      holder.release(true);
    }
  });

  test('is not scheduled any more by the process whose lease another has taken over', async () => {
    const payment = await reserved(0);
    const now = clockOff(0);
    await open(payment, now);
    const first = await claim(payment, 0);
    const second = await claim(payment, 3);
    if (first === null || second === null) throw new Error('it was due');
    await scheduleNextCheck(database, { due: first, nextCheckAt: clockOff(50), now });
    expect(await checkOf(payment)).toMatchObject({ nextCheckAt: second.leasedUntil });
    await scheduleNextCheck(database, { due: first, nextCheckAt: null, now });
    expect(await checkOf(payment)).toMatchObject({ nextCheckAt: second.leasedUntil });
    await scheduleNextCheck(database, { due: second, nextCheckAt: clockOff(60), now });
    expect(await checkOf(payment)).not.toMatchObject({ nextCheckAt: second.leasedUntil });
  });
});
