import { ANY_METHOD, BUCKET_MS, bucketOf, WINDOW_MS } from '@switchyard/provider-health';
import { type FaultyAttemptRow, readFaultyAttempts, readHealthHistory } from '@switchyard/provider-health/console';
import type { PaymentMethod } from '@switchyard/routing';
import type { PaymentsContext } from '../../record/context.ts';

/** Selects the attempts that an account's health state at one moment was computed from. */
export interface PaymentsBehindHealthQuery {
  /** The merchants the caller may see. */
  readonly merchantIds: readonly string[];
  readonly accountId: string;
  /** Null for the account as a whole. */
  readonly method: PaymentMethod | null;
  /** The moment of the state in question, such as its `since`; null for now. */
  readonly at: Date | null;
  /** `next` of the previous page. */
  readonly after: { readonly createdAt: Date; readonly attemptId: string } | null;
  /** 1 to 200. */
  readonly limit: number;
}

/** The evidence behind a health state. */
export interface PaymentsBehindHealth {
  /** Five minutes up to the moment in question. */
  readonly from: Date;
  readonly to: Date;
  readonly counts: {
    /** Checkout openings: successes, failures by the gateway, and the latter by kind. */
    readonly succeeded: number;
    readonly faulted: number;
    readonly timedOut: number;
    readonly refused: number;
    readonly serverError: number;
    readonly rateLimited: number;
    readonly malformed: number;
    /** Lookups of payments and idle probes. */
    readonly lookupsAnswered: number;
    readonly lookupsFailed: number;
  };
  /** The checkouts that failed, newest first. */
  readonly attempts: readonly (Omit<FaultyAttemptRow, 'amount'> & { readonly amount: bigint })[];
  readonly next: { readonly createdAt: Date; readonly attemptId: string } | null;
}

const PAGE_MAX = 200;

/** The counts and the payments behind a health state; null when none of these merchants has the account. */
export async function findPaymentsBehindHealth(
  context: PaymentsContext,
  query: PaymentsBehindHealthQuery,
): Promise<PaymentsBehindHealth | null> {
  const { database, configuration } = context.resources;
  await configuration.ready();
  const account = configuration.account(query.accountId)?.account;
  if (account === undefined || !query.merchantIds.includes(account.merchantId)) return null;
  const { merchantId, id: accountId } = account;
  const { method } = query;
  // A state changes within the time span whose counts changed it.
  const to = new Date(bucketOf((query.at ?? context.now()).getTime()) + BUCKET_MS);
  const from = new Date(to.getTime() - WINDOW_MS);
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  const scope = { merchantIds: [merchantId], accountIds: [accountId], from, to, stepMs: WINDOW_MS };
  const [history, rows] = await Promise.all([
    readHealthHistory(database, scope, 1_000),
    readFaultyAttempts(database, { merchantId, accountId, method, from, to }, query.after, limit + 1),
  ]);
  const own = history.filter((step) => step.method === (method ?? ANY_METHOD));
  // Lookups have no method: those of an account count under all methods together.
  const whole = history.filter((step) => step.method === ANY_METHOD);
  const sum = (name: keyof PaymentsBehindHealth['counts'], steps = own) => steps.reduce((total, step) => total + step[name], 0);
  const attempts = rows.slice(0, limit).map((row) => ({ ...row, amount: BigInt(row.amount) }));
  const last = attempts.at(-1);
  return {
    from,
    to,
    counts: {
      succeeded: sum('succeeded'),
      faulted: sum('faulted'),
      timedOut: sum('timedOut'),
      refused: sum('refused'),
      serverError: sum('serverError'),
      rateLimited: sum('rateLimited'),
      malformed: sum('malformed'),
      lookupsAnswered: sum('lookupsAnswered', whole),
      lookupsFailed: sum('lookupsFailed', whole),
    },
    attempts,
    next: rows.length > limit && last !== undefined ? { createdAt: last.createdAt, attemptId: last.attemptId } : null,
  };
}
