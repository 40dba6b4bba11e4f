import type { Database } from '@switchyard/db';
import type { Decision, RuleSet } from '@switchyard/routing';
import { readRuleSet } from '@switchyard/rule-sets/snapshot';
import { findRuleSetVersionRow } from '@switchyard/rule-sets/version-rows';
import type { StoredPaymentDecision } from './queries.ts';

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
