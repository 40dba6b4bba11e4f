import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type {
  Answer,
  AnsweredPayment,
  Delivery,
  Forgery,
  GatewayCall,
  StatementEntry,
} from '../../chaos/checker/observations.ts';
import { actAfterExpiry, actAsCustomer } from '../../chaos/drive/customer.ts';
import { initiate, refund, verify } from '../../chaos/drive/merchant.ts';
import { type MerchantClient, type Order, openMerchantClient } from '../../chaos/drive/merchant-client.ts';
import type { OpenCheckout } from '../../chaos/environment/records.ts';
import type { PaymentPlan } from '../../chaos/plan/payments.ts';
import { PAIR } from '../../harness/gateways.ts';
import type { WorldHost } from './host.ts';
import { beginFault, injectFaults } from './inject-faults.ts';
import { openWorld, type World } from './open-world.ts';
import type { WorldPlan } from './plan.ts';
import type { Beginning } from './set-up.ts';

/** What a world saw, beside the rows of our database. */
export interface WorldObservations {
  readonly answers: readonly Answer[];
  readonly deliveries: readonly Delivery[];
  readonly forgeries: readonly Forgery[];
  readonly statements: readonly StatementEntry[];
  readonly calls: readonly GatewayCall[];
  /** How many webhooks of each gateway account were answered 200. */
  readonly acknowledged: Readonly<Record<string, number>>;
  /** Payments that were open though sessions and faults had ended long before. */
  readonly openAfterSessions: readonly string[];
  /** Milliseconds from the end of the last fault until nothing was left to do; null when something stayed. */
  readonly settledAfterMs: number | null;
}

/** How long a merchant's server retries. */
const INITIATE_TIMEOUT_MS = 12_000;
const QUIET_TIMEOUT_MS = 60_000;
const MINUTE_MS = 60_000;
const LONGEST_SESSION_MINUTES = 60;
/** While nothing but time passes, polls of every second are made every few seconds, then every few minutes, and in the end every hour. */
const QUIET = { fromMs: 900, factor: 6 } as const;
const IDLE = { fromMs: 200, factor: 100 } as const;
const SETTLING = { fromMs: 900, factor: 60 } as const;
const LONG_IDLE = { fromMs: 200, factor: 4_000 } as const;
const LOOK_MS = 3 * 3_600_000;
const SETTLING_MAX_MS = 96 * 3_600_000;

/** After the end of the longest session: look-ups are repeated within ten minutes, and polls made as late as that. */
const SETTLED_AFTER_MS = 45 * MINUTE_MS;
const OPEN = `SELECT id FROM payment WHERE status = 'INITIATED' OR (status = 'PENDING' AND review IS NULL)`;
const openSchema = z.object({ id: z.string() });

interface DrivenPayment extends Order {
  payment: AnsweredPayment | null;
}

const checkoutSchema = z.object({ gateway: z.enum(PAIR), reference: z.string() });

/** Drives all payments of a plan through our processes under its faults, then waits until nothing is left to do. */
export async function driveWorld(
  plan: WorldPlan,
  host: WorldHost,
  { merchants, accounts, endpoints }: Beginning,
): Promise<WorldObservations> {
  const opened = await openWorld(plan.seed, host.webs);
  const { simulators, servers, proxy, send } = opened;
  const world: World = { ...opened, host };
  for (const { gateway, account } of accounts) await simulators.register(gateway, account);
  for (const endpoint of endpoints) servers.receive(endpoint);
  const client = openMerchantClient(send);
  const records = {
    checkoutsOf: async (paymentId: string): Promise<OpenCheckout[]> =>
      (await host.rows(`SELECT gateway, reference FROM attempt WHERE payment_id = '${paymentId}' ORDER BY position`)).map((row) =>
        checkoutSchema.parse(row),
      ),
  };
  const customers = { send, records, simulators };
  const driven = plan.payments.map((of): DrivenPayment => {
    const merchant = merchants[of.merchant % merchants.length];
    if (merchant === undefined) throw new Error('there are no merchants');
    return { plan: of, merchant, payment: null };
  });
  await untilReady(host);
  const faults = injectFaults(world, plan.faults);
  await Promise.all(
    driven.map(async (one) => {
      await pause(one.plan.startMs);
      await drivePayment(client, customers, one);
    }),
  );
  await faults;
  await untilReady(host);
  const healthySince = Date.now();
  host.note('all faults have ended');
  await Promise.all(
    driven
      .filter(({ payment }) => payment === null)
      .map(async (one) => {
        one.payment = await initiate(client, one, Date.now() + QUIET_TIMEOUT_MS);
      }),
  );
  host.starve(QUIET);
  await pause(2 * MINUTE_MS);
  host.starve(IDLE);
  const endOutage = plan.outage === null ? null : await beginFault(world, plan.outage);
  await pause((LONGEST_SESSION_MINUTES + 5) * MINUTE_MS);
  await endOutage?.();
  host.starve(SETTLING);
  await pause(SETTLED_AFTER_MS);
  host.starve(null);
  const openAfterSessions = (await host.rows(OPEN)).map((row) => openSchema.parse(row).id);
  const late = driven.filter(({ plan: { customer } }) => customer === 'pays_late' || customer === 'pays_everywhere_late');
  // Late money, half of it without a webhook: only look-ups find that half.
  for (const gateway of PAIR) await simulators.setFault(gateway, 'no_webhook', { seed: plan.seed || 1, probability: 0.5 });
  for (const one of late) if (one.payment !== null) await actAfterExpiry(customers, one.plan, one.payment);
  for (const gateway of PAIR) await simulators.heal(gateway);
  await Promise.all(
    driven.map((one) => (one.payment === null ? null : refundIfPaid(client, one, one.payment, QUIET_TIMEOUT_MS))),
  );
  host.starve(QUIET);
  await pause(MINUTE_MS);
  host.starve(LONG_IDLE);
  const isSettled = await untilSettled(host);
  host.starve(null);
  await Promise.all(driven.map((one) => (one.payment === null ? null : verify(client, one, one.payment.paymentId))));
  await pause(5_000);
  const { entries: statements, calls } = await simulators.readStatements();
  return {
    answers: client.answers,
    deliveries: servers.deliveries,
    forgeries: proxy.forgeries,
    statements,
    calls,
    acknowledged: Object.fromEntries(opened.acknowledged),
    openAfterSessions,
    settledAfterMs: isSettled ? Date.now() - healthySince : null,
  };
}

type Customers = Parameters<typeof actAsCustomer>[0];

async function drivePayment(client: MerchantClient, customers: Customers, driven: DrivenPayment): Promise<void> {
  const payment = await initiate(client, driven, Date.now() + INITIATE_TIMEOUT_MS);
  driven.payment = payment;
  if (payment === null) return;
  await actAsCustomer(customers, driven.plan, payment);
  for (let n = 0; n < driven.plan.polls; n += 1) {
    await verify(client, driven, payment.paymentId);
    await pause(300 * (n + 1));
  }
  await refundIfPaid(client, driven, payment, INITIATE_TIMEOUT_MS);
}

async function refundIfPaid(
  client: MerchantClient,
  order: Order,
  { paymentId }: AnsweredPayment,
  timeoutMs: number,
): Promise<void> {
  const { refund: wanted }: PaymentPlan = order.plan;
  if (wanted === 'none') return;
  const known = await verify(client, order, paymentId);
  if (known?.status === 'SUCCESS' || known?.status === 'REFUNDED') await refund(client, order, paymentId, Date.now() + timeoutMs);
}

async function untilReady({ webs, workers }: WorldHost): Promise<void> {
  while (![...webs, ...workers].every((each) => each.isReady())) await pause(100);
}

/** Everything that is not finished. Recurring work, whose key is its name, is always in the queue. */
const UNFINISHED = `
SELECT (SELECT count(*) FROM payment WHERE status = 'INITIATED' OR (status = 'PENDING' AND review IS NULL))
  + (SELECT count(*) FROM payment_check)
  + (SELECT count(*) FROM refund WHERE state IN ('REQUESTED', 'PROCESSING'))
  + (SELECT count(*) FROM webhook_delivery WHERE state = 'PENDING')
  + (SELECT count(*) FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = task_id
    WHERE key IS DISTINCT FROM identifier AND attempts < max_attempts) AS left`;
const leftSchema = z.object({ left: z.int() });

async function untilSettled(host: WorldHost): Promise<boolean> {
  const deadline = Date.now() + SETTLING_MAX_MS;
  while (Date.now() < deadline) {
    const [row] = await host.rows(UNFINISHED);
    if (leftSchema.parse(row).left === 0) return true;
    await pause(LOOK_MS);
  }
  return false;
}
