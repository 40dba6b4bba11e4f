import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@switchyard/db';
import { type Clock, type Decision, type RuleSet, UTC_CLOCK } from '@switchyard/routing';
import { isDrawn } from '@switchyard/routing/decide';
import { compareDecisions, recompute } from '@switchyard/routing/recompute';
import { readRuleSet } from '@switchyard/rule-sets/snapshot';
import { findRuleSetVersionRow } from '@switchyard/rule-sets/version-rows';
import type { PaymentsContext } from '../../record/context.ts';
import type { StoredPaymentDecision } from '../../record/decisions/queries.ts';
import { readStoredDecision } from '../../record/decisions/stored-decision.ts';

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
