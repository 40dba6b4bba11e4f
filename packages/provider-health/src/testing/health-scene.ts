import type { Outcome } from '@switchyard/gateways';
import { createTestMerchant, reloadConfiguration, type TestMerchant } from '@switchyard/merchants/testing';
import { openTestHealth, type TestHealth } from './context.ts';

const call = { method: 'POST', url: '', httpStatus: null, latencyMs: 240, request: null, answer: null, retryAfterMs: null };

/** A call of 240 ms that was answered. */
export const well: Outcome<unknown> = { outcome: 'yes', value: null, call };

/** A call that was not answered in time. */
export const timedOut: Outcome<unknown> = {
  outcome: 'unknown',
  failure: { class: 'provider_fault', code: 'timeout', message: 'x' },
  call,
};

/** A merchant with accounts at two gateways, whose calls are seen as a test says, at the times it says. */
export interface HealthScene<Context extends TestHealth = TestHealth> {
  readonly context: Context;
  merchant: TestMerchant;
  now: Date;
  /** Another merchant, at 14:00:05 UTC again. */
  begin(): Promise<void>;
  later(ms: number): void;
  /** The id of the account with that label. */
  id(label: string): string;
  scope(): { readonly merchantIds: readonly string[]; readonly mode: 'test' };
  see(label: string, outcome: Outcome<unknown>, times: number, method?: string): Promise<void>;
  lookUp(label: string, outcome: Outcome<unknown>, times: number): Promise<void>;
  /** Puts an operator's hand on `paystack-main`. */
  override(action: 'drain' | 'force', times?: { expiresAt?: Date; endedAt?: Date; endedBy?: string }): Promise<void>;
}

/** Opens a scene on a context of its own, which is to be closed. */
export async function openHealthScene(): Promise<HealthScene> {
  return createHealthScene(await openTestHealth());
}

/** A scene on a context that the caller closes. */
export function createHealthScene<Context extends TestHealth>(context: Context): HealthScene<Context> {
  const scene: HealthScene<Context> = {
    context,
    merchant: { merchantId: '', accounts: {} },
    now: new Date(0),
    async begin() {
      setClock(new Date('2026-11-20T14:00:05Z'));
      scene.merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': { methods: ['CARD'] } });
      // Gateways of its own, so that no merchant before it has anything to say of them.
      const { merchantId } = scene.merchant;
      const baseUrl = `http://${merchantId}.test`;
      await context.database.prisma.gatewayAccount.updateMany({ where: { merchantId }, data: { baseUrl } });
      await reloadConfiguration(context, merchantId);
    },
    later: (ms) => setClock(new Date(scene.now.getTime() + ms)),
    id: (label) => scene.merchant.accounts[label] ?? '',
    scope: () => ({ merchantIds: [scene.merchant.merchantId], mode: 'test' }),
    async see(label, outcome, times, method = 'CARD') {
      const { merchantId } = scene.merchant;
      for (let n = 0; n < times; n++) context.health.beginOpening({ merchantId, accountId: scene.id(label), method })(outcome);
      await context.health.tick();
    },
    async lookUp(label, outcome, times) {
      const where = { merchantId: scene.merchant.merchantId, accountId: scene.id(label), method: 'CARD' };
      for (let n = 0; n < times; n++) context.health.observeLookup(where, outcome);
      await context.health.tick();
    },
    async override(action, times = {}) {
      const { merchantId } = scene.merchant;
      const words = { reason: 'Settlement is late.', actor: 'staff:ada', createdAt: scene.now, ...times };
      await context.database.prisma.routingOverride.create({
        data: { merchantId, id: context.newId(), accountId: scene.id('paystack-main'), action, ...words },
      });
      await reloadConfiguration(context, merchantId);
    },
  };
  function setClock(time: Date): void {
    scene.now = time;
    context.setClock(time);
  }
  return scene;
}
