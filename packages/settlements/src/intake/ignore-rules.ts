import type { Database } from '@switchyard/db';
import type { SettlementIgnoreRule } from '@switchyard/db/client';
import { compareDecimals } from '@switchyard/db/decimals';
import type { AccountKey } from '../account.ts';
import type { FoundDiscrepancy } from './found.ts';
import { amountInQuestion } from './found.ts';

const RULES_MAX = 500;

/** The rules that apply to an account, the oldest first. */
export function readActiveRules({ prisma }: Database, { merchantId, accountId }: AccountKey): Promise<SettlementIgnoreRule[]> {
  return prisma.settlementIgnoreRule.findMany({
    where: { merchantId, endedAt: null, OR: [{ accountId: null }, { accountId }] },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: RULES_MAX,
  });
}

/** The first rule that covers a discrepancy; null without one. */
export function findRule(rules: readonly SettlementIgnoreRule[], found: FoundDiscrepancy): SettlementIgnoreRule | null {
  const amount = amountInQuestion(found);
  const covers = ({ kind, lineKind, amountMax }: SettlementIgnoreRule) =>
    kind === found.kind &&
    (lineKind === null || lineKind === found.lineKind) &&
    compareDecimals(amount, amountMax.toFixed()) <= 0;
  return rules.find(covers) ?? null;
}
