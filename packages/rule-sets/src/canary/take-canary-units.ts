import { createHash } from 'node:crypto';
import type { CanaryUnit, RuleCanary } from '@switchyard/db/client';
import { takeUnit, unitsOf, verdictOf } from '@switchyard/routing/canary';
import { customerAddress } from '@switchyard/routing/decide';
import { type Change, changeConfiguration } from '@switchyard/runtime';
import { z } from 'zod';
import type { RuleSetsContext } from '../context.ts';
import {
  CANARY_ACTOR,
  type CanaryPayment,
  findCanaryById,
  GRACE_MINUTES,
  knownCustomers,
  listOpenCanaries,
  lockCanary,
  readCanaryPayments,
  readCanaryState,
  termsOf,
  writeCanaryUnits,
} from '../rows/canaries.ts';
import { readDecision } from '../snapshot/read-inputs.ts';
import { describeRefusal } from '../versions/publication.ts';
import { end, promote } from './start-canary.ts';

const CANARIES_MAX = 200;
const BATCH = 500;
/** Time of one call; what is left continues with the next call. */
const BUDGET_MS = 5_000;
const MINUTE_MS = 60_000;

/** Limits of a call, for tests. */
export interface TakeOptions {
  readonly batch?: number;
}

/**
 * Takes the customers whose horizon has passed into the canaries that have not ended, in the order in which their first payments were
 * initiated, and promotes or rolls back those that are decided. Any number of processes may call it: a canary is worked on by one at a
 * time, and a customer is stored in the transaction that stores what all of them amount to, so that each counts once. Returns how many
 * were taken; throws an `AggregateError` at the end when some canaries could not be continued, which the next call does.
 */
export async function takeCanaryUnits(context: RuleSetsContext, options: TakeOptions = {}): Promise<number> {
  const until = performance.now() + BUDGET_MS;
  const errors: unknown[] = [];
  let taken = 0;
  for (const canary of await listOpenCanaries(context.resources.database, CANARIES_MAX)) {
    try {
      taken += await continueCanary(context, canary, options.batch ?? BATCH, until);
      await settle(context, canary);
    } catch (error) {
      errors.push(error);
    }
    if (performance.now() >= until) break;
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} canaries could not be continued`);
  return taken;
}

async function continueCanary(context: RuleSetsContext, canary: RuleCanary, batch: number, until: number): Promise<number> {
  let taken = 0;
  for (;;) {
    const more = await takeBatch(context, canary, batch);
    taken += more.taken;
    if (more.isDone || performance.now() >= until) return taken;
  }
}

interface Batch {
  readonly taken: number;
  /** True if nothing is left for now. */
  readonly isDone: boolean;
}

async function takeBatch(context: RuleSetsContext, { merchantId, id }: RuleCanary, batch: number): Promise<Batch> {
  return context.resources.database.prisma.$transaction(async (transaction): Promise<Batch> => {
    const canary = await lockCanary(transaction, { merchantId, id });
    if (canary === null) return { taken: 0, isDone: true };
    const before = new Date(context.now().getTime() - (canary.horizonMinutes + GRACE_MINUTES) * MINUTE_MS);
    const payments = await readCanaryPayments(transaction, canary, before, batch);
    const drawn = payments.flatMap((payment) => toDrawn(canary, payment) ?? []);
    const counted = new Set(
      await knownCustomers(
        transaction,
        canary,
        drawn.map(({ customer }) => customer),
      ),
    );
    let sums = readCanaryState(canary.sums);
    const units: CanaryUnit[] = [];
    for (const { customer, arm, percent, payment } of drawn) {
      if (verdictOf(sums) !== null) break;
      if (counted.has(customer)) continue;
      counted.add(customer);
      const { paymentId, createdAt, paid } = payment;
      sums = takeUnit(termsOf(canary, percent), sums, { arm, paid });
      const { promote: forPromotion, rollBack } = sums;
      const unit = { merchantId, canaryId: id, customer, paymentId, tried: arm === 'draft', paid, createdAt };
      units.push({ ...unit, position: unitsOf(sums), promote: forPromotion, rollBack });
    }
    const last = payments.at(-1);
    if (last !== undefined) {
      await writeCanaryUnits(transaction, canary, units, { sums, scannedTo: last.createdAt, scannedId: last.paymentId });
    }
    return { taken: units.length, isDone: payments.length < batch || verdictOf(sums) !== null };
  });
}

const assigned = z.object({
  assignment: z.object({ canary: z.object({ canaryId: z.string(), arm: z.enum(['draft', 'live']), percent: z.int() }) }),
});

/**
 * A payment that this canary assigned; null for another, as of a process that had not read of the canary, or of a customer who is held
 * out. Which customers these are does not depend on the arm.
 */
function toDrawn({ id, salt }: RuleCanary, payment: CanaryPayment) {
  const inputs = assigned.safeParse(readDecision(payment).inputs);
  if (!inputs.success) return null;
  const { canaryId, arm, percent } = inputs.data.assignment.canary;
  if (canaryId !== id) return null;
  return { customer: customerOf(salt, payment), arm, percent, payment };
}

/** The customer as a canary knows them: nothing but the salt and the address gives this text. */
function customerOf(salt: string, { customerEmail, isErased, paymentId }: CanaryPayment): string {
  if (isErased) return paymentId;
  return createHash('sha256')
    .update(`${salt}\n${customerAddress(customerEmail)}`)
    .digest('hex');
}

/** Ends a canary that is decided, or whose time is over; once, also when another process ends it meanwhile. */
async function settle(context: RuleSetsContext, { merchantId, id }: RuleCanary): Promise<void> {
  // Most are not decided yet: nothing is locked for them.
  const seen = await findCanaryById(context.resources.database.prisma, merchantId, id);
  if (seen === null || (verdictOf(readCanaryState(seen.sums)) === null && seen.endsAt > context.now())) return;
  await changeConfiguration<{ kind: 'settled' | 'open' }>(
    context,
    { merchantId, actor: CANARY_ACTOR },
    async (transaction, now) => {
      const canary = await findCanaryById(transaction, merchantId, id);
      const audit = canary === null || canary.endedAt !== null ? null : await endDecided(transaction, canary, now);
      return { outcome: { kind: audit === null ? 'open' : 'settled' }, audit };
    },
  );
}

type Transaction = Parameters<typeof promote>[0];

async function endDecided(transaction: Transaction, canary: RuleCanary, now: Date): Promise<Change<unknown>['audit']> {
  const ending = { endedAt: now, endedBy: CANARY_ACTOR };
  const verdict = verdictOf(readCanaryState(canary.sums));
  switch (verdict) {
    case 'roll_back':
      return end(transaction, canary, { ...ending, ended: 'ROLLED_BACK' });
    case 'promote': {
      const { outcome, audit } = await promote(transaction, canary, CANARY_ACTOR, now);
      if (outcome.kind === 'promoted') return audit;
      return end(transaction, canary, { ...ending, ended: 'REFUSED', refusal: describeRefusal(outcome) });
    }
    case null:
      return canary.endsAt <= now ? end(transaction, canary, { ...ending, ended: 'TIME' }) : null;
    default:
      return verdict satisfies never;
  }
}
