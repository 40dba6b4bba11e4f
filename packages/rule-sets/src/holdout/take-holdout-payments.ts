import { createHash } from 'node:crypto';
import { Prisma } from '@switchyard/db/client';
import { NO_UNITS, takeUnit } from '@switchyard/routing/canary';
import { customerAddress } from '@switchyard/routing/decide';
import type { MerchantConfiguration } from '@switchyard/runtime';
import { z } from 'zod';
import type { RuleSetsContext } from '../context.ts';
import { GRACE_MINUTES, readCanaryState } from '../rows/canaries.ts';
import {
  beginHoldout,
  findHoldoutMonth,
  type HoldoutPayment,
  type HoldoutScope,
  knownHoldoutCustomers,
  lockHoldout,
  type MonthSums,
  readHoldoutPayments,
  writeHoldout,
} from '../rows/holdouts.ts';
import { readDecision } from '../snapshot/read-inputs.ts';

const BATCH = 500;
/** Time of one call; what is left continues with the next call. */
const BUDGET_MS = 5_000;
const MINUTE_MS = 60_000;

/** Limits of a call, for tests. */
export interface TakeOptions {
  readonly batch?: number;
}

/**
 * Counts the payments of merchants who hold customers out, once their time to pay is over: each customer's first of a month in the
 * comparison, and all that rules routed for its size. Any number of processes may call it: a merchant and mode is worked on by one at a
 * time, in transactions that store sums, customers and the place together. Returns how many payments were looked at; throws an
 * `AggregateError` at the end when some could not be continued, which the next call does.
 */
export async function takeHoldoutPayments(context: RuleSetsContext, options: TakeOptions = {}): Promise<number> {
  const { configuration } = context.resources;
  await configuration.ready();
  const until = performance.now() + BUDGET_MS;
  const errors: unknown[] = [];
  let taken = 0;
  for (const merchant of configuration.merchants()) {
    if (merchant.merchant.holdoutPercent === 0) continue;
    for (const mode of ['test', 'live'] as const) {
      try {
        taken += await continueHoldout(context, merchant, mode, options.batch ?? BATCH, until);
      } catch (error) {
        errors.push(error);
      }
    }
    if (performance.now() >= until) break;
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} holdouts could not be continued`);
  return taken;
}

async function continueHoldout(
  context: RuleSetsContext,
  { merchant }: MerchantConfiguration,
  mode: HoldoutScope['mode'],
  batch: number,
  until: number,
): Promise<number> {
  const scope = { merchantId: merchant.id, mode };
  await beginHoldout(context.resources.database, scope, merchant.updatedAt);
  let taken = 0;
  for (;;) {
    const count = await takeBatch(context, scope, merchant, batch);
    taken += count;
    if (count < batch || performance.now() >= until) return taken;
  }
}

async function takeBatch(
  context: RuleSetsContext,
  scope: HoldoutScope,
  { sessionMinutes: horizonMinutes, timeZone }: MerchantConfiguration['merchant'],
  batch: number,
): Promise<number> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const progress = await lockHoldout(transaction, scope);
    if (progress === null) return 0;
    const before = new Date(context.now().getTime() - (horizonMinutes + GRACE_MINUTES) * MINUTE_MS);
    const payments = await readHoldoutPayments(transaction, progress, { before, horizonMinutes, timeZone }, batch);
    const last = payments.at(-1);
    if (last === undefined) return 0;
    const drawn = payments.flatMap((payment) => toDrawn(scope, payment) ?? []);
    const counted = new Set(
      await knownHoldoutCustomers(
        transaction,
        scope.merchantId,
        drawn.map(({ customer }) => customer),
      ),
    );
    const months = new Map<string, MonthSums>();
    const customers: Pick<Drawn, 'customer' | 'paymentId' | 'createdAt'>[] = [];
    for (const { customer, ...payment } of drawn) {
      const key = `${payment.month} ${payment.currency}`;
      const sums = months.get(key) ?? (await readMonth(transaction, scope, payment));
      const isFirst = !counted.has(customer);
      months.set(key, add(sums, payment, isFirst));
      if (!isFirst) continue;
      counted.add(customer);
      const { paymentId, createdAt } = payment;
      customers.push({ customer, paymentId, createdAt });
    }
    const scanned = { scannedTo: last.createdAt, scannedId: last.paymentId };
    await writeHoldout(transaction, scope, [...months.values()], customers, scanned);
    return payments.length;
  });
}

interface Drawn extends Omit<HoldoutPayment, 'packedDecision'> {
  readonly customer: string;
  readonly heldOut: boolean;
  readonly percent: number;
}

const assigned = z.object({
  assignment: z.object({ holdout: z.object({ heldOut: z.boolean(), percent: z.int() }) }),
});

/** A payment whose customer was drawn; null for one that a process decided before it had read of the holdout. */
function toDrawn({ merchantId, mode }: HoldoutScope, { packedDecision, ...payment }: HoldoutPayment): Drawn | null {
  const inputs = assigned.safeParse(readDecision({ packedDecision }).inputs);
  if (!inputs.success) return null;
  const { month, currency, customerEmail, isErased, paymentId } = payment;
  const email = customerAddress(customerEmail);
  const hash = () => createHash('sha256').update([merchantId, mode, month, currency, email].join('\n')).digest('hex');
  return { ...payment, ...inputs.data.assignment.holdout, customer: isErased ? paymentId : hash() };
}

async function readMonth(
  transaction: Prisma.TransactionClient,
  scope: HoldoutScope,
  { month, currency, percent }: Pick<Drawn, 'month' | 'currency' | 'percent'>,
): Promise<MonthSums> {
  const stored = await findHoldoutMonth(transaction, scope, { month, currency });
  if (stored !== null) {
    const { merchantId: _, mode: __, sums, ...row } = stored;
    return { ...row, sums: readCanaryState(sums) };
  }
  const none = { routedPayments: 0, routedAmount: 0n, heldOutAmount: 0n };
  const fees = { routedFees: new Prisma.Decimal(0), heldOutFees: new Prisma.Decimal(0) };
  return { month, currency, percent, sums: NO_UNITS, ...none, ...fees };
}

/** Those whom the rules route are the arm that is measured. */
function add(before: MonthSums, { heldOut, percent, paid, amount, fee }: Omit<Drawn, 'customer'>, isFirst: boolean): MonthSums {
  const routedPayments = before.routedPayments + (heldOut ? 0 : 1);
  if (!isFirst) return { ...before, routedPayments };
  const terms = { share: 1 - percent / 100, toleratedLoss: 0 };
  const sums = takeUnit(terms, before.sums, { arm: heldOut ? 'live' : 'draft', paid });
  const counted = { ...before, sums, routedPayments, percent: Math.min(before.percent, percent) };
  if (!paid) return counted;
  return heldOut
    ? { ...counted, heldOutAmount: before.heldOutAmount + amount, heldOutFees: before.heldOutFees.plus(fee) }
    : { ...counted, routedAmount: before.routedAmount + amount, routedFees: before.routedFees.plus(fee) };
}
