import { setTimeout as pause } from 'node:timers/promises';
import { withWorkSubject } from '@switchyard/db';
import { applyPaymentChange, type PaymentChange } from '../../record/apply-change.ts';
import { listAttempts, watchedAttempts } from '../../record/attempt-queries.ts';
import type { PaymentsContext } from '../../record/context.ts';
import { announce } from '../../record/event-record.ts';
import { fetchGatewayResult, type Unanswered } from '../../record/fetch-gateway-result.ts';
import { merchantOf } from '../../record/find-payment.ts';
import { isWatched, nextCheckAt, retryAt } from '../../record/next-check.ts';
import type { AttemptRecord, PaymentRecord } from '../../record/payment-record.ts';
import { readPayment } from '../../record/statements.ts';
import { resumeInitiation } from '../initiate/resume-initiation.ts';
import { claimDuePayments, type DuePayment, type NextCheck, scheduleNextCheck } from './queries.ts';

const AT_ONCE = 32;
const LOOKUP_TIMEOUT_MS = 8_000;
/** Longer than one payment can take: every planned gateway looked up in turn, then opened. */
const LEASE_MS = 120_000;
const ROUND_MS = 20_000;
/** Payments whose gateways answer within this time of each other are followed by one claim. */
const GATHER_MS = 10;
/** A round goes on this long after the last payment whose lookup was postponed to its turn, and claims this often meanwhile. */
const SOON_MS = 2_000;
const SOON_CLAIMS = 10;

const untimed = { add: () => {} };

/**
 * Settles due payments: resumes interrupted initiations, looks up open checkouts at gateways, closes expired sessions with proof,
 * hands those that no gateway decides over to staff, and checks for late money. Continues until nothing is due or 20 seconds have passed; returns the number of payments. Any number
 * of processes may run it at once.
 */
export async function settleOverdue(context: PaymentsContext, report: (error: unknown, doing: string) => void): Promise<number> {
  const { database } = context.resources;
  const startedAt = performance.now();
  const running = new Set<Promise<void>>();
  const settled: NextCheck[] = [];
  /** Claims that may still find nothing: when one lookup was postponed to its turn, more payments are due soon. */
  let claimsLeft = 0;
  const schedule = async (): Promise<void> => {
    const isDueSoon = ({ nextCheckAt, now }: NextCheck) =>
      nextCheckAt !== null && nextCheckAt.getTime() - now.getTime() <= SOON_MS;
    if (settled.some(isDueSoon)) claimsLeft = SOON_CLAIMS;
    await Promise.all(settled.splice(0).map((check) => orReport(check.due, report, () => scheduleNextCheck(database, check))));
  };
  let count = 0;
  try {
    for (;;) {
      // No more than are begun at once, so that a merchant's request for one is not delayed by those before it.
      const limit = performance.now() - startedAt > ROUND_MS ? 0 : AT_ONCE - running.size;
      const claimed = limit === 0 ? [] : await claimDuePayments(database, { now: context.now(), leaseMs: LEASE_MS, limit });
      for (const due of claimed) {
        const now = context.now();
        const settle = async () => {
          settled.push({ due, nextCheckAt: await settleDue(context, due, now), now });
        };
        const { merchantId, paymentId } = due;
        const settling = withWorkSubject({ merchantId, paymentId }, () => orReport(due, report, settle)).finally(() =>
          running.delete(settling),
        );
        running.add(settling);
      }
      count += claimed.length;
      if (running.size > 0) {
        await Promise.race(running);
        await pause(GATHER_MS);
        await schedule();
      } else if (claimsLeft > 0) {
        claimsLeft -= 1;
        await pause(SOON_MS / SOON_CLAIMS);
      } else {
        return count;
      }
    }
  } finally {
    await Promise.all(running);
    await schedule();
  }
}

/** Never rejects: the lease of a payment whose settling fails makes it due again. */
async function orReport(
  { paymentId }: DuePayment,
  report: (error: unknown, doing: string) => void,
  settle: () => Promise<void>,
): Promise<void> {
  try {
    await settle();
  } catch (error) {
    report(error, `settling payment ${paymentId}`);
  }
}

/** Settles one leased payment as far as its gateways' answers allow; returns when to check again, or null for never. */
async function settleDue(context: PaymentsContext, due: DuePayment, now: Date): Promise<Date | null> {
  const payment = await readPayment(context.resources.database, due.merchantId, due.paymentId);
  if (payment === undefined) return null;
  const random = context.random();
  const again = retryAt({ now, unanswered: due.checkCount, random });
  if (payment.status === 'INITIATED') {
    await resumeInitiation(context, payment, { cause: 'schedule', timings: untimed });
    return again;
  }
  const attempts = await listAttempts(context.resources.database, payment.merchantId, payment.paymentId);
  const watched = watchedAttempts(attempts);
  const turn = acquireTurns(context, watched);
  if (turn.kind === 'wait') return new Date(now.getTime() + turn.ms);
  const verified = await verifyAll(context, payment, attempts).finally(turn.done);
  const webhooksArrive = verified.watched.every(({ accountId }) => context.webhookArrivals.arrive(accountId));
  const times = { now, random, again, webhooksArrive };
  const step = decideStep(verified, times);
  if (step.kind === 'check') return step.at;
  const { merchantNumber } = await merchantOf(context, payment.merchantId);
  const known = { merchantNumber, eventId: context.newId(), now: context.now() };
  const change =
    step.kind === 'close' ? closeExpired(verified.payment, known) : reviewUnsettled(verified.payment, step.unanswered, known);
  if ((await applyPaymentChange(context.resources.database, change, known.now)) !== 'applied') return again;
  if (step.kind === 'review') return null;
  observeUnpaid(context, verified);
  return nextLateCheck(verified, times);
}

interface CheckTimes {
  readonly now: Date;
  /** In [0, 1). */
  readonly random: number;
  /** When to ask a gateway again that gave no answer. */
  readonly again: Date;
  readonly webhooksArrive: boolean;
}

/** The step of a payment whose attempts were looked up: its next check, null for none, or the change that ends its checks. */
export type Step =
  | { readonly kind: 'check'; readonly at: Date | null }
  /** Its session ended, and every gateway says that nothing was paid. */
  | { readonly kind: 'close' }
  /** For a week no gateway has said whether it was paid. */
  | { readonly kind: 'review'; readonly unanswered: Unanswered };

/** Decides the step of a payment whose attempts were looked up at `times.now` or later. */
export function decideStep(verified: Answers, times: CheckTimes): Step {
  const { payment } = verified;
  const { now, random, webhooksArrive } = times;
  if (verified.payment.status === 'PENDING' && verified.payment.review === null) {
    if (verified.unanswered !== null) return stepWithoutAnswer(payment, verified.unanswered, times);
    if (now < payment.expiresAt) return { kind: 'check', at: nextCheckAt({ ...payment, now, webhooksArrive, random }) };
    return { kind: 'close' };
  }
  return { kind: 'check', at: nextLateCheck(verified, times) };
}

/** The next check for money that may still arrive; null once none is awaited. */
export function nextLateCheck(verified: Answers, { now, random, again, webhooksArrive }: CheckTimes): Date | null {
  const { payment } = verified;
  if (verified.watched.length === 0 || !isWatched(now, payment.expiresAt)) return null;
  return verified.unanswered === null ? nextCheckAt({ ...payment, now, webhooksArrive, random }) : again;
}

/**
 * The step of an open payment that no gateway decided. A gateway that works and gives a status we cannot read is asked less and less often,
 * as its answer is not expected to change soon.
 */
function stepWithoutAnswer(payment: PaymentRecord, unanswered: Unanswered, { now, random, again }: CheckTimes): Step {
  const decision = decideUnanswered({ now, expiresAt: payment.expiresAt });
  switch (decision) {
    case 'review':
      return { kind: 'review', unanswered };
    case 'wait': {
      const isUnreadable = unanswered.code === 'unrecognised_status' || unanswered.code === 'undecided';
      const next = isUnreadable ? nextCheckAt({ ...payment, now, webhooksArrive: false, random }) : again;
      const reviewAt = reviewDueAt(payment.expiresAt);
      return { kind: 'check', at: new Date(Math.min(next.getTime(), reviewAt.getTime())) };
    }
    default:
      return decision satisfies never;
  }
}

/** Answers of all gateways that a payment was looked up at. */
export interface Answers {
  readonly payment: PaymentRecord;
  /** Why the gateway of an attempt gave no usable answer, the first one's; null when every gateway answered. */
  readonly unanswered: Unanswered | null;
  /** Those that may still bring money. */
  readonly watched: readonly AttemptRecord[];
}

type Turn = { readonly kind: 'go'; readonly done: () => void } | { readonly kind: 'wait'; readonly ms: number };

/** Takes a turn at the account of every attempt to look up, or of none. */
function acquireTurns({ lookupPace }: PaymentsContext, attempts: readonly AttemptRecord[]): Turn {
  const taken: string[] = [];
  const done = (): void => {
    for (const accountId of taken) lookupPace.done(accountId);
  };
  for (const { accountId } of attempts) {
    const turn = lookupPace.take(accountId, performance.now());
    if (turn.kind === 'wait') {
      done();
      return turn;
    }
    taken.push(accountId);
  }
  return { kind: 'go', done };
}

async function verifyAll(context: PaymentsContext, payment: PaymentRecord, attempts: readonly AttemptRecord[]): Promise<Answers> {
  const { database } = context.resources;
  const { merchantId, paymentId } = payment;
  let current = payment;
  let known = attempts;
  let unanswered: Unanswered | null = null;
  for (const watched of watchedAttempts(attempts)) {
    const attempt = known.find(({ id }) => id === watched.id) ?? watched;
    const lookup = { payment: current, attempt, transactionId: null, cause: 'schedule', timeoutMs: LOOKUP_TIMEOUT_MS } as const;
    const verified = await fetchGatewayResult(context, lookup, untimed);
    // With the payment, its attempts may have changed.
    if (verified.payment !== current) known = await listAttempts(database, merchantId, paymentId);
    current = verified.payment;
    unanswered ??= verified.unanswered;
  }
  return { payment: current, unanswered, watched: watchedAttempts(known) };
}

/** `success_rate` rules use the payment outcomes of an account. */
function observeUnpaid(context: PaymentsContext, { payment, watched }: Answers): void {
  const current = watched.find(({ id }) => id === payment.currentAttemptId);
  if (current === undefined) return;
  const { merchantId, paymentMethod: method } = payment;
  context.health.observeEnd({ merchantId, accountId: current.accountId, method }, 'unpaid');
}

/**
 * The change that closes a payment whose session has expired and whose gateways, looked up after that, report no payment. It is
 * still checked: late money makes it a success.
 */
export function closeExpired(
  payment: PaymentRecord,
  { merchantNumber, eventId, now }: { readonly merchantNumber: string; readonly eventId: string; readonly now: Date },
): PaymentChange {
  const { merchantId, paymentId, version } = payment;
  const event = {
    eventId,
    type: 'payment.failed',
    fromStatus: payment.status,
    toStatus: 'FAILED',
    cause: 'schedule',
    actor: null,
    detail: { reason: 'session_expired', message: 'The session ended, and the gateway says that nothing was paid.' },
  } as const;
  const after = { ...payment, status: 'FAILED', version: version + 1 } as const;
  const announcement = announce(after, merchantNumber, { ...event, at: now });
  const change = { merchantId, paymentId, version, status: 'FAILED', failureReason: 'session_expired', events: [event] } as const;
  return announcement === null ? change : { ...change, announcements: [announcement] };
}

const DAY_MS = 86_400_000;
/**
 * How long after its session ended a payment waits for a gateway that says neither that it was paid nor that it was not. Longer than a
 * weekend outage, an expired key that is noticed on Monday, and any late confirmation of a bank that gateways document.
 */
const UNSETTLED_MAX_MS = 7 * DAY_MS;

/** When a payment that no gateway decides goes to review. */
export function reviewDueAt(expiresAt: Date): Date {
  return new Date(expiresAt.getTime() + UNSETTLED_MAX_MS);
}

/**
 * Next step of a PENDING payment whose gateway was looked up without a usable answer: `wait` for the next look-up, or `review`
 * once a week has passed since its session ended. Never FAILED: nothing proves that the customer did not pay.
 */
export function decideUnanswered({ now, expiresAt }: { readonly now: Date; readonly expiresAt: Date }): 'wait' | 'review' {
  return now >= reviewDueAt(expiresAt) ? 'review' : 'wait';
}

/** Why such a payment is under review, in the words of the last look-up. */
export function unsettledReason({ message }: Unanswered): string {
  const said = /[.!?]$/.test(message) ? message : `${message}.`;
  return `Seven days after its session ended, no gateway says whether it was paid. The last check: ${said}`;
}

/** The change that hands such a payment over to staff. It stays PENDING and is not looked up by schedule any more. */
export function reviewUnsettled(
  payment: PaymentRecord,
  unanswered: Unanswered,
  { merchantNumber, eventId, now }: { readonly merchantNumber: string; readonly eventId: string; readonly now: Date },
): PaymentChange {
  const { merchantId, paymentId, version } = payment;
  const reason = unsettledReason(unanswered);
  const event = {
    eventId,
    type: 'payment.requires_review',
    fromStatus: null,
    toStatus: null,
    cause: 'schedule',
    actor: null,
    detail: { reason, code: unanswered.code },
  } as const;
  const announcement = announce({ ...payment, version: version + 1 }, merchantNumber, { ...event, at: now });
  const change = {
    merchantId,
    paymentId,
    version,
    review: { state: 'OPEN', reason },
    nextCheckAt: null,
    events: [event],
  } as const;
  return announcement === null ? change : { ...change, announcements: [announcement] };
}
