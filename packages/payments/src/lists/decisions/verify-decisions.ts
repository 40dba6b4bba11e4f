import type { Database } from '@switchyard/db';
import { type CompiledRuleSet, compileRuleSet } from '@switchyard/routing/decide';
import { recompute } from '@switchyard/routing/recompute';
import { findDecisions, listPaymentIds, type StoredPaymentDecision } from '../../record/decisions/queries.ts';
import { readStoredDecision } from '../../record/decisions/stored-decision.ts';
import { differencesFromStored, findRuleSet } from './decide-again.ts';

const PAGE = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Decisions that are named, of those that do not come out the same. */
const NAMED_MAX = 20;

/** Payments whose decisions are recomputed. */
export interface DecisionSample {
  /** Of these merchants; of all when null. */
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
