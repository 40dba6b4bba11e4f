import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { GATEWAYS } from '../../harness/gateways.ts';
import type {
  AnsweredPayment,
  DrivenObservations,
  ForbiddenRequest,
  PlantedDifference,
  PlantedEvent,
} from '../checker/observations.ts';
import { LONGEST_SESSION_MINUTES, type Plan } from '../plan/plan.ts';
import type { DrivenMerchant } from '../servers/create-merchants.ts';
import type { World } from '../servers/open-world.ts';
import { actAfterExpiry, actAsCustomer, type CustomerEnvironment } from './customer.ts';
import { tryForbidden } from './forbidden.ts';
import { beginFault, type Host, injectFaults } from './inject-faults.ts';
import { initiate, type MerchantClient, type Order, openMerchantClient, refund, verify } from './merchant.ts';
import { NO_DIFFERENCES, plantDifferences } from './plant-differences.ts';
import { payOutShort, takeBack } from './take-back.ts';

/** How long a merchant's server retries. */
const INITIATE_TIMEOUT_MS = 12_000;
/** The same without faults. Where transactions run one after the other, what has queued up behind slow ones takes its time. */
const QUIET_TIMEOUT_MS = 300_000;
/** Requests of merchants at the same time while nothing fails. */
const AT_ONCE = 8;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SESSIONS_ENDED_MS = (LONGEST_SESSION_MINUTES + 5) * MINUTE_MS;
/** After the end of the longest session: look-ups are repeated within ten minutes, and done within half an hour of falling due. */
const SETTLED_AFTER_MS = 45 * MINUTE_MS;
/** Late money is watched for for three days, with half a day between the last look-ups. */
const FINISHED_AFTER_MS = 120 * HOUR_MS;
const LOOK_MS = 12 * HOUR_MS;
/** A day is compared when it is over by the merchant's clock, and a few hours later. */
const COMPARED_AFTER_MS = 48 * HOUR_MS;
/** One with open discrepancies is compared every day for a week. */
const COMPARED_AGAIN_MS = 48 * HOUR_MS;
/** Lists are read within hours, and days compared for the second time after three. */
const LISTS_READ_MS = 96 * HOUR_MS;
/** The latest payment is due on the next working day, with two of grace after it. */
const PAYOUTS_JUDGED_MS = 7 * 24 * HOUR_MS;

const OPEN = `SELECT id FROM payment WHERE status = 'INITIATED' OR (status = 'PENDING' AND review IS NULL)`;
const openSchema = z.object({ id: z.string() });
const RECORDED = 'SELECT account_id, reference FROM attempt WHERE received_amount IS NOT NULL';
const recordedSchema = z.object({ account_id: z.string(), reference: z.string() });
const checkoutSchema = z.object({ gateway: z.enum(GATEWAYS), reference: z.string() });

/** A payment in progress; null until its merchant has an answer. */
interface DrivenPayment extends Order {
  payment: AnsweredPayment | null;
}

/**
 * Drives all payments of a plan through our processes under its faults, lets sessions end, has late customers pay, and waits until nothing
 * is left to do. Gives what was seen, beside the rows of our database.
 */
export async function driveWorld(
  plan: Plan,
  world: World,
  host: Host,
  merchants: readonly DrivenMerchant[],
): Promise<DrivenObservations> {
  const { simulators, servers, proxy, send } = world;
  const client = openMerchantClient(send);
  const customers: CustomerEnvironment = {
    send,
    simulators,
    checkoutsOf: async (paymentId) =>
      (await host.rows(`SELECT gateway, reference FROM attempt WHERE payment_id = '${paymentId}' ORDER BY position`)).map((row) =>
        checkoutSchema.parse(row),
      ),
  };
  const driven = plan.payments.map((of): DrivenPayment => {
    const merchant = merchants[of.merchant % merchants.length];
    if (merchant === undefined) throw new Error('there are no merchants');
    return { plan: of, merchant, payment: null };
  });
  const eachAnswered = (work: (of: DrivenPayment, payment: AnsweredPayment) => Promise<unknown>): Promise<void> =>
    eachOf(driven, async (of) => {
      if (of.payment !== null) await work(of, of.payment);
    });

  await host.untilReady();
  await Promise.all([
    injectFaults(world, host, plan.faults),
    ...driven.map(async (of) => {
      await pause(of.plan.startMs);
      await drivePayment(client, customers, of);
    }),
  ]);
  await host.untilReady();
  host.note('all faults have ended');
  // Without faults, every order gets its answer.
  await eachOf(driven, async (of) => {
    of.payment ??= await initiate(client, of, Date.now() + QUIET_TIMEOUT_MS);
  });
  await host.pass(plan.quietMs, 'seconds');

  if (plan.outage !== null) host.note(`fault ${plan.outage.kind} while sessions end`);
  const endOutage = plan.outage === null ? null : await beginFault(world, host, plan.outage);
  await host.pass(SESSIONS_ENDED_MS, 'minutes');
  await endOutage?.();
  await host.pass(SETTLED_AFTER_MS, 'minutes');
  const openAfterSessions = (await host.rows(OPEN)).map((row) => openSchema.parse(row).id);

  // Late money, half of it without a webhook: only look-ups find that half.
  const silence = { seed: plan.seed || 1, probability: 0.5 };
  const endings = await Promise.all(world.gateways.map((gateway) => simulators.begin(gateway, 'no_webhook', silence)));
  await eachAnswered((of, payment) => actAfterExpiry(customers, of.plan, payment));
  for (const end of endings) await end();
  await eachAnswered((of, payment) => refundIfPaid(client, of, payment, QUIET_TIMEOUT_MS));
  const forbidden: ForbiddenRequest[] = [];
  const environment = { seed: plan.seed, send, host, merchants };
  await eachAnswered(async (of, { paymentId }) => forbidden.push(await tryForbidden(environment, of, paymentId)));
  await host.pass(MINUTE_MS, 'seconds');
  await host.pass(plan.recordedWithinMs, 'minutes');
  const unrecordedMoney = await findUnrecordedMoney(simulators, host);
  const planted = await payOutShort(plan, world);

  const { differences, undo } = host.comparesLists ? await plantDifferences(plan, world, host) : NO_DIFFERENCES;
  const leftFirst = await untilFinished(host);
  const comparedAfterMs = (differences[0]?.at ?? 0) + COMPARED_AFTER_MS - Date.now();
  if (comparedAfterMs > 0) await host.pass(comparedAfterMs, 'hours');
  const takenBack = await takeBack(plan, world, host, driven);
  planted.push(...takenBack);
  if (host.comparesLists) await untilListsAreRead(host, { takenBack, differences });
  if (host.comparesLists) await untilPayoutsAreJudged(host, planted);
  await eachAnswered((of, { paymentId }) => verify(client, of, paymentId));
  const unfinished = leftFirst ?? (await untilFinished(host));
  if (host.comparesLists) await untilNone(host, openUntilCompared(differences, Date.now()), COMPARED_AGAIN_MS);
  await undo();
  const { entries: statements, calls, forgeries, notices } = await simulators.readStatements();
  return {
    answers: client.answers,
    // Deliveries of this moment, like the rows: processes go on while a world is audited.
    deliveries: [...servers.deliveries],
    acknowledged: Object.fromEntries(proxy.acknowledged),
    statements,
    calls,
    forgeries,
    notices,
    forbidden,
    differences,
    openAfterSessions,
    unrecordedMoney,
    unfinished,
    planted,
  };
}

async function drivePayment(client: MerchantClient, customers: CustomerEnvironment, of: DrivenPayment): Promise<void> {
  const payment = await initiate(client, of, Date.now() + INITIATE_TIMEOUT_MS);
  of.payment = payment;
  if (payment === null) return;
  await actAsCustomer(customers, of.plan, payment);
  for (let n = 0; n < of.plan.polls; n += 1) {
    await verify(client, of, payment.paymentId);
    await pause(300 * (n + 1));
  }
  await pause(of.plan.refundAfterMs);
  await refundIfPaid(client, of, payment, INITIATE_TIMEOUT_MS);
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

/** Does the work for each item, for a few of them at the same time. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  // All lanes take from the same iterator.
  const left = items.values();
  const lane = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** References under which a gateway has money that no attempt has. */
async function findUnrecordedMoney(simulators: World['simulators'], host: Host): Promise<string[]> {
  const rows = (await host.rows(RECORDED)).map((row) => recordedSchema.parse(row));
  const recorded = new Set(rows.map((row) => `${row.account_id} ${row.reference}`));
  const { entries } = await simulators.readStatements();
  return entries
    .filter(({ paid, accountId, reference }) => paid !== null && !recorded.has(`${accountId} ${reference}`))
    .map(({ reference }) => reference);
}

/** Everything that is not finished, by kind. Recurring work, whose key is its name, is always in the queue. */
const UNFINISHED_BY_KIND = `
SELECT (SELECT count(*) FROM payment WHERE status = 'INITIATED' OR (status = 'PENDING' AND review IS NULL))::int AS payments,
  (SELECT count(*) FROM payment_check)::int AS checks,
  (SELECT count(*) FROM payment_rollup_change)::int AS rollups,
  (SELECT count(*) FROM refund WHERE state IN ('REQUESTED', 'PROCESSING'))::int AS refunds,
  (SELECT count(*) FROM webhook_delivery WHERE state = 'PENDING')::int AS deliveries,
  (SELECT count(*) FROM webhook_follow_up)::int AS webhooks,
  (SELECT count(*) FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = task_id
    WHERE key IS DISTINCT FROM identifier AND attempts < max_attempts)::int AS jobs`;
const UNFINISHED = `
SELECT payments + checks + rollups + refunds + deliveries + webhooks + jobs AS left FROM (${UNFINISHED_BY_KIND}) AS unfinished`;
const leftSchema = z.object({ left: z.int() });

/** Lets time pass until a statement counts none, looking now and then. False if it does not within this time. */
async function untilNone(host: Host, statement: string, withinMs: number): Promise<boolean> {
  for (let passedMs = 0; passedMs < withinMs; passedMs += LOOK_MS) {
    const [row] = await host.rows(statement);
    if (leftSchema.parse(row).left === 0) return true;
    await host.pass(LOOK_MS, 'hours');
  }
  return false;
}

/** Lets time pass until nothing is left to do. What is left by then, by kind; null for nothing. */
async function untilFinished(host: Host): Promise<string | null> {
  if (await untilNone(host, UNFINISHED, FINISHED_AFTER_MS)) return null;
  return JSON.stringify((await host.rows(UNFINISHED_BY_KIND))[0]);
}

/** Lets time pass until the lists that have what was taken back were read: disputes, and the days of reversed payments. */
async function untilListsAreRead(
  host: Host,
  { takenBack, differences }: { readonly takenBack: readonly PlantedEvent[]; readonly differences: readonly PlantedDifference[] },
): Promise<void> {
  const reversed = takenBack.filter(({ kind }) => kind === 'reversed');
  const disputed = takenBack.filter(({ kind }) => kind !== 'reversed');
  for (const [of, read] of [
    [reversed, COMPARED_DAYS],
    [disputed, READ_DISPUTES],
  ] as const) {
    const last = of.at(-1);
    if (last === undefined) continue;
    const references = of.map(({ reference }) => `'${reference}'`).join(', ');
    await untilNone(host, `${read(atOf(last.at))} AND attempt.reference IN (${references})`, LISTS_READ_MS);
  }
  if (reversed.length > 0) await untilNone(host, openUntilCompared(differences, Date.now()), COMPARED_AGAIN_MS);
}

/** Lets time pass until the payments that payouts left out are missing. */
async function untilPayoutsAreJudged(host: Host, planted: readonly PlantedEvent[]): Promise<void> {
  const payouts = planted.filter(({ kind }) => kind === 'left_out_of_payout');
  const last = payouts.at(-1);
  if (last === undefined) return;
  const judgedAt = last.at + PAYOUTS_JUDGED_MS;
  if (judgedAt > Date.now()) await host.pass(judgedAt - Date.now(), 'days');
  const references = payouts.map(({ reference }) => `'${reference}'`).join(', ');
  await untilNone(host, `${UNJUDGED_PAYOUTS(atOf(judgedAt))} AND attempt.reference IN (${references})`, LISTS_READ_MS);
}

function atOf(ms: number): string {
  return `'${new Date(ms).toISOString()}'::timestamptz`;
}

/** Days of attempts that were not compared for the second time, three days after them, by the calendar that days are compared by. */
const COMPARED_DAYS = (since: string): string => `
SELECT count(*)::int AS left FROM attempt JOIN reconciliation_run AS run ON run.account_id = attempt.account_id
  AND run.day = (attempt.created_at AT TIME ZONE 'Africa/Lagos')::date
WHERE run.compared_at < ${since} AND run.compared_at < ((run.day + 4)::timestamp AT TIME ZONE 'Africa/Lagos')`;
/** Accounts whose lists of disputes were not read since. */
const READ_DISPUTES = (since: string): string => `
SELECT count(*)::int AS left FROM attempt JOIN dispute_source AS source ON source.account_id = attempt.account_id
WHERE (source.read_to IS NULL OR source.read_to < ${since})`;

/** Accounts whose payouts were not matched since. */
const UNJUDGED_PAYOUTS = (since: string): string => `
SELECT count(*)::int AS left FROM attempt LEFT JOIN settlement_source AS source USING (account_id)
WHERE (source.matched_at IS NULL OR source.matched_at < ${since})`;

/** Discrepancies of our own payments, beside those that were planted, that wait for the next comparison of their day. */
function openUntilCompared(differences: readonly PlantedDifference[], sinceMs: number): string {
  const planted = ['', ...differences.map(({ reference }) => reference)].map((reference) => `'${reference}'`).join(', ');
  return `
SELECT count(*)::int AS left FROM reconciliation_discrepancy AS found JOIN reconciliation_run AS run USING (account_id, day)
WHERE found.state = 'OPEN' AND found.payment_id IS NOT NULL AND found.reference NOT IN (${planted})
  AND run.compared_at < ${atOf(sinceMs)} AND run.day >= (now() AT TIME ZONE 'Africa/Lagos')::date - 7`;
}
