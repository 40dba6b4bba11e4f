import type { Decision } from '@switchyard/routing';
import type { DecideInput } from '@switchyard/routing/decide';
import { isSameJson } from '@switchyard/routing/same-json';
import { expectDecision } from '@switchyard/routing/testing';
import type { Product } from '../open-pure.ts';
import type { Report } from './violation.ts';

/**
 * Checks a decision against the rules as they are written, and takes it again from the inputs that are stored with it. `wholly` also compares
 * the whole order with what another implementation makes of the rules, which takes as long as the decision.
 */
export function checkDecision(product: Product, input: DecideInput, decision: Decision, wholly: boolean, report: Report): void {
  const { payment, accounts, overrides } = input;
  const planned = new Set<string>();
  for (const { accountId } of decision.plan) {
    const account = accounts.find((each) => each.accountId === accountId);
    const isAble =
      account?.enabled &&
      account.configured &&
      account.currencies.includes(payment.currency) &&
      (payment.method === null || account.methods.includes(payment.method)) &&
      payment.amount >= account.minAmount &&
      payment.amount <= (account.maxAmount ?? payment.amount);
    if (!isAble || planned.has(accountId)) report('decision_differs', `${accountId} is in the plan`);
    planned.add(accountId);
    const isOut = overrides.some(
      (each) => each.accountId === accountId && each.action !== 'force' && each.method === null && each.expiresAt === null,
    );
    if (isOut) report('decision_differs', `${accountId} is in the plan, and taken out by an operator`);
  }
  const again = product.recompute({ inputs: decision.inputs, ruleSet: input.ruleSet });
  if (!isSameJson(decision.record, again.record) || !isSameJson(decision.plan, again.plan)) {
    report('decision_differs', `taken again, it is ${again.record.rationale}`);
  }
  if (!wholly) return;
  const expected = expectDecision({ ...input, ruleSet: input.ruleSet.ruleSet });
  const plan = decision.plan.map(({ accountId }) => accountId);
  if (plan.join() !== expected.plan.join()) report('decision_differs', `the plan is ${plan}, and ${expected.plan} by the rules`);
  if (decision.ruleId !== expected.ruleId)
    report('decision_differs', `it is by rule ${decision.ruleId}, and by ${expected.ruleId}`);
}
