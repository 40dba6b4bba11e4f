import { type ProbeState, probeAccounts } from '@switchyard/provider-health/console';
import { type Payment, readPayment, readRecord } from '../harness/contract.ts';
import type { GatewayName } from '../harness/gateways.ts';
import { type House, startHouse } from '../harness/harness.ts';
import type { HouseMerchant } from '../harness/merchants.ts';
import { order } from '../harness/orders.ts';
import type { WebProcess } from '../harness/web-process.ts';

/** The house with two web processes on one clock, which moves only when it is told to; so do health and the probing of accounts. */
export interface Drill {
  readonly house: House;
  /** The process that serves no payments but those it is asked for by name. */
  readonly replica: WebProcess;
  now(): Date;
  /**
   * Lets a second pass: the payments asked for are initiated, then both processes share and read what was seen; every tenth
   * second, accounts are probed as the worker does. The replica reads before the other writes: what is new, it learns a second late.
   */
  second(merchant: HouseMerchant, payments: number): Promise<readonly Payment[]>;
  /** Seconds with one payment each. Gives the payments. */
  seconds(merchant: HouseMerchant, count: number): Promise<readonly Payment[]>;
  /** Asks what became of a payment. */
  verify(merchant: HouseMerchant, payment: Payment): Promise<string>;
  /** Health of a merchant's account for card payments, as a process routes by it. */
  state(process: Pick<WebProcess, 'switchyard'>, merchant: HouseMerchant, gateway: GatewayName): string;
  close(): Promise<void>;
}

const BEGIN = Date.parse('2026-11-20T14:00:00Z');
const PROBE_EVERY_SECONDS = 10;

export async function startDrill(): Promise<Drill> {
  let [clock, elapsed] = [BEGIN, 0];
  const now = () => new Date(clock);
  const house = await startHouse({ worker: false, clock: now });
  const replica = await house.beside({ clock: now });
  const diary: ProbeState = new Map();
  const main = house.switchyard.payments;

  async function second(merchant: HouseMerchant, payments: number): Promise<readonly Payment[]> {
    const request = () => ({ key: merchant.testKey, body: order() });
    const replies = [];
    for (let n = 0; n < payments; n++) replies.push(await house.send('node', 'POST', '/v1/payments/initiate', request()));
    if (elapsed % PROBE_EVERY_SECONDS === 0) await probeAccounts(main, diary);
    await replica.switchyard.payments.health.tick();
    await main.health.tick();
    clock += 1_000;
    elapsed += 1;
    return replies.map(readPayment);
  }

  return {
    house,
    replica,
    now,
    second,
    async seconds(merchant, count) {
      const made = [];
      for (let n = 0; n < count; n++) made.push(...(await second(merchant, 1)));
      return made;
    },
    async verify({ testKey: key }, { paymentId }) {
      return readRecord(await house.send('node', 'POST', `/v1/payments/${paymentId}/verify`, { key })).data.status;
    },
    state({ switchyard }, { merchantId, accounts }, gateway) {
      const own = switchyard.payments.health.snapshot(merchantId).filter(({ accountId }) => accountId === accounts[gateway]);
      return (own.find(({ method }) => method === 'CARD') ?? own.find(({ method }) => method === null))?.state ?? 'unseen';
    },
    close: () => house.close(),
  };
}

/** The gateway a payment was first sent to. */
export function firstChoice({ routing }: Payment): string {
  return routing.recommended?.provider ?? 'nobody';
}
