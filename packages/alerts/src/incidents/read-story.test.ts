import { NIL_ID } from '@switchyard/db';
import { openTestPayments, recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { createHealthFixture, type HealthFixture, timedOut, well } from '@switchyard/provider-health/testing';
import { endOverride, setOverride } from '@switchyard/rule-sets/overrides';
import { testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createChannel } from '../channels/change-channels.ts';
import { detectIncidents } from '../detect-incidents.ts';
import { ageOutAlerts } from '../retention/age-out-alerts.ts';
import { GRACE_MS } from './decide-incidents.ts';
import { acknowledgeIncident, muteIncident } from './incidents.ts';
import { findIncident } from './list-incidents.ts';
import { type IncidentStory, readStory } from './read-story.ts';

const DAY_MS = 24 * 3_600_000;

let fixture: HealthFixture<TestPayments>;
let actor: string;

beforeAll(async () => {
  fixture = createHealthFixture(await openTestPayments());
  actor = `staff:${await testStaff(fixture.context)}`;
});
afterAll(() => fixture.context.close());
beforeEach(async () => {
  const { pool } = fixture.context.database;
  await pool.query('TRUNCATE incident, incident_account, notification, notification_channel');
  await fixture.begin();
});

const merchantId = () => fixture.merchant.merchantId;
const scope = () => ({ of: () => ({ merchantIds: [merchantId()], workspace: false }) });
const incidents = () => fixture.context.database.prisma.incident.findMany({ where: { merchantId: merchantId() } });

async function incidentId(): Promise<string> {
  const [incident, ...others] = await incidents();
  if (incident === undefined || others.length > 0) throw new Error(`${others.length + 1} incidents`);
  return incident.id;
}

async function story(channelMerchantIds: readonly string[] = [merchantId()]): Promise<IncidentStory> {
  const incident = await findIncident(fixture.context, { incidentId: await incidentId(), ...scope() });
  if (incident === null) throw new Error('there is no incident');
  return readStory(fixture.context, incident, { merchantIds: [merchantId()], channelMerchantIds });
}

const whatOf = ({ events }: IncidentStory) => events.map(({ what }) => what);

async function detect(): Promise<void> {
  await detectIncidents(fixture.context);
}

/** An outage of twenty minutes of which two payments met the fault, with everything that people did about it. */
async function liveThroughOutage(): Promise<void> {
  const { context } = fixture;
  await createChannel(context, {
    merchantId: merchantId(),
    target: { kind: 'slack', url: 'http://127.0.0.1:9/ops' },
    settings: { name: 'On call', modes: ['test'] },
    actor,
  });
  await fixture.see('paystack-main', well, 5);
  fixture.later(60_000);
  await recordPayment(context, merchantId(), { fellBack: true });
  fixture.later(10_000);
  await recordPayment(context, merchantId(), { fellBack: true });
  await fixture.see('paystack-main', timedOut, 12);
  await detect();
  fixture.later(120_000);
  await acknowledgeIncident(context, { merchantId: merchantId(), incidentId: await incidentId(), actor });
  fixture.later(10_000);
  const muting = { merchantId: merchantId(), incidentId: await incidentId(), actor };
  await muteIncident(context, { ...muting, hours: 4 });
  fixture.later(10_000);
  await muteIncident(context, { ...muting, hours: 0 });
  fixture.later(10_000);
  const set = await setOverride(context, {
    merchantId: merchantId(),
    accountId: fixture.id('paystack-main'),
    method: null,
    action: 'drain',
    reason: 'Gateway outage',
    startsAt: null,
    expiresAt: null,
    actor,
  });
  if (set.kind !== 'set') throw new Error(set.kind);
  fixture.later(600_000);
  await detect();
  await endOverride(context, { merchantId: merchantId(), overrideId: set.override.id, actor });
  // It is probed after a while, and single payments prove that it works again.
  for (let n = 0; n < 20; n++) {
    fixture.later(60_000);
    await fixture.see('paystack-main', well, 30);
    await detect();
  }
  fixture.later(GRACE_MS);
  await detect();
  fixture.later(120_000);
  await detect();
}

describe('the story of an outage', () => {
  test('has what happened, in order, from the first failed checkout to the end', async () => {
    await liveThroughOutage();
    const told = await story();
    expect(told.events).toEqual(told.events.toSorted((left, right) => left.at.getTime() - right.at.getTime()));
    expect(whatOf(told)).toEqual([
      'first_sign',
      'health',
      'opened',
      'notified',
      'acknowledged',
      'muted',
      'unmuted',
      'override_set',
      'override_ended',
      ...told.events.filter(({ what, at }) => what === 'health' && at > new Date('2026-11-20T14:05:00Z')).map(() => 'health'),
      'recovered',
      'closed',
      'notified',
    ]);
    expect(told.events[0]).toMatchObject({
      at: new Date('2026-11-20T14:01:05Z'),
      account: { label: 'paystack-main' },
      fault: { code: 'timeout' },
    });
    expect(told.events[1]).toMatchObject({ what: 'health', state: 'down', method: 'CARD' });
    expect(told.events.find(({ what }) => what === 'notified')).toMatchObject({
      event: 'opened',
      state: 'PENDING',
      channels: [{ name: 'On call', kind: 'slack' }],
    });
    expect(told.events.find(({ what }) => what === 'acknowledged')).toMatchObject({ by: 'Ada' });
    const muted = told.events.find(({ what }) => what === 'muted');
    expect(muted).toMatchObject({ by: 'Ada', until: new Date((muted?.at.getTime() ?? 0) + 4 * 3_600_000) });
    expect(told.events.find(({ what }) => what === 'unmuted')).toMatchObject({ by: 'Ada' });
    expect(told.events.find(({ what }) => what === 'override_set')).toMatchObject({
      action: 'drain',
      reason: 'Gateway outage',
      by: 'Ada',
    });
    expect(told.accounts).toMatchObject([
      { label: 'paystack-main', gateway: 'Paystack', metFrom: new Date('2026-11-20T13:56:15Z') },
    ]);
    expect(told.accounts[0]?.metUntil).toEqual((await incidents())[0]?.closedAt);
  });

  test('has each account and method that went down, also since its chart was drawn', async () => {
    await fixture.see('paystack-main', well, 5);
    await fixture.see('paystack-main', timedOut, 12);
    await detect();
    fixture.later(10_000);
    await fixture.see('paystack-main', timedOut, 12, 'TRANSFER');
    const downs = (told: IncidentStory) =>
      told.events.flatMap((event) => (event.what === 'health' && event.state === 'down' ? [event.method] : []));
    expect(downs(await story())).toEqual(['CARD', 'TRANSFER']);
    fixture.later(120_000);
    await detect();
    expect(downs(await story())).toEqual(['CARD', 'TRANSFER']);
  });

  test('stays whole when health counts and changes of health have aged out', async () => {
    await liveThroughOutage();
    const before = await story();
    const [account] = before.accounts;
    expect(account?.chart?.stepMs).toBe(60_000);
    expect(account?.chart?.series.find(({ method }) => method === null)?.faulted.reduce((sum, count) => sum + count, 0)).toBe(12);
    const { pool } = fixture.context.database;
    await pool.query('DELETE FROM health_bucket');
    await pool.query('DELETE FROM health_event');
    fixture.later(400 * DAY_MS);
    await detect();
    expect(await story()).toEqual(before);
  });

  test('is kept when other incidents of its age are removed', async () => {
    await liveThroughOutage();
    const { prisma } = fixture.context.database;
    const [incident] = await incidents();
    if (incident === undefined) throw new Error('there is no incident');
    const { id: _, ...rest } = incident;
    await prisma.incident.create({
      data: { ...rest, facts: {}, id: fixture.context.newId(), kind: 'refund_stuck', subject: '' },
    });
    fixture.later(4_000 * DAY_MS);
    await ageOutAlerts(fixture.context.database, merchantId(), fixture.now, 100);
    expect((await incidents()).map(({ kind }) => kind)).toEqual([incident.kind]);
    expect(whatOf(await story())).toContain('notified');
  });

  test('names no channel of others', async () => {
    await liveThroughOutage();
    expect(whatOf(await story([NIL_ID]))).not.toContain('notified');
  });
});
