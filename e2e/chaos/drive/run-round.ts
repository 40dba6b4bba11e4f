import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { PAIR } from '../../harness/gateways.ts';
import type { AnsweredPayment } from '../checker/observations.ts';
import type { Environment } from '../environment/environment.ts';
import type { FaultPlan } from '../plan/faults.ts';
import type { RoundPlan } from '../plan/plan.ts';
import { actAfterExpiry, actAsCustomer } from './customer.ts';
import { injectFaults, waitUntilHealthy } from './inject-faults.ts';
import { initiate, refund, verify } from './merchant.ts';
import type { MerchantClient, Order } from './merchant-client.ts';

const MINUTE_MS = 60_000;
/** A merchant's server stops retrying after this long. */
const INITIATE_TIMEOUT_MS = 12_000;
/** The same without faults. */
const QUIET_TIMEOUT_MS = 20_000;
const AT_ONCE = { concurrency: 8 };
const SETTLE_HOURS = 15;
/** Long enough for the workers to sweep every payment whose session has ended. */
const SILENCE_MS = 6_000;
/** Longer than a look-up that was not answered is put off. */
const RETRIED_MINUTES = 10;
const SETTLE_POLL_MS = 250;
/** Longer than it takes to unlock a dead worker's jobs, and than any gateway timeout. */
const STANDSTILL_MS = 60_000;

/** A payment in progress; null until its merchant has an answer. */
interface DrivenPayment extends Order {
  payment: AnsweredPayment | null;
}

export interface RoundResult {
  readonly payments: readonly DrivenPayment[];
  readonly faults: readonly FaultPlan[];
}

/** Runs one round: payments and faults at their times, then no faults. Clocks step ahead, and unanswered orders are retried. */
export async function runRound(environment: Environment, client: MerchantClient, round: RoundPlan): Promise<RoundResult> {
  const begun = performance.now();
  const payments = round.payments.map((plan): DrivenPayment => {
    const merchant = environment.merchants[plan.merchant];
    if (merchant === undefined) throw new Error(`there is no merchant ${plan.merchant}`);
    return { plan, merchant, payment: null };
  });
  const faults: FaultPlan[] = [];
  await Promise.all([
    injectFaults(environment, round.faults, (fault) => faults.push(fault)),
    ...payments.map(async (driven) => {
      await pause(Math.max(0, driven.plan.startMs - (performance.now() - begun)));
      await drivePayment(environment, client, driven);
    }),
  ]);
  await waitUntilHealthy(environment);
  await stepClocks(environment, round.stepMinutes);
  await retryUnanswered(client, payments);
  return { payments, faults };
}

async function drivePayment(environment: Environment, client: MerchantClient, driven: DrivenPayment): Promise<void> {
  const payment = await initiate(client, driven, Date.now() + INITIATE_TIMEOUT_MS);
  driven.payment = payment;
  if (payment === null) return;
  await actAsCustomer(environment, driven.plan, payment);
  for (let n = 0; n < driven.plan.polls; n += 1) {
    await verify(client, driven, payment.paymentId);
    await pause(300 * (n + 1));
  }
  await refundIfPaid(client, driven, payment, INITIATE_TIMEOUT_MS);
}

async function refundIfPaid(client: MerchantClient, order: Order, { paymentId }: AnsweredPayment, timeoutMs: number) {
  if (order.plan.refund === 'none') return;
  const known = await verify(client, order, paymentId);
  if (known?.status === 'SUCCESS' || known?.status === 'REFUNDED') await refund(client, order, paymentId, Date.now() + timeoutMs);
}

/** Without faults, every order gets its answer. */
async function retryUnanswered(client: MerchantClient, payments: readonly DrivenPayment[]): Promise<void> {
  const deadline = Date.now() + QUIET_TIMEOUT_MS;
  const waiting = payments.filter(({ payment }) => payment === null);
  await Readable.from(waiting).forEach(async (driven: DrivenPayment) => {
    driven.payment = await initiate(client, driven, deadline);
  }, AT_ONCE);
}

type PaymentWork = (driven: DrivenPayment, payment: AnsweredPayment) => Promise<unknown>;

/** Settles a run: sessions end, late customers pay, and clocks step until nothing is left to do. False when something stays. */
export async function settleRun(
  environment: Environment,
  client: MerchantClient,
  payments: readonly DrivenPayment[],
  sessionMinutes: number,
): Promise<boolean> {
  const { simulators } = environment;
  const eachAnswered = (work: PaymentWork): Promise<void> =>
    Readable.from(payments).forEach(async (driven: DrivenPayment) => {
      if (driven.payment !== null) await work(driven, driven.payment);
    }, AT_ONCE);
  await waitUntilHealthy(environment);
  await stepClocks(environment, 3);
  await retryUnanswered(client, payments);
  await endSessionsInSilence(environment, sessionMinutes + 5);
  await settled(environment, 'due');
  // Late money, half of it without a webhook: only look-ups find that half.
  for (const gateway of PAIR) await simulators.setFault(gateway, 'no_webhook', { seed: 1, probability: 0.5 });
  await eachAnswered(({ plan }, payment) => actAfterExpiry(environment, plan, payment));
  for (const gateway of PAIR) await simulators.heal(gateway);
  await eachAnswered((driven, payment) => refundIfPaid(client, driven, payment, QUIET_TIMEOUT_MS));
  await settled(environment, 'due');
  await refundCallsEnded(environment);
  // Late money is looked up every fourteen hours at least, and failed deliveries are retried as often.
  await stepClocks(environment, SETTLE_HOURS * 60);
  await settled(environment, 'due');
  await stepClocks(environment, SETTLE_HOURS * 60);
  const isSettled = await settled(environment, 'any');
  await eachAnswered((driven, { paymentId }) => verify(client, driven, paymentId));
  return isSettled;
}

/** Ends all sessions while no gateway answers a look-up: none may be closed before one has been answered. */
async function endSessionsInSilence(environment: Environment, minutes: number): Promise<void> {
  const { simulators } = environment;
  for (const gateway of PAIR) await simulators.setFault(gateway, 'http_500', { seed: 1, probability: 1 });
  await stepClocks(environment, minutes);
  await pause(SILENCE_MS);
  for (const gateway of PAIR) await simulators.heal(gateway);
  await stepClocks(environment, RETRIED_MINUTES);
}

async function stepClocks(environment: Environment, minutes: number): Promise<void> {
  environment.clock.step(minutes * MINUTE_MS);
  await environment.records.age(minutes * MINUTE_MS);
}

/** Waits until every refund that was sent can be aged: one sent by the gateways' last faults is taken for lost only after that. */
async function refundCallsEnded({ records }: Environment): Promise<void> {
  while ((await records.countRefundCalls()) > 0) await pause(SETTLE_POLL_MS);
}

/** Waits until nothing is left to do; false when the number of open items stops falling. */
async function settled(environment: Environment, which: 'due' | 'any'): Promise<boolean> {
  let least = Number.POSITIVE_INFINITY;
  let lately = performance.now();
  for (let quiet = 0; quiet < 2; ) {
    const counts = Object.values(await environment.records.unfinished(environment.clock.now(), which));
    const left = counts.reduce((sum, count) => sum + count, 0);
    if (left < least) {
      least = left;
      lately = performance.now();
    }
    if (performance.now() - lately > STANDSTILL_MS) return false;
    quiet = left === 0 ? quiet + 1 : 0;
    await pause(SETTLE_POLL_MS);
  }
  return true;
}
