import { aboutPayment, unlessUnavailable } from '@switchyard/db';
import type { FailureCode, Outcome, ReceivedPayment, TransferPayer } from '@switchyard/gateways';
import { applyPaymentChange } from './apply-change.ts';
import { applyGatewayResult, type Cause } from './apply-gateway-result.ts';
import { listAttempts, type PayerKey, sealPayer, watchedAttempts } from './attempt-queries.ts';
import type { PaymentsContext } from './context.ts';
import { type KnownReturns, NO_RETURNS } from './decide-reversal.ts';
import { merchantOf } from './find-payment.ts';
import { isDisputed, sumRefundsOf } from './known-returns.ts';
import { type Timings, timed } from './order.ts';
import type { AttemptRecord, PaymentRecord } from './payment-record.ts';
import { recordUnrecognised } from './record-unrecognised.ts';
import { readPayment } from './statements.ts';

/** One attempt to look up at its gateway. */
export interface AttemptLookup {
  readonly payment: PaymentRecord;
  readonly attempt: AttemptRecord;
  /** The gateway's own id of the transaction, as passed in from outside. A hint. */
  readonly transactionId: string | null;
  readonly cause: Cause;
  readonly timeoutMs: number;
}

const ROUNDS_MAX = 5;
const runningLookups = new Map<string, Promise<LookedUpPayment>>();

/** The payment after a lookup. */
export interface VerifiedPayment {
  readonly payment: PaymentRecord;
  /** False when the gateway gave no usable answer; "not paid yet" is one. */
  readonly answered: boolean;
}

/** The payment after one attempt was looked up. */
export interface LookedUpPayment extends VerifiedPayment {
  /** Why there is no usable answer; null where there is one. */
  readonly unanswered: Unanswered | null;
}

/** Why a gateway gave no usable answer. */
export interface Unanswered {
  /** `not_configured`: the merchant has removed the account's credentials; `not_asked`: a fault of ours keeps this process from asking. */
  readonly code: FailureCode | 'not_configured' | 'not_asked';
  readonly message: string;
}

/**
 * Looks one attempt up at its gateway and applies what the answer proves. Concurrent lookups of the same attempt share one call.
 */
export function fetchGatewayResult(context: PaymentsContext, lookup: AttemptLookup, timings: Timings): Promise<LookedUpPayment> {
  aboutPayment(lookup.payment);
  const key = `${lookup.attempt.id}|${lookup.transactionId ?? ''}`;
  const running = runningLookups.get(key);
  if (running !== undefined) return running;
  const answer = verifyOnce(context, lookup, timings).finally(() => runningLookups.delete(key));
  runningLookups.set(key, answer);
  return answer;
}

async function verifyOnce(context: PaymentsContext, lookup: AttemptLookup, timings: Timings): Promise<LookedUpPayment> {
  const askedAt = context.now();
  const asked = await timed(timings, 'gateway', () => lookUpAttempt(context, lookup));
  if (asked.outcome === null) return { payment: lookup.payment, answered: false, unanswered: asked.unanswered };
  const { outcome } = asked;
  const payment = await timed(timings, 'db', async () =>
    recordUnrecognised(context, await applyOutcome(context, lookup, { outcome, askedAt }), lookup.attempt, {
      outcome,
      cause: lookup.cause,
    }),
  );
  const unanswered = outcome.outcome === 'unknown' && !isAnswer(outcome) ? outcome.failure : null;
  return { payment, answered: unanswered === null, unanswered };
}

const NOT_CONFIGURED = { code: 'not_configured', message: 'Its gateway account is no longer configured.' } as const;
const NOT_ASKED = {
  code: 'not_asked',
  message: 'The gateway was not asked: this process cannot use the stored credentials of its account.',
} as const;

/** The gateway's outcome for an attempt, or why no gateway was asked. */
export type AskedGateway =
  | { readonly outcome: Outcome<ReceivedPayment> }
  | { readonly outcome: null; readonly unanswered: Unanswered };

/** The gateway's result for an attempt, not applied. */
export async function lookUpAttempt(
  context: PaymentsContext,
  { payment, attempt, transactionId, timeoutMs }: Omit<AttemptLookup, 'cause'>,
): Promise<AskedGateway> {
  const { configuration, openAccount } = context.resources;
  const account = configuration.account(attempt.accountId)?.account;
  const opened = account === undefined ? null : unlessUnavailable(() => openAccount(account));
  if (opened === null) return { outcome: null, unanswered: account?.credentials ? NOT_ASKED : NOT_CONFIGURED };
  const query = {
    reference: attempt.reference,
    transactionId: transactionId ?? attempt.transactionId,
    amount: payment.amount,
    currency: payment.currency,
  };
  const outcome = await opened.gateway.verify(opened.access, query, { timeoutMs });
  void context.configurationFaults.learnFromLookup({ account: opened.account, outcome });
  const where = { merchantId: payment.merchantId, accountId: attempt.accountId, method: payment.paymentMethod };
  context.health.observeLookup(where, outcome);
  const call = { ...where, gateway: attempt.gateway, operation: 'verify', paymentId: payment.paymentId } as const;
  context.health.observeAnswer(call, outcome);
  return { outcome };
}

/** True if the gateway gave a usable answer; "the customer has not paid yet" is one. */
export function isAnswer(outcome: Outcome<ReceivedPayment>): boolean {
  return outcome.outcome !== 'unknown' || outcome.failure.class === 'customer';
}

/** The facts of all attempts of a payment that the result of one depends on. */
export function describeAttempts(
  attempts: readonly AttemptRecord[],
  attemptId: string,
): { readonly othersOpen: boolean; readonly holdsMismatched: boolean } {
  return {
    othersOpen: watchedAttempts(attempts).some(({ id }) => id !== attemptId),
    holdsMismatched: attempts.some(({ state, receivedAmount }) => state !== 'PAID' && receivedAmount !== null),
  };
}

/** Applies an outcome; recomputes the change when the payment changed meanwhile. */
async function applyOutcome(
  context: PaymentsContext,
  lookup: AttemptLookup,
  { outcome, askedAt }: { readonly outcome: Outcome<ReceivedPayment>; readonly askedAt: Date },
): Promise<PaymentRecord> {
  const { database, vault } = context.resources;
  const seal = (payer: TransferPayer, key: PayerKey) => sealPayer(vault, payer, key);
  const { merchantId, paymentId } = lookup.payment;
  const merchant = await merchantOf(context, merchantId);
  let { payment, attempt }: { payment: PaymentRecord; attempt: AttemptRecord } = lookup;
  // Another look-up may have changed the attempt since it was read; one that changes it from now on changes the version of the payment.
  let attempts = outcome.outcome === 'unknown' ? [] : await listAttempts(database, merchantId, paymentId);
  attempt = attempts.find(({ id }) => id === attempt.id) ?? attempt;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const now = context.now();
    const { cause } = lookup;
    const { newId } = context;
    const returns = await readReturns(context, payment, attempt, outcome);
    const known = { payment, attempt, merchant, ...describeAttempts(attempts, attempt.id), returns };
    const change = applyGatewayResult({ ...known, outcome, cause, askedAt, now, newId, sealPayer: seal });
    if (change === null) {
      // Another lookup may have changed the payment since it was read. No caller waits for a scheduled one, and what it goes on to write
      // depends on the version or the lease that it holds.
      return cause === 'schedule' ? payment : ((await readPayment(database, merchantId, paymentId)) ?? payment);
    }
    const applied = await applyPaymentChange(database, change, now);
    const current = await readPayment(database, merchantId, paymentId);
    if (current === undefined) throw new Error(`payment ${paymentId} is gone`);
    if (applied === 'applied') {
      recordPaymentResult(context, payment, attempt, change.status);
      if (change.status === 'SUCCESS' && cause === 'schedule') recordMissedWebhook(context, payment, attempt, outcome);
    }
    if (applied !== 'moved_on') return current;
    payment = current;
    attempts = await listAttempts(database, merchantId, paymentId);
    attempt = attempts.find(({ id }) => id === attempt.id) ?? attempt;
  }
  throw new Error(`payment ${paymentId} changed ${ROUNDS_MAX} times while one result was being applied`);
}

/**
 * Known reasons for the return of money of an attempt that its gateway reports as reversed, or that is known and did not pay. A refund or a
 * dispute that is recorded meanwhile changes the payment's version.
 */
async function readReturns(
  { resources }: PaymentsContext,
  { merchantId, paymentId }: PaymentRecord,
  { id: attemptId, accountId, ...known }: AttemptRecord,
  outcome: Outcome<ReceivedPayment>,
): Promise<KnownReturns> {
  if (known.transactionId === null || outcome.outcome !== 'yes') return NO_RETURNS;
  const { transactionId, reversed } = outcome.value;
  if (!reversed && known.state === 'PAID' && known.transactionId === transactionId) return NO_RETURNS;
  const { prisma } = resources.database;
  const [refunded, disputed] = await Promise.all([
    sumRefundsOf(prisma, { merchantId, paymentId, accountId, transactionId }),
    isDisputed(prisma, { merchantId, paymentId, attemptId }),
  ]);
  return { refunded, disputed };
}

/** How long a webhook may take before it counts as missed. */
const WEBHOOK_DUE_MS = 60_000;

/** A payment that was paid a while ago, and was found paid by a look-up alone, had no webhook. */
function recordMissedWebhook(
  { webhookArrivals, now, onError }: PaymentsContext,
  { merchantId }: PaymentRecord,
  { accountId }: AttemptRecord,
  outcome: Outcome<ReceivedPayment>,
): void {
  const paidAt = outcome.outcome === 'yes' ? outcome.value.paidAt : null;
  const at = now();
  if (paidAt !== null && at.getTime() - paidAt.getTime() < WEBHOOK_DUE_MS) return;
  webhookArrivals
    .missed({ merchantId, accountId }, at)
    .catch((error: unknown) => onError(error, 'recording that a webhook is missing'));
}

/** Payment results feed the success rate of accounts, which `success_rate` rules use. */
function recordPaymentResult(
  context: PaymentsContext,
  payment: PaymentRecord,
  { accountId }: AttemptRecord,
  status: PaymentRecord['status'] | undefined,
): void {
  const where = { merchantId: payment.merchantId, accountId, method: payment.paymentMethod };
  if (status === 'SUCCESS') context.health.observeEnd(where, 'paid');
  if (status === 'FAILED') context.health.observeEnd(where, 'unpaid');
}
