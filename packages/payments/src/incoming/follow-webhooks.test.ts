import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentsContext } from '../record/context.ts';
import { readPayment } from '../record/statements.ts';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { createStubbedMerchant, type GatewayStub, startGatewayStub } from '../testing/gateway-stub.ts';
import { recordPayment } from '../testing/past.ts';
import { type EndedFollowUp, followUpWebhook, openWebhookFollower, type WebhookFollower } from './follow-webhooks.ts';
import { type ClaimedWebhook, storeGatewayWebhook } from './queries.ts';

describe('follow up webhook', () => {
  let context: TestPayments;
  let stub: GatewayStub;
  let merchantId: string;
  let accountId: string;
  beforeAll(async () => {
    context = await openTestPayments();
    stub = await startGatewayStub();
    ({ merchantId, accountId } = await createStubbedMerchant(context, stub));
  });
  afterAll(async () => {
    stub.close();
    await context.close();
  });
  beforeEach(() => stub.answer({ status: 'success', paidAt: context.now() }));

  /** A webhook about an open payment, and what its payment is now. */
  async function aboutPayment() {
    const { paymentId } = await recordPayment(context, merchantId);
    const payment = () => readPayment(context.database, merchantId, paymentId);
    const attemptId = (await payment())?.currentAttemptId ?? '';
    const followUp = { kind: 'payment', attemptId } as const;
    const ids = { merchantId, webhookId: context.newId(), accountId };
    const webhook: ClaimedWebhook = { ...ids, reference: null, transactionId: '302961', followUp, tries: 1 };
    const setStatus = (status: 'INITIATED' | 'PENDING') =>
      context.database.prisma.payment.update({ where: { merchantId_id: { merchantId, id: paymentId } }, data: { status } });
    return { webhook, payment, setStatus };
  }

  test('the payment of a webhook is looked up, and the answer counts, not the webhook', async () => {
    const { webhook, payment } = await aboutPayment();
    stub.answer({ status: 'abandoned' });
    await followUpWebhook(context, webhook);
    expect(await payment()).toMatchObject({ status: 'PENDING' });
    stub.answer({ status: 'success', paidAt: context.now() });
    await followUpWebhook(context, webhook);
    expect(await payment()).toMatchObject({ status: 'SUCCESS' });
  });

  test('a webhook whose gateway gives no answer is followed up again', async () => {
    const { webhook, payment } = await aboutPayment();
    stub.answer('down');
    await expect(followUpWebhook(context, webhook)).rejects.toThrow('gave no answer');
    expect(await payment()).toMatchObject({ status: 'PENDING' });
  });

  test('a webhook that comes before its checkout is on record is followed up again, and asks nothing until then', async () => {
    const { webhook, payment, setStatus } = await aboutPayment();
    await setStatus('INITIATED');
    await expect(followUpWebhook(context, webhook)).rejects.toThrow('still being initiated');
    expect(stub.lookups).toEqual([]);
    await setStatus('PENDING');
    await followUpWebhook(context, webhook);
    expect(await payment()).toMatchObject({ status: 'SUCCESS' });
  });

  describe('of a transfer that goes back to the customer', () => {
    const transfer = { why: 'another_amount', amount: '900', currency: 'NGN' } as const;
    const eventsOf = (paymentId: string) =>
      context.database.prisma.timelineEvent.findMany({ where: { merchantId, paymentId, type: 'payment.transfer_returned' } });

    test('is recorded once, in the timeline alone', async () => {
      const { webhook, payment } = await aboutPayment();
      const known = await payment();
      const attemptId = known?.currentAttemptId ?? '';
      const returned = { ...webhook, followUp: { kind: 'returned_transfer', attemptId, transfer } } as const;
      await followUpWebhook(context, returned);
      await followUpWebhook(context, returned);
      expect(stub.lookups).toEqual([]);
      expect(await payment()).toMatchObject({ status: 'PENDING', version: (known?.version ?? 0) + 1 });
      expect(await eventsOf(known?.paymentId ?? '')).toMatchObject([
        { cause: 'gateway_webhook', detail: { attemptId, gateway: 'paystack', ...transfer, expected: '2500' } },
      ]);
    });

    test('is recorded of the payment whose transaction the gateway names', async () => {
      const { webhook, payment } = await aboutPayment();
      const known = await payment();
      const attempt = await context.database.prisma.attempt.findFirstOrThrow({
        where: { merchantId, paymentId: known?.paymentId ?? '' },
      });
      stub.answer({ status: 'abandoned', reference: attempt.reference });
      const returned = { ...webhook, followUp: { kind: 'returned_transfer', attemptId: null, transfer } } as const;
      await followUpWebhook(context, returned);
      expect(stub.lookups).toEqual(['302961']);
      expect(await eventsOf(attempt.paymentId)).toHaveLength(1);
    });

    test('of which the gateway gives no answer is followed up again, and one of another system is left alone', async () => {
      const { webhook, payment } = await aboutPayment();
      const returned = { ...webhook, followUp: { kind: 'returned_transfer', attemptId: null, transfer } } as const;
      stub.answer('down');
      await expect(followUpWebhook(context, returned)).rejects.toThrow('gave no answer about a transaction');
      stub.answer({ status: 'abandoned', reference: 'of-another-system' });
      await followUpWebhook(context, returned);
      expect(await eventsOf((await payment())?.paymentId ?? '')).toEqual([]);
    });

    test('that came after the payment was paid says so, where the gateway has one word for late and again', async () => {
      const { webhook, payment } = await aboutPayment();
      await followUpWebhook(context, webhook);
      const known = await payment();
      const attemptId = known?.currentAttemptId ?? '';
      const late = { kind: 'returned_transfer', attemptId, transfer: { ...transfer, why: 'late' } } as const;
      await followUpWebhook(context, { ...webhook, webhookId: context.newId(), followUp: late });
      expect(await eventsOf(known?.paymentId ?? '')).toMatchObject([{ detail: { why: 'again' } }]);
      expect(await payment()).toMatchObject({ status: 'SUCCESS' });
    });
  });

  test('a webhook that only another version can read is left to it', async () => {
    const { webhook } = await aboutPayment();
    await expect(followUpWebhook(context, { ...webhook, followUp: null })).rejects.toThrow('cannot read');
  });
});

describe('follow webhooks', () => {
  const MINUTE_MS = 60_000;

  let context: TestPayments;
  let stub: GatewayStub;
  let opened: WebhookFollower[];
  let ended: EndedFollowUp[];
  beforeAll(async () => {
    context = await openTestPayments();
    stub = await startGatewayStub();
  });
  afterAll(async () => {
    stub.close();
    await context.close();
  });
  beforeEach(async () => {
    opened = [];
    ended = [];
    stub.answer({ status: 'success' });
    await context.database.prisma.gatewayWebhook.deleteMany();
    await context.database.prisma.webhookFollowUp.deleteMany();
  });
  afterEach(async () => {
    await Promise.all(opened.map((follower) => follower.stop()));
  });

  function fail(error: unknown): void {
    throw error;
  }

  /** A follower as of one worker process. */
  function open(at: PaymentsContext = context): WebhookFollower {
    const follower = openWebhookFollower(at, { onEnded: (one) => void ended.push(one), onError: fail });
    opened.push(follower);
    return follower;
  }

  /** Stored webhooks about payments of a new merchant, one each. */
  async function webhooks(count: number) {
    const { merchantId, accountId } = await createStubbedMerchant(context, stub);
    for (let stored = 0; stored < count; stored++) {
      const { paymentId } = await recordPayment(context, merchantId);
      const attempt = await context.database.prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId } });
      const webhook = {
        merchantId,
        webhookId: context.newId(),
        accountId,
        gateway: 'paystack',
        dedupeKey: attempt.id,
        body: '{}',
      };
      const about = { event: 'charge.success', reference: attempt.reference, transactionId: null, relevant: true };
      await storeGatewayWebhook(
        context.database,
        { ...webhook, ...about },
        { kind: 'payment', attemptId: attempt.id },
        context.now(),
      );
    }
    const { gatewayWebhook, payment, webhookFollowUp } = context.database.prisma;
    const states = async () => (await gatewayWebhook.findMany({ where: { merchantId } })).map(({ state }) => state);
    const waiting = () => webhookFollowUp.findMany({ where: { merchantId } });
    const paid = () => payment.count({ where: { merchantId, status: 'SUCCESS' } });
    return { merchantId, states, waiting, paid };
  }

  function pass(milliseconds: number): void {
    context.setClock(new Date(context.now().getTime() + milliseconds));
  }

  describe('stored webhooks', () => {
    test('are each followed up once, by two processes that are woken again and again', async () => {
      const { merchantId, states, waiting, paid } = await webhooks(60);
      const before = stub.lookups.length;
      const followers = [open(), open(await context.beside())];
      await Promise.all(Array.from({ length: 10 }, (_, n) => followers[n % 2]?.wake(merchantId)));
      expect(await paid()).toBe(60);
      expect(stub.lookups.slice(before)).toHaveLength(60);
      expect(new Set(stub.lookups.slice(before)).size).toBe(60);
      expect(new Set(await states())).toEqual(new Set(['PROCESSED']));
      expect(await waiting()).toEqual([]);
      expect(new Set(ended.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
    });

    test('are found by a sweep when the job that would wake a worker is lost', async () => {
      const [one, other] = [await webhooks(2), await webhooks(1)];
      await open().sweep();
      await expect.poll(() => Promise.all([one.paid(), other.paid()])).toEqual([2, 1]);
    });

    test('of one merchant wait for none of another whose gateway hangs', async () => {
      const hanging = await webhooks(40);
      const release = stub.hold();
      const follower = open();
      const held = follower.wake(hanging.merchantId);
      await expect.poll(stub.openNow).toBe(16);
      const other = await webhooks(1);
      const woken = follower.wake(other.merchantId);
      await expect.poll(stub.openNow).toBe(17);
      release();
      await Promise.all([held, woken]);
      expect([await hanging.paid(), await other.paid()]).toEqual([40, 1]);
    });

    test('of merchants beyond those that may be followed at once get their turn while the others have more to do', async () => {
      const busy = await Promise.all(Array.from({ length: 16 }, () => webhooks(1)));
      const release = stub.hold();
      const follower = open();
      const held = busy.map(({ merchantId }) => follower.wake(merchantId));
      await expect.poll(stub.openNow).toBe(16);
      const late = await webhooks(1);
      held.push(follower.wake(late.merchantId), ...busy.map(({ merchantId }) => follower.wake(merchantId)));
      release();
      await Promise.all(held);
      expect(await late.paid()).toBe(1);
    });
  });

  describe('a webhook', () => {
    test('whose gateway gives no answer is due again after growing pauses, and given up after 25', async () => {
      const { merchantId, states, waiting } = await webhooks(1);
      const follower = open();
      stub.answer('down');
      const pauses: number[] = [];
      for (let tries = 1; tries < 25; tries++) {
        await follower.wake(merchantId);
        const [row] = await waiting();
        expect(row).toMatchObject({ tries });
        pauses.push((row?.dueAt.getTime() ?? 0) - context.now().getTime());
        await follower.wake(merchantId);
        expect(await waiting()).toMatchObject([{ tries }]);
        pass(pauses.at(-1) ?? 0);
      }
      expect(pauses.slice(0, 3)).toEqual([2_718, 7_389, 20_085]);
      expect(Math.max(...pauses)).toBe(22_026_465);
      await follower.wake(merchantId);
      expect(await states()).toEqual(['RECEIVED']);
      expect(await waiting()).toEqual([]);
      expect(ended.map(({ outcome }) => outcome)).toEqual([...Array<string>(24).fill('retried'), 'failed']);
      expect(String(ended.at(-1)?.error)).toContain('gave no answer');
    });

    test('that this version cannot read is tried again, and holds up no other of its merchant', async () => {
      const { merchantId, waiting, paid } = await webhooks(2);
      const [first] = (await waiting()).toSorted((one, next) => one.webhookId.localeCompare(next.webhookId));
      const key = { merchantId_webhookId: { merchantId, webhookId: first?.webhookId ?? '' } };
      await context.database.prisma.webhookFollowUp.update({ where: key, data: { about: { kind: 'of_a_later_version' } } });
      await open().wake(merchantId);
      expect(await paid()).toBe(1);
      expect(await waiting()).toMatchObject([{ webhookId: first?.webhookId, about: { kind: 'of_a_later_version' }, tries: 1 }]);
      expect(ended.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'retried']);
    });

    test('that a process claimed and did not end is followed up by another when the lease is over', async () => {
      const { merchantId, states, waiting, paid } = await webhooks(1);
      const release = stub.hold();
      const dead = open().wake(merchantId);
      await expect.poll(stub.openNow).toBe(1);
      const other = await context.beside();
      const follower = open(other);
      await follower.wake(merchantId);
      expect(await waiting()).toMatchObject([{ tries: 1 }]);
      pass(MINUTE_MS + 1);
      const taken = follower.wake(merchantId);
      await expect.poll(async () => (await waiting())[0]?.tries).toBe(2);
      release();
      await Promise.all([dead, taken]);
      expect(await paid()).toBe(1);
      expect(await states()).toEqual(['PROCESSED']);
      expect(await waiting()).toEqual([]);
    });

    test('that is not followed up when its process stops stays due for the next', async () => {
      const { merchantId, paid } = await webhooks(20);
      const release = stub.hold();
      const follower = open();
      const woken = follower.wake(merchantId);
      await expect.poll(stub.openNow).toBe(16);
      const stopped = follower.stop();
      release();
      await Promise.all([woken, stopped]);
      expect(await paid()).toBe(16);
      await open().wake(merchantId);
      expect(await paid()).toBe(20);
    });
  });
});
