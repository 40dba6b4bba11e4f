import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@switchyard/db';
import { type Clock, type Decision, type RuleSet, UTC_CLOCK } from '@switchyard/routing';
import { type CompiledRuleSet, compileRuleSet, isDrawn } from '@switchyard/routing/decide';
import { compareDecisions, recompute } from '@switchyard/routing/recompute';
import { readRuleSet } from '@switchyard/rule-sets/snapshot';
import { findRuleSetVersionRow } from '@switchyard/rule-sets/version-rows';
import type { PaymentsContext } from '../../record/context.ts';
import {
  findDecisions,
  listPaymentIds,
  readStoredDecision,
  type StoredPaymentDecision,
} from '../../record/decisions/stored-decision.ts';

type Reasons = Decision['record']['reasons'];

/**
 * The reasons of a stored decision with times as `clock` writes them. They are made again from what the decision was taken from; the
 * stored sentences, which are in UTC, are never parsed. Null where the decision cannot be computed again or does not come out as
 * stored: then only the stored sentences are true.
 */
export async function reasonsInZone(context: PaymentsContext, row: StoredPaymentDecision, clock: Clock): Promise<Reasons | null> {
  const stored = await readStoredDecision(context.resources.database, row);
  if (stored === null) return null;
  const ruleSet = await findRuleSet(context.resources.database, row, stored);
  if (ruleSet === null) return null;
  const taken = { inputs: stored.inputs, ruleSet };
  if (differencesFromStored(row, stored, recompute(taken, UTC_CLOCK)).length > 0) return null;
  return recompute(taken, clock).record.reasons;
}

/**
 * The differences between a recomputed decision and the stored one, and between the stored draws and what the customer's address draws, a
 * sentence each; empty when they match.
 */
export function differencesFromStored(
  { customerEmail }: Pick<StoredPaymentDecision, 'customerEmail'>,
  stored: Decision,
  again: Decision,
): readonly string[] {
  const draws = customerEmail === null ? [] : differencesOfDraws(stored.inputs, customerEmail);
  const differences = [...compareDecisions(stored, again).differences, ...draws];
  if (differences.length > 0) return differences;
  const was = parts(stored);
  return Object.entries(parts(again)).flatMap(([name, value]) =>
    isDeepStrictEqual(was[name], value) ? [] : [`What was stored as ${name} is different when recomputed.`],
  );
}

function differencesOfDraws({ assignment }: Decision['inputs'], customerEmail: string): readonly string[] {
  const { canary, holdout } = assignment ?? {};
  const differences: string[] = [];
  if (holdout !== undefined && isDrawn(holdout, customerEmail) !== holdout.heldOut) {
    differences.push(
      holdout.heldOut
        ? 'The customer is not drawn for the hold-out, and the payment was held out.'
        : 'The customer is drawn for the hold-out, and the payment was not held out.',
    );
  }
  if (canary !== undefined && isDrawn(canary, customerEmail) !== (canary.arm === 'draft')) {
    differences.push(
      canary.arm === 'draft'
        ? 'The customer is not drawn for the trial, and the payment was routed by the rules on trial.'
        : 'The customer is drawn for the trial, and the payment was not routed by the rules on trial.',
    );
  }
  return differences;
}

function parts({ record, ...decision }: Decision): Record<string, unknown> {
  const { routingMode, smartRoutingBypassed, ruleId, ruleSetVersion } = decision;
  return { ...record, routingMode, smartRoutingBypassed, ruleId, ruleSetVersion };
}

/** The rules a stored decision was taken by; null when that version is not on record. */
export async function findRuleSet(
  { prisma }: Pick<Database, 'prisma'>,
  { merchantId, mode, ruleSetVersion: version }: Pick<StoredPaymentDecision, 'merchantId' | 'mode' | 'ruleSetVersion'>,
  { inputs }: Decision,
): Promise<RuleSet | null> {
  const accountIds = inputs.accounts.map(({ accountId }) => accountId);
  if (version === 0) return readRuleSet(null, accountIds);
  const found = await findRuleSetVersionRow(prisma, { merchantId, mode, version });
  return found === null ? null : readRuleSet(found, accountIds);
}

const PAGE = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Decisions that are named, of those that do not come out the same. */
const NAMED_MAX = 20;

/** Payments whose decisions are recomputed. */
export interface DecisionSample {
  /** Merchants whose decisions are computed again; all when null. */
  readonly merchantIds: readonly string[] | null;
  /** About so many payments, drawn at random; every one when null or when there are no more. */
  readonly size: number | null;
  /** In [0, 1). */
  readonly random: () => number;
}

/** A decision that was not computed again as it was stored. */
export interface FailedDecision {
  readonly merchantId: string;
  readonly paymentId: string;
  /** A sentence each. */
  readonly differences: readonly string[];
}

/** How many decisions were recomputed, and which did not come out as stored. */
export interface DecisionCheck {
  readonly checkedCount: number;
  readonly failedCount: number;
  /** The first of them. */
  readonly failed: readonly FailedDecision[];
}

/**
 * Recomputes the routing decisions of past payments from the database alone, each from its stored inputs and the version of the rules
 * that it names, and compares the whole of each with what was stored. Short statements; nothing is locked or written.
 */
export async function verifyDecisions(
  database: Pick<Database, 'prisma' | 'pool'>,
  { merchantIds, size, random }: DecisionSample,
): Promise<DecisionCheck> {
  const merchants = merchantIds ?? (await database.prisma.merchant.findMany({ select: { id: true } })).map(({ id }) => id);
  const share = size === null ? 1 : size / Math.max(1, await countPayments(database, merchants));
  const ruleSets = new Map<string, Promise<CompiledRuleSet | null>>();
  const failed: FailedDecision[] = [];
  let checkedCount = 0;
  let failedCount = 0;
  for (const merchantId of merchants) {
    for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
      const ids: string[] = await listPaymentIds(database, merchantId, after, PAGE);
      const drawn = ids.filter(() => random() < share);
      for (const row of await findDecisions(database, merchantId, drawn)) {
        const differences = await differencesOf(database, row, ruleSets);
        checkedCount += 1;
        if (differences.length === 0) continue;
        failedCount += 1;
        if (failed.length < NAMED_MAX) failed.push({ merchantId, paymentId: row.paymentId, differences });
      }
      after = ids.at(-1);
    }
  }
  return { checkedCount, failedCount, failed };
}

async function countPayments({ prisma }: Pick<Database, 'prisma'>, merchantIds: readonly string[]): Promise<number> {
  return prisma.payment.count({ where: { merchantId: { in: [...merchantIds] } } });
}

async function differencesOf(
  database: Pick<Database, 'prisma'>,
  row: StoredPaymentDecision,
  ruleSets: Map<string, Promise<CompiledRuleSet | null>>,
): Promise<readonly string[]> {
  const stored = await readStoredDecision(database, row);
  if (stored === null) return ['What was stored with it cannot be read.'];
  const { merchantId, mode, ruleSetVersion } = row;
  // Without a version, the rules are the accounts in their order.
  const accounts = ruleSetVersion === 0 ? stored.inputs.accounts.map(({ accountId }) => accountId).join() : '';
  const key = `${merchantId}/${mode}/${ruleSetVersion}/${accounts}`;
  const found =
    ruleSets.get(key) ?? findRuleSet(database, row, stored).then((one) => (one === null ? null : compileRuleSet(one)));
  ruleSets.set(key, found);
  const ruleSet = await found;
  if (ruleSet === null) return [`Version ${ruleSetVersion} of the rules is not on record.`];
  return differencesFromStored(row, stored, recompute({ inputs: stored.inputs, ruleSet }));
}
