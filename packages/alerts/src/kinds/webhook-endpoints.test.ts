import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { openDispatcher } from '@switchyard/webhooks/deliveries';
import { disableEndpoint } from '@switchyard/webhooks/endpoints';
import { makeCertificate, openReceiver, type Receiver, until, webhooksOf } from '@switchyard/webhooks/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createChannel } from '../channels/change-channels.ts';
import { detectIncidents } from '../detect-incidents.ts';
import { GRACE_MS } from '../incidents/decide-incidents.ts';

const DAY_MS = 24 * 3_600_000;
const actor = 'staff:ada';

let context: TestPayments;
let merchantId: string;
let receiver: Receiver;
const errors: unknown[] = [];

beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
beforeEach(async () => {
  context.setClock(new Date());
  ({ merchantId } = await createTestMerchant(context, {}));
});
afterEach(async () => {
  await receiver.close();
  expect(errors).toEqual([]);
});

/** Delivers one event to an endpoint, over a connection of its own. */
async function deliver(endpointId: string): Promise<void> {
  const webhooks = webhooksOf(context, merchantId);
  await webhooks.announce(context.newId(), 1);
  const dispatcher = openDispatcher(context, { onError: (error) => errors.push(error) });
  dispatcher.wake({ merchantId, endpointId });
  await until('it is delivered', async () => {
    return (await webhooks.deliveries(endpointId)).every(({ state }) => state === 'DELIVERED');
  });
  await dispatcher.stop();
}

/** Looks for what is wrong some days from now, and once more after what is gone may close. Returns the merchant's incidents. */
async function lookAfter(days: number) {
  const at = Date.now() + days * DAY_MS;
  for (const ms of [0, 1_000, 1_000 + GRACE_MS]) {
    context.setClock(new Date(at + ms));
    await detectIncidents(context);
  }
  context.setClock(new Date());
  return context.database.prisma.incident.findMany({ where: { merchantId }, orderBy: { openedAt: 'asc' } });
}

test('a certificate that expires is an incident that becomes critical, and ends with the renewed one', async () => {
  const [short, long] = [await makeCertificate(10), await makeCertificate(60)];
  receiver = await openReceiver(undefined, short);
  const { endpointId } = await webhooksOf(context, merchantId).endpoint(`${receiver.url}/hooks/secret`);
  const channel = await createChannel(context, {
    merchantId,
    target: { kind: 'slack', url: 'https://hooks.slack.com/services/x' },
    settings: { name: 'On call', modes: ['test'], minSeverity: 'critical' },
    actor,
  });
  const told = async () => {
    if (channel.kind !== 'created') throw new Error(JSON.stringify(channel));
    const rows = await context.database.prisma.notification.findMany({ where: { channelId: channel.channelId } });
    return rows.map(({ event }) => event);
  };
  await deliver(endpointId);
  const [warning, ...others] = await lookAfter(0);
  expect(others).toEqual([]);
  expect(warning).toMatchObject({
    kind: 'certificate_expiring',
    severity: 'warning',
    subject: endpointId,
    closedAt: null,
    facts: { host: receiver.url.replace('https://', ''), expiresAt: short.expiresAt.toISOString() },
  });
  expect(JSON.stringify(warning?.facts)).not.toContain('secret');
  expect(await told()).toEqual([]);

  expect(await lookAfter(8)).toMatchObject([{ id: warning?.id, severity: 'critical', closedAt: null }]);
  expect(await told()).toEqual(['opened']);
  expect(await lookAfter(11)).toMatchObject([{ id: warning?.id, severity: 'critical', closedAt: null }]);
  expect(await told()).toEqual(['opened']);

  receiver.renew(long);
  await deliver(endpointId);
  expect(await lookAfter(12)).toMatchObject([{ id: warning?.id, closedReason: 'ended' }]);
});

test('a certificate of more than 14 days is none, and switching the endpoint off ends one', async () => {
  receiver = await openReceiver(undefined, await makeCertificate(15));
  const { endpointId } = await webhooksOf(context, merchantId).endpoint(receiver.url);
  await deliver(endpointId);
  expect(await lookAfter(0)).toEqual([]);
  expect(await lookAfter(2)).toMatchObject([{ severity: 'warning', closedAt: null }]);
  await disableEndpoint(context, { merchantId, endpointId, reason: 'staff', actor });
  expect(await lookAfter(3)).toMatchObject([{ closedReason: 'ended' }]);
});
