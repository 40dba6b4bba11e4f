import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { NIL_ID } from '@switchyard/db';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant, reloadConfiguration, type TestMerchant, testStaff } from '@switchyard/runtime/testing';
import { openSender } from '@switchyard/webhooks/sending';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type CreateChannelCommand,
  createChannel,
  removeChannel,
  testChannel,
  updateChannel,
} from '../channels/change-channels.ts';
import type { MessageTools } from '../context.ts';
import { detectIncidents } from '../detect-incidents.ts';
import { GRACE_MS } from '../incidents/decide-incidents.ts';
import { acknowledgeIncident, muteIncident, muteKind } from '../incidents/incidents.ts';
import { RETRY_DELAYS_MS, sendNotifications } from './send-notifications.ts';

const START = new Date('2026-11-20T14:00:05.000Z');
const actor = 'staff:ada';

let payments: TestPayments;
let context: TestPayments & MessageTools;
let merchant: TestMerchant;
let received: { path: string; body: string }[] = [];
let answer: (path: string, response: ServerResponse) => void;
let base: string;
let passed = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString('utf8') });
    answer(request.url ?? '', response);
  });
});

beforeAll(async () => {
  payments = await openTestPayments();
  context = { ...payments, sender: openSender(), mailer: null };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
});
afterAll(async () => {
  await context.sender.close();
  server.closeAllConnections();
  server.close();
  await payments.close();
});
beforeEach(async () => {
  passed = 0;
  payments.setClock(START);
  const { pool } = payments.database;
  await pool.query('TRUNCATE incident, incident_mute, notification, notification_channel');
  await pool.query(
    'UPDATE gateway_account SET configuration_fault = NULL, configuration_fault_message = NULL, configuration_fault_at = NULL',
  );
  await pool.query('SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs');
  await payments.resources.configuration.refresh();
  merchant = await createTestMerchant(payments, { 'paystack-main': {}, 'flutterwave-main': {} });
  received = [];
  answer = (_path, response) => void response.end('ok');
});

async function channel(name: string, settings: Partial<CreateChannelCommand['settings']> = {}): Promise<string> {
  const target = { kind: 'slack', url: `${base}/${name}` };
  const outcome = await createChannel(context, {
    merchantId: merchant.merchantId,
    target,
    settings: { name, modes: ['test'], ...settings },
    actor,
  });
  if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
  return outcome.channelId;
}

/** Lets time pass in steps of the detector, sending what is due at each. */
async function pass(ms: number, stepMs = 30_000): Promise<void> {
  for (const end = passed + ms; passed < end; ) {
    passed = Math.min(passed + stepMs, end);
    payments.setClock(new Date(START.getTime() + passed));
    await detectIncidents(context);
    await sendDue();
  }
}

/** Does what the worker would: the jobs that are due by the test's clock. */
async function sendDue(): Promise<void> {
  const channels = await payments.database.prisma.notificationChannel.findMany();
  for (const { merchantId, id } of channels) await sendNotifications(context, { merchantId, channelId: id });
}

async function refuse(label: string, refused = true): Promise<void> {
  await payments.database.prisma.gatewayAccount.update({
    where: { merchantId_id: { merchantId: merchant.merchantId, id: merchant.accounts[label] ?? '' } },
    data: refused
      ? { configurationFault: 'CREDENTIALS', configurationFaultMessage: 'Invalid key.', configurationFaultAt: START }
      : { configurationFault: null, configurationFaultMessage: null, configurationFaultAt: null },
  });
  await reloadConfiguration(payments, merchant.merchantId);
}

const log = () =>
  payments.database.prisma.notification.findMany({
    where: { merchantId: { in: [merchant.merchantId, NIL_ID] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
const incident = () => payments.database.prisma.incident.findFirstOrThrow({ where: { merchantId: merchant.merchantId } });
const at = (path: string) => received.filter((one) => one.path === `/${path}`).map(({ body }) => JSON.parse(body).text);

describe('messages', () => {
  test('one when an incident opens and one when it ends, with its reason, and the log of both', async () => {
    await channel('ops');
    await refuse('paystack-main');
    await pass(120_000);
    expect(at('ops')).toEqual([
      'Gateway account out of rotation: Paystack (paystack-main) is out of rotation, Balogun Books (test)',
    ]);
    expect(received[0]?.body).toContain('Paystack refuses its credentials');
    expect(received[0]?.body).toContain(
      `${context.resources.publicUrl}/alerts/${(await incident()).id}?mode=test&merchant=${merchant.merchantId}`,
    );
    await refuse('paystack-main', false);
    await pass(GRACE_MS + 60_000);
    expect(at('ops')[1]).toMatch(/^Recovered: Paystack/);
    expect(received[1]?.body).toContain('It lasted 3 min');
    expect((await log()).map(({ event, state, httpStatus, attempts }) => [event, state, httpStatus, attempts])).toEqual([
      ['opened', 'SENT', 200, 1],
      ['recovered', 'SENT', 200, 1],
    ]);
  });

  test('of incidents that open together are one', async () => {
    await channel('ops');
    await refuse('paystack-main');
    await pass(10_000);
    await refuse('flutterwave-main');
    await pass(60_000);
    expect(at('ops')).toEqual([expect.stringMatching(/^2 alerts, first: /)]);
  });

  test('that a channel does not take are tried again, a few times, and do not hold up another channel', async () => {
    answer = (path, response) => void (path === '/dead' ? response.writeHead(500).end() : response.end('ok'));
    await channel('dead', { groupSeconds: 0 });
    await channel('alive', { groupSeconds: 0 });
    await refuse('paystack-main');
    await pass(20_000);
    expect(at('alive')).toHaveLength(1);
    await pass(3_600_000, 150_000);
    expect(at('dead')).toHaveLength(1 + RETRY_DELAYS_MS.length);
    expect(at('alive')).toHaveLength(1);
    expect((await log()).map(({ state, error, httpStatus }) => [state, error, httpStatus]).toSorted()).toEqual([
      ['FAILED', 'status 500', 500],
      ['SENT', null, 200],
    ]);
  });

  test('that a channel limits are not tried again before the time it asks for', async () => {
    answer = (_path, response) => void response.writeHead(429, { 'retry-after': '300' }).end();
    await channel('limited', { groupSeconds: 0 });
    await refuse('paystack-main');
    await pass(300_000);
    expect(at('limited')).toHaveLength(1);
    answer = (_path, response) => void response.end('ok');
    await pass(30_000);
    expect(at('limited')).toHaveLength(2);
    expect((await log()).map(({ state }) => state)).toEqual(['SENT']);
  });

  test('that a channel refuses for good are not tried again', async () => {
    answer = (_path, response) => void response.writeHead(404).end();
    await channel('gone', { groupSeconds: 0 });
    await refuse('paystack-main');
    await pass(120_000);
    expect(received).toHaveLength(1);
    expect(await log()).toMatchObject([{ state: 'FAILED', error: 'status 404', attempts: 1 }]);
  });

  test('held back by quiet hours are sent at their end', async () => {
    await channel('quiet', { quietHours: { zone: 'UTC', from: 14 * 60, to: 14 * 60 + 10, criticalPasses: false } });
    await refuse('paystack-main');
    await pass(9 * 60_000, 60_000);
    expect(received).toEqual([]);
    await pass(60_000);
    expect(at('quiet')).toHaveLength(1);
  });

  test('to a channel that is off or removed meanwhile are not sent', async () => {
    const channelId = await channel('ops');
    const removed = await channel('removed');
    await refuse('paystack-main');
    await pass(10_000);
    const key = { merchantId: merchant.merchantId, channelId };
    await updateChannel(context, { ...key, enabled: false, actor });
    await removeChannel(context, { ...key, channelId: removed, actor });
    await pass(60_000);
    expect(received).toEqual([]);
    expect((await log()).map(({ state, error }) => [state, error]).toSorted()).toEqual([
      ['SKIPPED', 'channel_off'],
      ['SKIPPED', 'channel_removed'],
    ]);
  });

  test('by several workers at once are sent once', async () => {
    const channelId = await channel('ops', { groupSeconds: 0 });
    await refuse('paystack-main');
    payments.setClock(new Date(START.getTime() + 1_000));
    await detectIncidents(context);
    const key = { merchantId: merchant.merchantId, channelId };
    await Promise.all([1, 2, 3, 4].map(() => sendNotifications(context, key)));
    expect(at('ops')).toHaveLength(1);
  });

  test('escalate without an acknowledgement, and not with one', async () => {
    const boss = await channel('boss', { escalationsOnly: true, groupSeconds: 0 });
    await channel('ops', { groupSeconds: 0, escalation: { afterMinutes: 5, toChannelId: boss } });
    await refuse('paystack-main');
    await pass(4 * 60_000, 60_000);
    expect(at('boss')).toEqual([]);
    await pass(2 * 60_000);
    expect(at('boss')).toEqual([expect.stringMatching(/^Not acknowledged: /)]);
    await pass(10 * 60_000, 60_000);
    expect(at('boss')).toHaveLength(1);
    await refuse('flutterwave-main');
    await pass(10_000);
    const second = await payments.database.prisma.incident.findFirstOrThrow({
      where: { subject: merchant.accounts['flutterwave-main'] ?? '' },
    });
    expect(await acknowledgeIncident(context, { merchantId: merchant.merchantId, incidentId: second.id, actor })).toEqual({
      kind: 'changed',
    });
    await pass(10 * 60_000, 60_000);
    expect(at('boss')).toHaveLength(1);
  });

  test('are not sent about a muted kind, and a muted incident does not escalate', async () => {
    const boss = await channel('boss', { escalationsOnly: true });
    await channel('ops', { groupSeconds: 0, escalation: { afterMinutes: 1, toChannelId: boss } });
    await muteKind(context, { merchantId: merchant.merchantId, kind: 'credentials_refused', hours: 1, actor });
    await refuse('paystack-main');
    await pass(60_000);
    expect(received).toEqual([]);
    expect(await log()).toMatchObject([{ state: 'SKIPPED', error: 'muted' }]);
    await muteKind(context, { merchantId: merchant.merchantId, kind: 'credentials_refused', hours: 0, actor });
    await refuse('flutterwave-main');
    await pass(10_000);
    const { id } = await payments.database.prisma.incident.findFirstOrThrow({
      where: { subject: merchant.accounts['flutterwave-main'] ?? '' },
    });
    await muteIncident(context, { merchantId: merchant.merchantId, incidentId: id, hours: 2, actor });
    await pass(5 * 60_000, 60_000);
    expect([at('ops').length, at('boss').length]).toEqual([1, 0]);
  });
});

describe('a channel', () => {
  test('is tested by a real message, at any hour, even while it is off', async () => {
    const channelId = await channel('ops', { quietHours: { zone: 'UTC', from: 0, to: 23 * 60, criticalPasses: false } });
    const key = { merchantId: merchant.merchantId, channelId, actor };
    await updateChannel(context, { ...key, enabled: false });
    const outcome = await testChannel(context, key);
    await sendDue();
    expect(at('ops')).toEqual(['Test message']);
    const row = await payments.database.prisma.notification.findFirst({ where: { event: 'test' } });
    expect([outcome.kind === 'queued' && outcome.notificationId, row?.state]).toEqual([row?.id, 'SENT']);
  });

  test('holds its address encrypted, bound to its row, and shows only the host', async () => {
    const channelId = await channel('secret-path', { name: 'ops' });
    const row = await payments.database.prisma.notificationChannel.findFirstOrThrow({ where: { id: channelId } });
    expect([row.target.includes('secret-path'), row.targetHint]).toEqual([false, new URL(base).host]);
    const entries = await payments.database.prisma.auditEntry.findMany({ where: { objectId: channelId } });
    expect(entries.map(({ action }) => action)).toEqual(['notification_channel.created']);
    expect(JSON.stringify(entries)).not.toContain('secret-path');
  });

  test('refuses private addresses unless it is told of test mode alone, and targets that are not valid', async () => {
    const create = (target: CreateChannelCommand['target'], settings = {}) =>
      createChannel(context, { merchantId: merchant.merchantId, target, settings: { name: 'x', ...settings }, actor });
    const problems = async (...args: Parameters<typeof create>) => {
      const outcome = await create(...args);
      return outcome.kind === 'invalid' ? outcome.problems.map(({ field }) => field) : outcome.kind;
    };
    expect(await problems({ kind: 'slack', url: 'http://10.0.0.1/x' })).toEqual(['url']);
    expect(await problems({ kind: 'slack', url: 'https://169.254.169.254/x' }, { modes: ['test'] })).toEqual(['url']);
    expect(await problems({ kind: 'email', to: ['nobody'] })).toEqual(['to.0']);
    expect(await problems({ kind: 'pagerduty', routingKey: 'short' })).toEqual(['routingKey']);
    expect(await problems({ kind: 'telegram' })).toEqual(['kind']);
    expect(await problems({ kind: 'slack', url: 'https://hooks.slack.example/x' }, { groupSeconds: 9_000, name: '' })).toEqual([
      'name',
      'groupSeconds',
    ]);
    const escalation = { afterMinutes: 5, toChannelId: context.newId() };
    expect(await problems({ kind: 'slack', url: 'https://hooks.slack.example/x' }, { escalation })).toEqual([
      'escalation.toChannelId',
    ]);
  });

  test('of the first owner exists from the beginning, once, by e-mail', async () => {
    const staffId = await testStaff(context);
    await payments.database.prisma.staffGrant.create({
      data: { staffId, merchantId: NIL_ID, role: 'owner', grantedBy: 'system:test', createdAt: START },
    });
    await pass(20_000);
    const channels = await payments.database.prisma.notificationChannel.findMany({ where: { merchantId: NIL_ID } });
    expect(channels).toMatchObject([
      { kind: 'email', targetHint: `${staffId}@example.com`, minSeverity: 'warning', kinds: [], enabled: true },
    ]);
    await removeChannel(context, { merchantId: NIL_ID, channelId: channels[0]?.id ?? '', actor });
    await pass(20_000);
    expect(await payments.database.prisma.notificationChannel.count({ where: { merchantId: NIL_ID } })).toBe(1);
  });
});

test('an acknowledgement names who, once, and only while the incident is open', async () => {
  await refuse('paystack-main');
  await pass(10_000);
  const { id: incidentId } = await incident();
  const command = { merchantId: merchant.merchantId, incidentId, actor };
  expect([await acknowledgeIncident(context, command), await acknowledgeIncident(context, command)]).toEqual([
    { kind: 'changed' },
    { kind: 'unchanged' },
  ]);
  expect(await incident()).toMatchObject({ acknowledgedBy: actor });
  expect(await acknowledgeIncident(context, { ...command, merchantId: context.newId() })).toEqual({ kind: 'not_found' });
});
