import { randomBytes } from 'node:crypto';
import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import type { Failure, Outcome } from '@switchyard/gateways';
import { describeHealthReason, UTC_CLOCK } from '@switchyard/routing';
import type { Resources } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHealthMonitor, type HealthMonitor } from './health-monitor.ts';

const call = { method: 'POST', url: '', httpStatus: null, latencyMs: 120, request: null, answer: null, retryAfterMs: null };
const well: Outcome<unknown> = { outcome: 'yes', value: null, call };
const fails = (failure: Pick<Failure, 'class' | 'code'>): Outcome<unknown> => ({
  outcome: 'unknown',
  failure: { ...failure, message: 'x' },
  call,
});
const timedOut = fails({ class: 'provider_fault', code: 'timeout' });
const declined = fails({ class: 'customer', code: 'declined' });
const misconfigured = fails({ class: 'our_configuration', code: 'invalid_credentials' });

let database: TestDatabase;
let environment: Readonly<Record<string, string>>;
let resources: Resources;
let now: Date;
let monitors: HealthMonitor[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const key = randomBytes(32).toString('base64');
  environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: 'http://localhost',
  };
  resources = openResources(environment, () => {});
});

afterAll(async () => {
  for (const monitor of monitors) monitor.close();
  await resources.close();
  await database.close();
});

beforeEach(() => {
  now = new Date('2026-11-20T14:00:05Z');
  monitors = [];
});

/** A process's own monitor; all of them see the same clock. */
function process(): HealthMonitor {
  const onError = (error: unknown) => {
    throw error;
  };
  const monitor = createHealthMonitor({ resources, now: () => now, newId, onError, tickMs: null });
  monitors.push(monitor);
  return monitor;
}

function account() {
  return { merchantId: newId(), accountId: newId(), method: 'CARD' };
}

async function later(seconds: number, ...of: HealthMonitor[]): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    now = new Date(now.getTime() + 1_000);
    for (const monitor of of) await monitor.tick();
  }
}

function stateOf(monitor: HealthMonitor, { merchantId }: { merchantId: string }, method: string | null): string | undefined {
  return monitor.snapshot(merchantId).find((health) => health.method === method)?.state;
}

describe('processes share health', () => {
  test('what one process observed, another one routes by after its next read', async () => {
    const here = process();
    const there = process();
    const where = account();
    for (let n = 0; n < 12; n++) here.beginOpening(where)(timedOut);
    await here.tick();
    await there.tick();
    expect([stateOf(there, where, 'CARD'), stateOf(there, where, null)]).toEqual(['down', 'down']);
    const [health] = there.snapshot(where.merchantId);
    expect(describeHealthReason(health?.why ?? null, UTC_CLOCK)).toMatch(/^Down since 14:00 UTC: 12 of 12 checkouts timed out/);
  });

  test('faults of several processes add up, where none alone has enough evidence', async () => {
    const one = process();
    const two = process();
    const three = process();
    const where = account();
    for (const monitor of [one, two, three]) {
      for (let n = 0; n < 3; n++) monitor.beginOpening(where)(timedOut);
      monitor.beginOpening(where)(well);
      await monitor.tick();
    }
    await one.tick();
    expect(stateOf(one, where, 'CARD')).toBe('down');
    expect(one.snapshot(where.merchantId)[0]).toMatchObject({ faulted: 9, succeeded: 3 });
  });

  test('a change of state is in the feed once, whichever process found it first', async () => {
    const one = process();
    const two = process();
    const where = account();
    for (let n = 0; n < 12; n++) one.beginOpening(where)(timedOut);
    await one.tick();
    await Promise.all([two.tick(), one.tick()]);
    const { rows } = await database.pool.query(
      'SELECT method, to_state FROM health_event WHERE account_id = $1 ORDER BY method',
      [where.accountId],
    );
    expect(rows).toEqual([
      { method: '*', to_state: 'down' },
      { method: 'CARD', to_state: 'down' },
    ]);
  });

  test('a process that starts later loads the stored health', async () => {
    const here = process();
    const where = account();
    for (let n = 0; n < 12; n++) here.beginOpening(where)(timedOut);
    await here.tick();
    const late = process();
    await late.tick();
    expect(stateOf(late, where, 'CARD')).toBe('down');
  });
});

describe('whose fault it was', () => {
  test('no number of declines or of our own errors changes an account', async () => {
    const monitor = process();
    const where = account();
    for (let n = 0; n < 500; n++) monitor.beginOpening(where)(n % 2 === 0 ? declined : misconfigured);
    await later(3, monitor);
    expect(stateOf(monitor, where, null)).not.toBe('down');
    expect(monitor.snapshot(where.merchantId).some(({ faulted }) => faulted > 0)).toBe(false);
  });

  test('a failing method has its own state, and others use the account as a whole', async () => {
    const monitor = process();
    const where = account();
    for (let n = 0; n < 12; n++) monitor.beginOpening({ ...where, method: 'USSD' })(timedOut);
    for (let n = 0; n < 120; n++) monitor.beginOpening(where)(well);
    await monitor.tick();
    expect(stateOf(monitor, where, 'USSD')).toBe('down');
    expect(stateOf(monitor, where, 'CARD')).toBe('healthy');
    expect(stateOf(monitor, where, null)).not.toBe('down');
  });
});

describe('recovery', () => {
  async function statesOf({ accountId }: { accountId: string }): Promise<string[]> {
    const { rows } = await database.pool.query<{ to_state: string }>(
      "SELECT to_state FROM health_event WHERE account_id = $1 AND method = 'CARD' ORDER BY created_at",
      [accountId],
    );
    return rows.map(({ to_state }) => to_state);
  }
  const slotOf = (monitor: HealthMonitor, { merchantId }: { merchantId: string }) =>
    monitor.snapshot(merchantId).find(({ method }) => method === 'CARD')?.probeSlot;

  /** A second in which the account is given a payment whenever it offers to be probed by one. */
  async function secondOfProbing(monitor: HealthMonitor, where: ReturnType<typeof account>, outcome: Outcome<unknown>) {
    const probed = slotOf(monitor, where) === true && monitor.claimProbeSlot(where.accountId, where.method);
    if (probed) monitor.beginOpening(where)(outcome);
    await later(1, monitor);
    return probed;
  }

  test('an account that went down is probed by single payments after a rest, and is healthy when enough were answered', async () => {
    const monitor = process();
    const where = account();
    for (let n = 0; n < 12; n++) monitor.beginOpening(where)(timedOut);
    await monitor.tick();
    await later(29, monitor);
    expect([stateOf(monitor, where, 'CARD'), slotOf(monitor, where)]).toEqual(['down', undefined]);
    await later(1, monitor);
    expect(stateOf(monitor, where, 'CARD')).toBe('probing');
    let probes = 0;
    for (let second = 0; second < 40; second++) probes += (await secondOfProbing(monitor, where, well)) ? 1 : 0;
    // With three openings since, the method has too little evidence of its own.
    expect([probes, stateOf(monitor, where, 'CARD'), stateOf(monitor, where, null)]).toEqual([3, undefined, 'healthy']);
    expect(await statesOf(where)).toEqual(['down', 'probing', 'healthy']);
  });

  test('a failed probe payment doubles its rest', async () => {
    const monitor = process();
    const where = account();
    for (let n = 0; n < 12; n++) monitor.beginOpening(where)(timedOut);
    await monitor.tick();
    let probes = 0;
    for (let second = 0; second < 90; second++) probes += (await secondOfProbing(monitor, where, timedOut)) ? 1 : 0;
    expect(probes).toBe(1);
    expect(await statesOf(where)).toEqual(['down', 'probing', 'down']);
    await later(30, monitor);
    expect(await statesOf(where)).toEqual(['down', 'probing', 'down', 'probing']);
  });

  test('one payment at a time probes an account in a process, and the next one not at once', async () => {
    const monitor = process();
    const where = account();
    for (let n = 0; n < 12; n++) monitor.beginOpening(where)(timedOut);
    await monitor.tick();
    await later(36, monitor);
    expect(slotOf(monitor, where)).toBe(true);
    expect(monitor.claimProbeSlot(where.accountId, 'CARD')).toBe(true);
    const ended = monitor.beginOpening(where);
    expect([slotOf(monitor, where), monitor.claimProbeSlot(where.accountId, 'CARD')]).toEqual([false, false]);
    now = new Date(now.getTime() + 10_000);
    expect(slotOf(monitor, where)).toBe(false);
    ended(well);
    expect(slotOf(monitor, where)).toBe(true);
    expect(monitor.claimProbeSlot(where.accountId, 'CARD')).toBe(true);
    monitor.beginOpening(where)(well);
    expect(slotOf(monitor, where)).toBe(false);
    now = new Date(now.getTime() + 2_000);
    expect(slotOf(monitor, where)).toBe(true);
  });

  test('neither time nor look-ups nor a restart recover an account whose checkouts failed', async () => {
    const monitor = process();
    const where = account();
    for (let n = 0; n < 12; n++) monitor.beginOpening(where)(timedOut);
    await monitor.tick();
    for (let minute = 0; minute < 30; minute++) {
      now = new Date(now.getTime() + 60_000);
      for (let n = 0; n < 5; n++) monitor.observeLookup(where, well);
      await monitor.tick();
    }
    expect([stateOf(monitor, where, 'CARD'), stateOf(monitor, where, null)]).toEqual(['probing', 'probing']);
    const late = process();
    await late.tick();
    expect([stateOf(late, where, 'CARD'), await statesOf(where)]).toEqual(['probing', ['down', 'probing']]);
  });
});

describe('without waiting for a tick', () => {
  test('a process demotes an account with consecutive faults', async () => {
    const monitor = process();
    const where = account();
    for (let n = 0; n < 30; n++) monitor.beginOpening(where)(well);
    await monitor.tick();
    for (let n = 0; n < 10; n++) {
      expect(stateOf(monitor, where, 'CARD')).toBe('healthy');
      now = new Date(now.getTime() + 100);
      monitor.beginOpening(where)(timedOut);
    }
    expect(stateOf(monitor, where, 'CARD')).toBe('down');
    await monitor.tick();
    const card = monitor.snapshot(where.merchantId).find(({ method }) => method === 'CARD');
    expect(describeHealthReason(card?.why ?? null, UTC_CLOCK)).toBe(
      'Down since 14:00 UTC: 10 of 10 checkouts timed out in 1 s (Paystack, card).'.replace('Paystack', ''),
    );
  });
});

test('a monitor that is closed during a tick reports nothing when its database is closed too', async () => {
  const own = openResources(environment, () => undefined);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const monitor = createHealthMonitor({ resources: own, now: () => now, newId, onError, tickMs: 1 });
  const blocker = await database.pool.connect();
  await blocker.query('BEGIN; LOCK TABLE health_bucket IN ACCESS EXCLUSIVE MODE');
  const waiting = `FROM pg_locks WHERE relation = 'health_bucket'::regclass AND NOT granted`;
  const countWaiting = async () => (await database.pool.query(`SELECT 1 ${waiting}`)).rows.length;
  await expect.poll(countWaiting).toBeGreaterThan(0);
  let failed: unknown;
  const ticked = monitor.tick().catch((error: unknown) => {
    failed = error;
  });
  monitor.close();
  const closed = own.close();
  // Whatever the tick still reads or writes while its database closes fails.
  await expect
    .poll(async () => {
      await database.pool.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
      return failed;
    })
    .toBeInstanceOf(Error);
  await blocker.query('COMMIT');
  blocker.release();
  await ticked;
  await closed;
  expect(errors).toEqual([]);
});
