import { type ProbeState, probeAccounts } from '@switchyard/provider-health/console';
import { type Payment, readPayment, readRecord } from '../harness/contract.ts';
import type { GatewayName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { order } from '../harness/orders.ts';
import type { WebProcess } from '../harness/web-process.ts';

/** The harness with two web processes on one clock, which moves only by `second`; so do health and the probing of accounts. */
export interface Drill {
  readonly harness: Harness;
  /** The process that serves only the payments sent to it explicitly. */
  readonly replica: WebProcess;
  now(): Date;
  /**
   * Advances one second: initiates the payments, then both processes exchange health counts; every fifth second, accounts are
   * probed as the worker does. The replica reads before the other writes, so it reads changes a second late.
   */
  second(merchant: TestMerchant, payments: number): Promise<readonly Payment[]>;
  /** Advances by seconds without payments, {@link QUIET_STEP_SECONDS} at a time, until they are over or `isOver`. */
  quiet(seconds: number, isOver?: () => boolean): Promise<void>;
  /** Advances by seconds with one payment each. Returns the payments. */
  seconds(merchant: TestMerchant, count: number): Promise<readonly Payment[]>;
  /** Verifies a payment and returns its status. */
  verify(merchant: TestMerchant, payment: Payment): Promise<string>;
  /** Health of a merchant's account for card payments, as a process routes by it. */
  state(process: Pick<WebProcess, 'switchyard'>, merchant: TestMerchant, gateway: GatewayName): string;
  close(): Promise<void>;
}

const BEGIN = Date.parse('2026-11-20T14:00:00Z');
const PROBE_EVERY_SECONDS = 5;
/** Health is counted in buckets of ten seconds: nothing in between is lost. */
const QUIET_STEP_SECONDS = 5;

export async function startDrill(): Promise<Drill> {
  let clock = BEGIN;
  let elapsed = 0;
  const now = () => new Date(clock);
  const harness = await startHarness({ worker: false, clock: now });
  const replica = await harness.startWebProcess({ clock: now });
  const probeState: ProbeState = new Map();
  const main = harness.switchyard.payments;

  async function advance(seconds: number): Promise<void> {
    if (elapsed % PROBE_EVERY_SECONDS < seconds) await probeAccounts(main, probeState);
    await replica.switchyard.payments.health.tick();
    await main.health.tick();
    clock += seconds * 1_000;
    elapsed += seconds;
  }

  async function second(merchant: TestMerchant, payments: number): Promise<readonly Payment[]> {
    const request = () => ({ key: merchant.testKey, body: order() });
    const replies = [];
    for (let n = 0; n < payments; n++) replies.push(await harness.send('node', 'POST', '/v1/payments/initiate', request()));
    await advance(1);
    return replies.map(readPayment);
  }

  return {
    harness,
    replica,
    now,
    second,
    async quiet(seconds, isOver) {
      for (let left = seconds; left > 0 && isOver?.() !== true; left -= QUIET_STEP_SECONDS) await advance(QUIET_STEP_SECONDS);
    },
    async seconds(merchant, count) {
      const made = [];
      for (let n = 0; n < count; n++) made.push(...(await second(merchant, 1)));
      return made;
    },
    async verify({ testKey: key }, { paymentId }) {
      return readRecord(await harness.send('node', 'POST', `/v1/payments/${paymentId}/verify`, { key })).data.status;
    },
    state({ switchyard }, { merchantId, accounts }, gateway) {
      const own = switchyard.payments.health.snapshot(merchantId).filter(({ accountId }) => accountId === accounts[gateway]);
      return (own.find(({ method }) => method === 'CARD') ?? own.find(({ method }) => method === null))?.state ?? 'unseen';
    },
    close: () => harness.close(),
  };
}

/** The gateway a payment was first sent to. */
export function firstChoice({ routing }: Payment): string {
  return routing.recommended?.provider ?? 'none';
}
