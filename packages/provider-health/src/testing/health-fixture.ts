import { randomBytes } from 'node:crypto';
import { newId } from '@switchyard/db';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import type { Outcome } from '@switchyard/gateways';
import { openResources, type Resources } from '@switchyard/runtime/resources';
import { createTestMerchant, reloadConfiguration, type TestMerchant } from '@switchyard/runtime/testing';
import { createConfigurationFaultMonitor } from '../configuration-faults/configuration-fault-monitor.ts';
import type { HealthContext } from '../context.ts';
import { createHealthMonitor } from '../monitor/health-monitor.ts';

export interface TestHealth extends HealthContext {
  readonly resources: Resources;
  readonly database: TestDatabase;
  /** Sets the clock behind `now`. */
  setClock(time: Date): void;
  /** Opens the context of another process on the same database and clock. */
  beside(): Promise<HealthContext>;
  close(): Promise<void>;
}

const BEGIN = new Date('2026-11-20T14:00:05.000Z');

/** A health context on a database of its own, whose clock and health change only when a test changes them. */
export async function openTestHealth(): Promise<TestHealth> {
  const database = await createTestDatabase();
  const key = randomBytes(32).toString('base64');
  const environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: 'http://localhost',
  };
  let clock = BEGIN;
  const now = () => clock;
  const opened: { close(): Promise<void> }[] = [];
  const open = (): HealthContext & { readonly resources: Resources } => {
    const resources = openResources(environment, () => undefined, TEST_CONNECTION);
    opened.push(resources);
    const onError = () => undefined;
    return {
      resources,
      health: createHealthMonitor({ resources, now, newId, onError, tickMs: null }),
      configurationFaults: createConfigurationFaultMonitor({ resources, now, newId, onError }),
      onError,
      now,
      newId,
    };
  };
  return {
    ...open(),
    database,
    setClock(time) {
      clock = time;
    },
    async beside() {
      const other = open();
      await other.resources.configuration.refresh();
      return other;
    },
    async close() {
      for (const each of opened) await each.close();
      await database.close();
    },
  };
}

const call = { method: 'POST', url: '', httpStatus: null, latencyMs: 240, request: null, answer: null, retryAfterMs: null };

/** A call of 240 ms that was answered. */
export const well: Outcome<unknown> = { outcome: 'yes', value: null, call };

/** A call that was not answered in time. */
export const timedOut: Outcome<unknown> = {
  outcome: 'unknown',
  failure: { class: 'provider_fault', code: 'timeout', message: 'x' },
  call,
};

/** A merchant with accounts at two gateways; tests set the outcomes and times of its calls. */
export interface HealthFixture<Context extends TestHealth = TestHealth> {
  readonly context: Context;
  merchant: TestMerchant;
  now: Date;
  /** Begins again with another merchant, at 14:00:05 UTC. */
  begin(): Promise<void>;
  later(ms: number): void;
  /** The id of the account with that label. */
  id(label: string): string;
  scope(): { readonly merchantIds: readonly string[]; readonly mode: 'test' };
  see(label: string, outcome: Outcome<unknown>, times: number, method?: string): Promise<void>;
  lookUp(label: string, outcome: Outcome<unknown>, times: number): Promise<void>;
  /** Sets an operator's override on `paystack-main`. */
  override(action: 'drain' | 'disable' | 'force', times?: { expiresAt?: Date; endedAt?: Date; endedBy?: string }): Promise<void>;
}

/** A fixture on a context of its own, which the caller closes. */
export async function openHealthFixture(): Promise<HealthFixture> {
  return createHealthFixture(await openTestHealth());
}

/** A fixture on a given context, which the caller closes. */
export function createHealthFixture<Context extends TestHealth>(context: Context): HealthFixture<Context> {
  const fixture: HealthFixture<Context> = {
    context,
    merchant: { merchantId: '', accounts: {} },
    now: new Date(0),
    async begin() {
      setClock(new Date('2026-11-20T14:00:05Z'));
      fixture.merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': { methods: ['CARD'] } });
      // Gateways of its own, so that earlier merchants' health does not affect them.
      const { merchantId } = fixture.merchant;
      const baseUrl = `http://${merchantId}.test`;
      await context.database.prisma.gatewayAccount.updateMany({ where: { merchantId }, data: { baseUrl } });
      await reloadConfiguration(context, merchantId);
    },
    later: (ms) => setClock(new Date(fixture.now.getTime() + ms)),
    id: (label) => fixture.merchant.accounts[label] ?? '',
    scope: () => ({ merchantIds: [fixture.merchant.merchantId], mode: 'test' }),
    async see(label, outcome, times, method = 'CARD') {
      const { merchantId } = fixture.merchant;
      for (let n = 0; n < times; n++) context.health.beginOpening({ merchantId, accountId: fixture.id(label), method })(outcome);
      await context.health.tick();
    },
    async lookUp(label, outcome, times) {
      const where = { merchantId: fixture.merchant.merchantId, accountId: fixture.id(label), method: 'CARD' };
      for (let n = 0; n < times; n++) context.health.observeLookup(where, outcome);
      await context.health.tick();
    },
    async override(action, times = {}) {
      const { merchantId } = fixture.merchant;
      const details = { reason: 'Settlement is late.', actor: 'staff:ada', createdAt: fixture.now, ...times };
      await context.database.prisma.routingOverride.create({
        data: { merchantId, id: context.newId(), accountId: fixture.id('paystack-main'), action, ...details },
      });
      await reloadConfiguration(context, merchantId);
    },
  };
  function setClock(time: Date): void {
    fixture.now = time;
    context.setClock(time);
  }
  return fixture;
}
