import { setTimeout as pause } from 'node:timers/promises';
import { testConnection } from '@switchyard/payments/console/accounts';
import { openPayments } from '@switchyard/payments/context';
import { describeHealthReason, UTC_CLOCK } from '@switchyard/routing';
import { readHealthReason } from '@switchyard/routing/stored-inputs';
import type { Resources } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';
import { z } from 'zod';
import { PAIR } from '../harness/gateways.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import type { Product } from '../harness/product.ts';
import { type SandboxControl, sandboxControl } from '../harness/sandbox-control.ts';
import { addMerchant } from './add-merchant.ts';
import { DRILL_FAULTS, type DrillFault, type DrillFaultName } from './faults.ts';
import type { Observed, StateChange } from './result.ts';
import { startTraffic, type Traffic } from './traffic.ts';

export interface DrillOrder {
  readonly fault: DrillFaultName;
  readonly perSecond: number;
  /** Without a fault, so that what is usual is known. */
  readonly calmSeconds: number;
  readonly faultSeconds: number;
  /** Longest to wait for everything to be as before. */
  readonly recoverySeconds: number;
}

const LOOK_EVERY_MS = 500;
/** Everything has to stay as before the fault for this long, or it was not yet over. */
const STEADY_MS = 10_000;

/** Runs one fault against a fresh product, under a constant rate of payments of a separate merchant. */
export async function runDrill(product: Product, asked: DrillOrder, tell: (line: string) => void): Promise<Observed> {
  const resources = openResources(product.environment, (error) => tell(String(error)));
  try {
    const control = sandboxControl(product.sandboxUrl);
    const merchant = await addMerchant(resources, control);
    return await play({ asked, fault: DRILL_FAULTS[asked.fault], product, resources, control, merchant, tell });
  } finally {
    await resources.close();
  }
}

interface Scene {
  readonly asked: DrillOrder;
  readonly fault: DrillFault;
  readonly product: Product;
  readonly resources: Resources;
  readonly control: SandboxControl;
  readonly merchant: TestMerchant;
  readonly tell: (line: string) => void;
}

async function play(scene: Scene): Promise<Observed> {
  const { asked, fault, merchant, tell } = scene;
  const begun = Date.now();
  const clock = () => Date.now() - begun;
  const traffic = startTraffic({
    webUrl: scene.product.webUrl,
    key: merchant.testKey,
    perSecond: asked.perSecond,
    lookups: fault.lookups === true,
    clock,
  });
  try {
    await pause(asked.calmSeconds * 1_000);
    tell(`  ${fault.what}, for ${asked.faultSeconds} s`);
    const faultAtMs = clock();
    await strike(scene, () => clock() - faultAtMs);
    for (const gateway of PAIR) await scene.control('DELETE', `${gateway}/fault`);
    const repairedAtMs = clock();
    tell('  repaired');
    if (fault.connectionTest) await testConnections(scene);
    const recoveredAtMs = await waitForRecovery(scene, traffic, repairedAtMs, clock);
    const endedAtMs = clock();
    await traffic.stop();
    const changes = await readChanges(scene, begun);
    const { fault: name, perSecond } = asked;
    return { fault: name, perSecond, faultAtMs, repairedAtMs, endedAtMs, served: traffic.served, changes, recoveredAtMs };
  } finally {
    await traffic.stop();
  }
}

/** Gives the gateways the fault's orders, each at its time, until the fault's time is over. */
async function strike({ asked, fault, control }: Scene, elapsedMs: () => number): Promise<void> {
  const faultMs = asked.faultSeconds * 1_000;
  for (const { atSeconds, gateway, order } of [...fault.steps].sort((one, other) => one.atSeconds - other.atSeconds)) {
    if (atSeconds * 1_000 >= faultMs) break;
    await pause(Math.max(0, atSeconds * 1_000 - elapsedMs()));
    if (order === null) await control('DELETE', `${gateway}/fault`);
    else await control('PUT', `${gateway}/fault`, order);
  }
  await pause(Math.max(0, faultMs - elapsedMs()));
}

/** As an operator does after the keys were put right. */
async function testConnections({ resources, merchant }: Scene): Promise<void> {
  const payments = openPayments(resources, { healthTickMs: null });
  try {
    for (const gateway of PAIR) {
      const accountId = merchant.accounts[gateway];
      await testConnection(payments, { merchantIds: [merchant.merchantId], accountId, actor: 'system:drill' });
    }
  } finally {
    payments.close();
  }
}

/**
 * Recovered is when payments go first to the gateway that the rules name, none of their tries fails, that gateway is healthy, and no
 * other is worse than in recovery: a fallback proves itself by probe payments only once it is needed. The moment from which that
 * held; null when it did not hold in time.
 */
async function waitForRecovery(
  scene: Scene,
  { served }: Traffic,
  repairedAtMs: number,
  clock: () => number,
): Promise<number | null> {
  const deadline = repairedAtMs + scene.asked.recoverySeconds * 1_000;
  let unhealthyAtMs = repairedAtMs;
  while (clock() < deadline) {
    if (!(await isHealthy(scene))) unhealthyAtMs = clock();
    const astray = served.filter(
      ({ atMs, first, failedTries }) => atMs >= repairedAtMs && (first !== PAIR[0] || failedTries > 0),
    );
    const since = Math.max(unhealthyAtMs, ...astray.map(({ atMs }) => atMs));
    if (clock() - since >= Math.max(STEADY_MS, 3_000 / scene.asked.perSecond)) return since;
    await pause(LOOK_EVERY_MS);
  }
  return null;
}

async function isHealthy({ resources, merchant }: Scene): Promise<boolean> {
  const { rows } = await resources.database.pool.query(
    `SELECT 1 FROM health_status WHERE merchant_id = $1 AND state <> 'healthy' AND (account_id = $2 OR state <> 'probing') LIMIT 1`,
    [merchant.merchantId, merchant.accounts[PAIR[0]]],
  );
  return rows.length === 0;
}

const changeSchema = z.object({ accountId: z.string(), from: z.string(), to: z.string(), why: z.unknown(), at: z.date() });

async function readChanges({ resources, merchant }: Scene, begun: number): Promise<StateChange[]> {
  const { rows } = await resources.database.pool.query(
    `SELECT account_id AS "accountId", from_state AS "from", to_state AS "to", why, created_at AS "at"
    FROM health_event WHERE merchant_id = $1 AND method = 'CARD' AND from_state <> to_state ORDER BY created_at`,
    [merchant.merchantId],
  );
  const gatewayOf = (accountId: string) => PAIR.find((gateway) => merchant.accounts[gateway] === accountId) ?? accountId;
  return rows.map((row) => {
    const { accountId, from, to, why, at } = changeSchema.parse(row);
    return {
      atMs: at.getTime() - begun,
      gateway: gatewayOf(accountId),
      from,
      to,
      why: describeHealthReason(readHealthReason(why), UTC_CLOCK),
    };
  });
}
