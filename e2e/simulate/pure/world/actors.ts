import type { AttemptRecord, Cause, Unanswered } from '@switchyard/payments/pure';
import { MINUTE, SECOND, timeAt } from './draws.ts';
import { type PaymentRow, sumRefunds } from './payment-file.ts';
import type { Actor, HeardAnswer, PaymentWorld } from './payment-world.ts';
import { refundSecondCharge, startRefunds } from './refund-actors.ts';

const BUDGET_MS = 20 * SECOND;
const GRACE_MS = 10 * SECOND;
const LEASE_MS = 2 * MINUTE;
const ROUNDS_MAX = 5;
const NETWORK_MS = 40;
const WEBHOOK_TRIES_MAX = 400;
const RETRY_MAX_MS = 6 * 60 * MINUTE;

/** Begins everything that the script of a payment names. */
export function startActors(world: PaymentWorld): void {
  const { agenda, decision, run, draws } = world;
  const { script, file } = run;
  const first = attemptAt(world, 0);
  if (first !== null) file.attempts = [first];
  file.nextCheckAt = timeAt(BUDGET_MS + GRACE_MS);
  agenda.begin('initiate', 0, openCheckouts(world, first, false, []));
  for (let position = 0; position < decision.plan.length; position += 1) {
    for (const { transactionId, webhooks } of run.gateways.checkoutAt(position).money) {
      for (const at of webhooks) {
        const follow = (): Actor => followWebhook(world, position, transactionId);
        agenda.begin(`webhook about ${transactionId}`, at, follow(), follow);
      }
    }
  }
  for (const at of script.verifies) agenda.begin('the merchant asks', at, askForPayment(world));
  const { dispute } = script;
  if (dispute !== null) agenda.begin('a dispute is lost', dispute.at, loseDispute(world, dispute.lost, draws.chance(0.5)));
  startRefunds(world);
}

function nowOf({ agenda }: PaymentWorld): Date {
  return timeAt(agenda.now);
}

function attemptAt({ product, decision, run, newId }: PaymentWorld, position: number): AttemptRecord | null {
  const planned = decision.plan[position];
  if (planned === undefined) return null;
  const { paymentId } = run.script;
  return {
    id: newId(),
    paymentId,
    position,
    accountId: planned.accountId,
    gateway: planned.gateway,
    reference: product.attemptReference(paymentId, position),
    state: 'STARTED',
    duplicate: false,
    failureCode: null,
    failureMessage: null,
    transactionId: null,
    receivedAmount: null,
    receivedCurrency: null,
  };
}

/** Tries the planned accounts in order until one opens a checkout, as one process. `uncertain` are earlier attempts that may be open. */
function* openCheckouts(
  world: PaymentWorld,
  begin: AttemptRecord | null,
  calledBefore: boolean,
  earlier: readonly boolean[],
): Actor {
  const { product, run, agenda, draws } = world;
  const { file, gateways, script } = run;
  const deadline = agenda.now + BUDGET_MS;
  const uncertain = [...earlier];
  let attempt = begin;
  let last: { readonly id: string; readonly state: AttemptRecord['state'] } | null = null;
  while (attempt !== null) {
    yield 2;
    // A process that stood still: another one may be opening the checkout.
    if (agenda.now > deadline + GRACE_MS) return;
    const outcome = gateways.openCheckout(attempt.position, attempt.reference);
    yield gateways.checkoutAt(attempt.position).openingMs;
    const { state } = product.describeResult({ ...attempt, attemptId: attempt.id }, outcome, calledBefore && attempt === begin);
    last = { id: attempt.id, state };
    if (outcome.outcome === 'yes') {
      const now = nowOf(world);
      const { createdAt, expiresAt } = file.payment;
      const { webhooksArrive } = script;
      const next = product.nextCheckAt({ now, createdAt, expiresAt, webhooksArrive, random: draws.next() });
      file.settle('PENDING', last, next, null, now, agenda.now);
      return;
    }
    uncertain.push(state === 'UNKNOWN');
    const next: AttemptRecord | null = agenda.now < deadline ? attemptAt(world, attempt.position + 1) : null;
    if (next !== null && !file.goOn(last, next)) return;
    attempt = next;
  }
  if (agenda.now <= deadline + GRACE_MS) settleFailed(world, last, uncertain.includes(true));
}

function settleFailed(world: PaymentWorld, last: Pick<AttemptRecord, 'id' | 'state'> | null, isUncertain: boolean): void {
  const now = nowOf(world);
  const next = isUncertain ? world.product.retryAt({ now, unanswered: 3, random: world.draws.next() }) : null;
  world.run.file.settle(
    'FAILED',
    last,
    next,
    last === null ? 'no_eligible_provider' : 'every_gateway_failed',
    now,
    world.agenda.now,
  );
}

/** Goes on with an initiation whose process has died or stands still. */
function* resume(world: PaymentWorld): Actor {
  const { product, run, agenda } = world;
  const { file, gateways } = run;
  const last = file.attempts.at(-1);
  if (last === undefined) return settleFailed(world, null, false);
  const uncertain = file.attempts.slice(0, -1).map(({ state }) => state !== 'REFUSED');
  yield NETWORK_MS;
  const outcome = gateways.verify(last.position, last.reference, null, agenda.now);
  yield NETWORK_MS;
  const interrupted = { id: last.id, state: 'UNKNOWN' } as const;
  if (nowOf(world) >= file.payment.expiresAt) {
    if (product.isAnswer(outcome)) settleFailed(world, interrupted, true);
    return;
  }
  if (outcome.outcome !== 'yes' && (outcome.failure.code === 'not_found' || outcome.failure.code === 'not_paid_yet')) {
    yield* openCheckouts(world, last, true, uncertain);
    return;
  }
  const next = attemptAt(world, last.position + 1);
  if (next === null) {
    if (product.isAnswer(outcome)) settleFailed(world, interrupted, true);
  } else if (file.goOn(interrupted, next)) yield* openCheckouts(world, next, false, [...uncertain, true]);
}

interface Looked {
  readonly payment: PaymentRow;
  readonly unanswered: Unanswered | null;
}

/** Looks an attempt up and applies the answer to what was read before; decides again where the payment has changed meanwhile. */
function* lookUp(
  world: PaymentWorld,
  read: { readonly payment: PaymentRow; readonly attempt: AttemptRecord },
  transactionId: string | null,
  cause: Cause,
): Generator<number, Looked, void> {
  const { product, run, agenda, draws, merchant, newId } = world;
  const { file, gateways } = run;
  let { payment, attempt } = read;
  if (draws.chance(0.2)) yield NETWORK_MS;
  const askedAt = agenda.now;
  const hint = transactionId ?? attempt.transactionId;
  const outcome = gateways.verify(attempt.position, attempt.reference, hint, askedAt);
  yield NETWORK_MS;
  let attempts = outcome.outcome === 'yes' || payment.review === 'OPEN' ? file.attempts : [];
  attempt = attempts.find(({ id }) => id === read.attempt.id) ?? attempt;
  let applied: ReturnType<typeof file.change> = 'moved_on';
  for (let round = 0; applied === 'moved_on'; round += 1) {
    if (round === ROUNDS_MAX) throw new Error(`payment ${payment.paymentId} changed ${ROUNDS_MAX} times`);
    const now = nowOf(world);
    const stateBefore = attempt.state;
    const returns = returnsOf(world, attempt, outcome);
    const change = product.applyGatewayResult({
      payment,
      attempt,
      merchant,
      ...product.describeAttempts(attempts, attempt.id),
      returns,
      outcome,
      cause,
      askedAt: timeAt(askedAt),
      now,
      newId,
    });
    // The statement arrives a moment later.
    if (change !== null && draws.chance(0.1)) yield draws.spread(1, 200);
    const counts = payment.status !== 'INITIATED';
    applied = change === null ? 'applied' : file.change(change, now, agenda.now);
    if (applied !== 'moved_on' && counts) run.heard.push(heardOf(world, attempt, stateBefore, outcome, askedAt));
    if (applied === 'applied' && change?.duplicateCharge?.refund === true) {
      const { transactionId: charged } = change.duplicateCharge;
      const refund = (): Actor => refundSecondCharge(world, charged);
      agenda.begin('the second charge is refunded', SECOND, refund(), refund);
    }
    if (change === null) break;
    const attemptId = attempt.id;
    ({ payment, attempts } = file);
    attempt = attempts.find(({ id }) => id === attemptId) ?? attempt;
  }
  const unanswered = product.isAnswer(outcome) || outcome.outcome === 'yes' ? null : outcome.failure;
  return { payment, unanswered };
}

function heardOf(
  { run }: PaymentWorld,
  { id: attemptId, position }: AttemptRecord,
  stateBefore: string,
  outcome: ReturnType<PaymentWorld['run']['gateways']['verify']>,
  at: number,
): HeardAnswer {
  const heard = { at, attemptId, position, stateBefore, money: null, reversed: false };
  if (outcome.outcome === 'yes') {
    const { transactionId, reversed } = outcome.value;
    return { ...heard, answer: 'money', money: run.gateways.moneyAt(position, transactionId, at), reversed };
  }
  switch (outcome.failure.code) {
    case 'declined':
      return { ...heard, answer: 'declined' };
    case 'not_found':
      return { ...heard, answer: outcome.outcome === 'no' ? 'not_found' : 'not_paid' };
    case 'not_paid_yet':
      return { ...heard, answer: 'not_paid' };
    default:
      return { ...heard, answer: 'none' };
  }
}

/** Known reasons why the money of an answer may have gone back. */
function returnsOf(
  { product, run }: PaymentWorld,
  known: AttemptRecord,
  outcome: ReturnType<PaymentWorld['run']['gateways']['verify']>,
) {
  if (known.transactionId === null || outcome.outcome !== 'yes') return product.NO_RETURNS;
  const { transactionId, reversed } = outcome.value;
  if (!reversed && known.state === 'PAID' && known.transactionId === transactionId) return product.NO_RETURNS;
  return { refunded: sumRefunds(run.file.refunds, transactionId), disputed: run.disputes.length > 0 };
}

/** Follows a webhook up: it is durable, and tried again until the gateway answers. */
function* followWebhook(world: PaymentWorld, position: number, transactionId: string): Actor {
  const { run, draws } = world;
  let waits = 10 * SECOND;
  for (let tries = 0; tries < WEBHOOK_TRIES_MAX; tries += 1) {
    const { payment, attempts } = run.file;
    const attempt = attempts.find((each) => each.position === position);
    if (attempt === undefined && payment.status !== 'INITIATED') return;
    if (attempt !== undefined && (payment.status !== 'INITIATED' || draws.chance(0.5))) {
      const { unanswered } = yield* lookUp(world, { payment, attempt }, transactionId, 'schedule');
      if (unanswered === null && payment.status !== 'INITIATED') return;
    }
    yield waits;
    waits = Math.min(RETRY_MAX_MS, 2 * waits);
  }
}

/** The merchant asks for the payment, which looks its attempts up. */
function* askForPayment(world: PaymentWorld): Actor {
  yield* verifyAll(world, 'api');
}

/** Looks up every attempt that may still bring money. */
function* verifyAll(world: PaymentWorld, cause: Cause): Generator<number, Looked, void> {
  const { file } = world.run;
  let payment = file.payment;
  let unanswered: Unanswered | null = null;
  if (payment.status === 'INITIATED') return { payment, unanswered };
  let known = file.attempts;
  for (const watched of world.product.watchedAttempts(known)) {
    const attempt = known.find(({ id }) => id === watched.id) ?? watched;
    const looked: Looked = yield* lookUp(world, { payment, attempt }, null, cause);
    if (looked.payment !== payment) known = file.attempts;
    payment = looked.payment;
    unanswered ??= looked.unanswered;
  }
  return { payment, unanswered };
}

/** The check of a payment that is due, by the process that leases it first. */
export function* checkDue(world: PaymentWorld, due: Date): Actor {
  const { product, run, agenda, draws, merchant, newId } = world;
  const { file, script } = run;
  const now = nowOf(world);
  const lease = file.claim(due, now, LEASE_MS);
  if (lease === null) return;
  const random = draws.next();
  const again = product.retryAt({ now, unanswered: file.checkCount, random });
  if (file.payment.status === 'INITIATED') {
    yield* resume(world);
    file.schedule(lease, again);
    return;
  }
  const { payment, unanswered } = yield* verifyAll(world, 'schedule');
  const verified = { payment, unanswered, watched: product.watchedAttempts(file.attempts) };
  const times = { now, random, again, webhooksArrive: script.webhooksArrive };
  const step = product.decideStep(verified, times);
  if (step.kind === 'check') return file.schedule(lease, step.at);
  const known = { merchantNumber: merchant.merchantNumber, eventId: newId(), now: nowOf(world) };
  const change =
    step.kind === 'close' ? product.closeExpired(payment, known) : product.reviewUnsettled(payment, step.unanswered, known);
  if (draws.chance(0.1)) yield draws.spread(1, 200);
  if (file.change(change, known.now, agenda.now) !== 'applied') file.schedule(lease, again);
  else file.schedule(lease, step.kind === 'review' ? null : product.nextLateCheck(verified, times));
}

/** A dispute of a part of the payment is lost, and its transaction is looked up after it in some cases. */
function* loseDispute(world: PaymentWorld, lost: string, looksUp: boolean): Actor {
  const { product, run, agenda, newId } = world;
  const { file } = run;
  const { payment } = file;
  const paid = file.attempts.find(({ state, duplicate }) => state === 'PAID' && !duplicate);
  if (paid === undefined || paid.transactionId === null) return;
  run.disputes.push(lost);
  const now = nowOf(world);
  const refunded = sumRefunds(file.refunds, paid.transactionId);
  const reversal = product.reversalByDisputes(payment, { lost, refunded, at: now });
  if (reversal !== null) {
    const told = product.reversalEvent(payment, reversal, { eventId: newId(), cause: 'gateway_webhook', detail: {} });
    const { merchantId, paymentId, version } = payment;
    file.change({ merchantId, paymentId, version, reversal, events: told === null ? [] : [told.event] }, now, agenda.now);
  }
  if (!looksUp) return;
  yield MINUTE;
  const attempt = file.attempts.find(({ id }) => id === paid.id) ?? paid;
  yield* lookUp(world, { payment: file.payment, attempt }, null, 'schedule');
}
