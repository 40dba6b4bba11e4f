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
import { PAIR } from '../../harness/gateways.ts';
import type { WorldHost } from './host.ts';
import { beginFault, injectFaults } from './inject-faults.ts';
import { openWorld, type World } from './open-world.ts';
import type { Beginning } from './set-up.ts';
import type { SimulatedPayment, WorldPlan } from './world-plan.ts';

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
  /** References under which a gateway received money hours before, in the absence of faults, while no attempt had it. */
  readonly unrecordedMoney: readonly string[];
  /** Milliseconds from the end of the last fault until nothing was left to do; null when something stayed. */
  readonly settledAfterMs: number | null;
}

/** How long a merchant's server retries. */
const INITIATE_TIMEOUT_MS = 12_000;
/** After the last fault. Transactions run one after the other, so what has queued up behind slow ones takes its time. */
const QUIET_TIMEOUT_MS = 300_000;
const MINUTE_MS = 60_000;
/** From a payment to the webhook that reports it, and the look-up that follows. */
const ELSEWHERE_MS = 5_000;
const LONGEST_SESSION_MINUTES = 60;
/** While nothing but time passes, polls of every second are made every few seconds, then every few minutes, and in the end every hour. */
const QUIET = { fromMs: 900, factor: 6 } as const;
const IDLE = { fromMs: 200, factor: 100 } as const;
const SETTLING = { fromMs: 900, factor: 60 } as const;
const LONG_IDLE = { fromMs: 200, factor: 4_000 } as const;
const LOOK_MS = 3 * 3_600_000;
/** Late money is watched for for three days, with twelve hours between the last look-ups and, while this world idles, as much between polls. */
const SETTLING_MAX_MS = 120 * 3_600_000;

/** After the end of the longest session: look-ups are repeated within ten minutes, and polls made as late as that. */
const SETTLED_AFTER_MS = 45 * MINUTE_MS;
/**
 * The longest between two look-ups of a checkout whose session ended as long ago as those of late payers did, with polls as late as above.
 * The comparison with the gateways' own lists, a day later, would find what is not looked up.
 */
const ON_RECORD_AFTER_MS = 120 * MINUTE_MS;
const OPEN = `SELECT id FROM payment WHERE status = 'INITIATED' OR (status = 'PENDING' AND review IS NULL)`;
const openSchema = z.object({ id: z.string() });

interface DrivenPayment extends Order {
  readonly plan: SimulatedPayment;
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
  await pause(plan.quietMs);
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
  host.starve(SETTLING);
  await pause(ON_RECORD_AFTER_MS);
  const unrecordedMoney = await findUnrecordedMoney(simulators, host);
  host.starve(LONG_IDLE);
  const isSettledFirst = await untilSettled(host);
  host.starve(null);
  await Promise.all(driven.map((one) => (one.payment === null ? null : verify(client, one, one.payment.paymentId))));
  await pause(5_000);
  host.starve(LONG_IDLE);
  const isSettled = isSettledFirst && (await untilSettled(host));
  const { entries: statements, calls } = await simulators.readStatements();
  return {
    answers: client.answers,
    deliveries: servers.deliveries,
    forgeries: proxy.forgeries,
    statements,
    calls,
    acknowledged: Object.fromEntries(opened.acknowledged),
    openAfterSessions,
    unrecordedMoney,
    settledAfterMs: isSettled ? Date.now() - healthySince : null,
  };
}

const recordedSchema = z.object({ account_id: z.string(), reference: z.string() });

async function findUnrecordedMoney(simulators: World['simulators'], host: WorldHost): Promise<string[]> {
  const rows = await host.rows('SELECT account_id, reference FROM attempt WHERE received_amount IS NOT NULL');
  const recorded = new Set(rows.map((row) => recordedSchema.parse(row)).map((row) => `${row.account_id} ${row.reference}`));
  const { entries } = await simulators.readStatements();
  return entries
    .filter(({ paid, accountId, reference }) => paid !== null && !recorded.has(`${accountId} ${reference}`))
    .map(({ reference }) => reference);
}

type Customers = Parameters<typeof actAsCustomer>[0];

async function drivePayment(client: MerchantClient, customers: Customers, driven: DrivenPayment): Promise<void> {
  const payment = await initiate(client, driven, Date.now() + INITIATE_TIMEOUT_MS);
  driven.payment = payment;
  if (payment === null) return;
  if (driven.plan.paysElsewhereFirst) await payElsewhere(customers, payment);
  await actAsCustomer(customers, driven.plan, payment);
  for (let n = 0; n < driven.plan.polls; n += 1) {
    await verify(client, driven, payment.paymentId);
    await pause(300 * (n + 1));
  }
  await pause(driven.plan.refundAfterMs);
  await refundIfPaid(client, driven, payment, INITIATE_TIMEOUT_MS);
}

/** Pays at the checkouts that may be open beside the one whose address was given out, and waits until we should know. */
async function payElsewhere({ records, simulators }: Customers, { paymentId, session }: AnsweredPayment): Promise<void> {
  for (const { gateway, reference } of await records.checkoutsOf(paymentId)) {
    if (reference !== session?.reference) await simulators.settle(gateway, reference, null);
  }
  await pause(ELSEWHERE_MS);
}

async function refundIfPaid(
  client: MerchantClient,
  order: Order,
  { paymentId }: AnsweredPayment,
  timeoutMs: number,
): Promise<void> {
  if (order.plan.refund === 'none') return;
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
  + (SELECT count(*) FROM payment_rollup_change)
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
