import { setTimeout as pause } from 'node:timers/promises';
import { GATEWAYS } from '../../harness/gateways.ts';
import type { AnsweredPayment } from '../checker/witnesses.ts';
import type { Stage } from '../environment/environment.ts';
import type { FaultPlan } from '../plan/faults.ts';
import type { PaymentPlan } from '../plan/payments.ts';
import type { RoundPlan } from '../plan/plan.ts';
import { beCustomer, beLateCustomer, type World } from './customer.ts';
import type { Diary } from './diary.ts';
import { everybodyIsUp, makeMischief } from './inject-faults.ts';
import { initiate, type Order, refund, verify } from './merchant.ts';

const MINUTE_MS = 60_000;
/** A merchant's server gives up an order for the moment after this long. */
const INITIATE_PATIENCE_MS = 12_000;
/** And in the quiet, when there is nothing that should keep an answer from it. */
const QUIET_PATIENCE_MS = 20_000;
const HOURS_TO_REST = 15;
const SETTLE_LOOK_MS = 250;
/** Longer than it takes until a dead worker's jobs are somebody else's, and than any wait for a gateway. */
const STANDSTILL_MS = 60_000;

/** A payment under way, as its merchant and its customer know it. */
interface Story {
  readonly order: Order;
  payment: AnsweredPayment | null;
}

export interface Played {
  readonly stories: readonly Story[];
  readonly faults: readonly FaultPlan[];
}

/** Plays one round: payments and faults at their times, then quiet. Time steps ahead, and who had no answer asks again. */
export async function playRound(stage: Stage, diary: Diary, round: RoundPlan): Promise<Played> {
  const world = worldOf(stage);
  const begun = performance.now();
  const stories = round.payments.map((plan): Story => ({ order: orderOf(stage, plan), payment: null }));
  const faults: FaultPlan[] = [];
  await Promise.all([
    makeMischief(stage, round.faults, (fault) => faults.push(fault)),
    ...stories.map(async (story) => {
      await pause(Math.max(0, story.order.plan.startMs - (performance.now() - begun)));
      await playStory(world, diary, story);
    }),
  ]);
  await everybodyIsUp(stage);
  await letPass(stage, round.stepMinutes);
  await askAgain(diary, stories);
  return { stories, faults };
}

async function playStory(world: World, diary: Diary, story: Story): Promise<void> {
  const { order } = story;
  story.payment = await initiate(diary, order, Date.now() + INITIATE_PATIENCE_MS);
  if (story.payment === null) return;
  await beCustomer(world, order.plan, story.payment);
  for (let n = 0; n < order.plan.polls; n += 1) {
    await verify(diary, order, story.payment.paymentId);
    await pause(300 * (n + 1));
  }
  await refundIfPaid(diary, order, story.payment.paymentId, INITIATE_PATIENCE_MS);
}

async function refundIfPaid(diary: Diary, order: Order, paymentId: string, patienceMs: number): Promise<void> {
  if (order.plan.refund === 'none') return;
  const known = await verify(diary, order, paymentId);
  if (known?.status === 'SUCCESS' || known?.status === 'REFUNDED') await refund(diary, order, paymentId, Date.now() + patienceMs);
}

/** In the quiet, every order gets its answer. */
async function askAgain(diary: Diary, stories: readonly Story[]): Promise<void> {
  const waiting = stories.filter(({ payment }) => payment === null);
  const deadline = Date.now() + QUIET_PATIENCE_MS;
  await eachOf(waiting, 8, async (story) => {
    story.payment = await initiate(diary, story.order, deadline);
  });
}

/** Ends a run: sessions end, late customers pay, and time passes until there is nothing left to do. False when it never ends. */
export async function comeToRest(
  stage: Stage,
  diary: Diary,
  stories: readonly Story[],
  sessionMinutes: number,
): Promise<boolean> {
  const world = worldOf(stage);
  await everybodyIsUp(stage);
  await letPass(stage, 3);
  await askAgain(diary, stories);
  await letPass(stage, sessionMinutes + 5);
  await settled(stage, 'due');
  // Late money, half of which no webhook speaks of: only who keeps asking finds that half.
  for (const gateway of GATEWAYS) await stage.standIns.setFault(gateway, 'no_webhook', { seed: 1, probability: 0.5 });
  await eachOf(stories, 8, async ({ order, payment }) => {
    if (payment !== null) await beLateCustomer(world, order.plan, payment);
  });
  for (const gateway of GATEWAYS) await stage.standIns.heal(gateway);
  await eachOf(stories, 8, async ({ order, payment }) => {
    if (payment !== null) await refundIfPaid(diary, order, payment.paymentId, QUIET_PATIENCE_MS);
  });
  await settled(stage, 'due');
  // Late money is looked for every fourteen hours at least, and as often is sent again what a merchant's server did not take.
  await letPass(stage, HOURS_TO_REST * 60);
  await settled(stage, 'due');
  await letPass(stage, HOURS_TO_REST * 60);
  const restful = await settled(stage, 'any');
  await eachOf(stories, 8, async ({ order, payment }) => {
    if (payment !== null) await verify(diary, order, payment.paymentId);
  });
  return restful;
}

async function letPass(stage: Stage, minutes: number): Promise<void> {
  stage.clock.step(minutes * MINUTE_MS);
  await stage.records.age(minutes * MINUTE_MS);
}

/** Waits until nothing is left to do, as long as there is less and less of it; false when it stands still. */
async function settled(stage: Stage, which: 'due' | 'any'): Promise<boolean> {
  let [least, lately] = [Number.POSITIVE_INFINITY, performance.now()];
  for (let quiet = 0; quiet < 2; ) {
    const counts = Object.values(await stage.records.unfinished(stage.clock.now(), which));
    const left = counts.reduce((sum, count) => sum + count, 0);
    if (left < least) [least, lately] = [left, performance.now()];
    if (performance.now() - lately > STANDSTILL_MS) return false;
    quiet = left === 0 ? quiet + 1 : 0;
    await pause(SETTLE_LOOK_MS);
  }
  return true;
}

function worldOf({ replicas, standIns, records }: Stage): World {
  return { replicas, standIns, checkoutsOf: records.checkoutsOf };
}

function orderOf({ merchants }: Stage, plan: PaymentPlan): Order {
  const merchant = merchants[plan.merchant];
  if (merchant === undefined) throw new Error(`there is no merchant ${plan.merchant}`);
  return { plan, merchant };
}

async function eachOf<T>(things: readonly T[], atOnce: number, work: (thing: T) => Promise<void>): Promise<void> {
  const queue = [...things];
  const hand = async (): Promise<void> => {
    for (let thing = queue.shift(); thing !== undefined; thing = queue.shift()) await work(thing);
  };
  await Promise.all(Array.from({ length: atOnce }, hand));
}
