import { isUuid } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { Decision } from '@switchyard/routing';
import { compareDecisions, type DecisionComparison } from '@switchyard/routing/recompute';
import { type Evaluation, evaluate, evaluateStored } from '@switchyard/routing/replay';
import { assignRules, routingSnapshot } from '@switchyard/rule-sets/snapshot';
import type { PaymentsContext } from '../../record/context.ts';
import { findPaymentDecision, readStoredDecision, type StoredPaymentDecision } from '../../record/decisions/stored-decision.ts';
import { differencesFromStored, findRuleSet } from '../decisions/decide-again.ts';

/** Why a payment was routed as it was, and whether it would be now. */
export interface RoutingExplanation {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly mode: Mode;
  /** The decision as stored; null when its format is unknown to this version. */
  readonly stored: Decision | null;
  readonly recomputed: Recomputation;
  /** The same payment under today's rules, accounts, health and overrides; null without a stored decision. */
  readonly now: CurrentRouting | null;
}

/** The decision recomputed from its stored rule-set version and inputs. */
export interface Recomputation {
  /** `impossible`: the version is not on record or the inputs cannot be read. */
  readonly kind: 'same' | 'differs' | 'impossible';
  readonly message: string;
  /** The differences from the stored decision, a sentence each. */
  readonly differences: readonly string[];
  /** Every rule with each of its conditions, and every account with each of its checks; null when impossible. */
  readonly evaluation: Evaluation | null;
}

/** How the payment would be routed with today's rules, accounts, overrides and health, compared with the stored decision. */
export interface CurrentRouting {
  readonly comparison: DecisionComparison;
  /** One sentence: whether the payment would be routed the same way. */
  readonly message: string;
  readonly evaluation: Evaluation;
}

/** Explains the routing of a payment of one of these merchants; null when none of them has it, even for a malformed id. */
export async function explainRouting(
  context: PaymentsContext,
  query: { readonly merchantIds: readonly string[]; readonly paymentId: string },
): Promise<RoutingExplanation | null> {
  if (!isUuid(query.paymentId)) return null;
  const row = await findPaymentDecision(context.resources.database, query.merchantIds, query.paymentId);
  if (row === null) return null;
  const { merchantId, paymentId, mode } = row;
  const stored = await readStoredDecision(context.resources.database, row);
  const recomputed = await recomputeStored(context, row, stored);
  return { merchantId, paymentId, mode, stored, recomputed, now: stored === null ? null : await routeNow(context, row, stored) };
}

async function recomputeStored(
  context: PaymentsContext,
  row: StoredPaymentDecision,
  stored: Decision | null,
): Promise<Recomputation> {
  if (stored === null) return impossible('What was stored with the decision cannot be read.');
  const ruleSet = await findRuleSet(context.resources.database, row, stored);
  const rules = describeRules(row.ruleSetVersion);
  if (ruleSet === null) return impossible(`Version ${row.ruleSetVersion} of the rules is not on record.`);
  const evaluation = evaluateStored({ inputs: stored.inputs, ruleSet });
  const differences = differencesFromStored(row, stored, evaluation.decision);
  if (differences.length === 0) {
    const message = `Computed again from ${rules} and what was stored with it, the decision is the same.`;
    return { kind: 'same', message, differences, evaluation };
  }
  const message = `Computed again from ${rules} and what was stored with it, the decision is not what was stored.`;
  return { kind: 'differs', message, differences, evaluation };
}

function impossible(why: string): Recomputation {
  return { kind: 'impossible', message: `The decision cannot be computed again: ${why}`, differences: [], evaluation: null };
}

function describeRules(version: number): string {
  return version === 0 ? 'the accounts alone (no rules had been published)' : `version ${version} of the rules`;
}

async function routeNow(
  context: PaymentsContext,
  { merchantId, mode, customerEmail }: StoredPaymentDecision,
  stored: Decision,
): Promise<CurrentRouting | null> {
  const { configuration } = context.resources;
  await configuration.ready();
  const merchant = configuration.merchant(merchantId);
  if (merchant === undefined) return null;
  const snapshot = routingSnapshot(context.resources, merchant, mode, context.now());
  const { accounts, overrides } = snapshot;
  const { ruleSet, assignment } =
    customerEmail === null ? { ruleSet: snapshot.ruleSet, assignment: undefined } : assignRules(snapshot, customerEmail);
  const evaluation = evaluate({
    payment: stored.inputs.payment,
    ruleSet: ruleSet.ruleSet,
    accounts,
    overrides,
    health: context.health.snapshot(merchantId),
    decidedAt: context.now().toISOString(),
    ...(assignment !== undefined && { assignment }),
  });
  const comparison = compareDecisions(stored, evaluation.decision);
  return { comparison, message: describeNow(stored, evaluation.decision, comparison), evaluation };
}

function describeNow(
  stored: Decision,
  present: Decision,
  { same, recommendedBefore, recommendedNow }: DecisionComparison,
): string {
  if (same) return 'It would be routed the same way now.';
  if (recommendedBefore === recommendedNow) return 'It would go to the same account now, with other fallbacks.';
  const label = ({ inputs }: Decision, id: string | null) =>
    id === null ? 'no account' : (inputs.accounts.find(({ accountId }) => accountId === id)?.label ?? id);
  return `It would go to ${label(present, recommendedNow)} now, and not to ${label(stored, recommendedBefore)}.`;
}
