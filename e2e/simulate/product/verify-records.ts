import type { Database } from '@switchyard/db';
import { verifyDecisions } from '@switchyard/payments/console/routing';
import { findWrongRollups } from '@switchyard/reporting/rollups';
import { readDecision } from '@switchyard/rule-sets/read-inputs';
import { openResources } from '@switchyard/runtime/resources';
import { reportChains } from '@switchyard/staff/audit-log';
import { z } from 'zod';

const routingSchema = z.object({ candidates: z.array(z.object({ eligible: z.boolean(), subproviderId: z.string() })) });

/** Findings of the product's own tools about its records. */
export interface VerifiedRecords {
  /** Decisions that do not come out again from what was stored with them, a sentence each. */
  readonly decisions: readonly string[];
  /** Payments whose attempts were not made in the order of their decision, a sentence each. */
  readonly otherPlans: readonly string[];
  /** Chains of the audit log that are broken. */
  readonly chains: readonly string[];
  /** Roll-ups that differ from their payments or attempts. */
  readonly wrongRollups: Awaited<ReturnType<typeof findWrongRollups>>;
}

/**
 * Computes decisions again from their stored inputs and rules, verifies the audit log, and adds up payments, from the database alone.
 * Bundled from sources without edits: a bug that is put into the product cannot be in what looks for it.
 */
export async function verifyRecords(
  environment: { readonly DATABASE_URL: string; readonly [name: string]: string },
  paymentCount: number,
): Promise<VerifiedRecords> {
  const resources = openResources(environment, () => undefined);
  const { checkedCount, failed } = await verifyDecisions(resources.database, { merchantIds: null, size: null, random: () => 0 });
  const decisions = failed.map(({ paymentId, differences }) => `payment ${paymentId}: ${differences.join(' ')}`);
  if (checkedCount !== paymentCount) decisions.push(`${checkedCount} of ${paymentCount} payments have a decision`);
  const otherPlans = await findOtherPlans(resources.database.prisma);
  const said: string[] = [];
  const output = { say: (line: string) => void said.push(line), printHead: () => undefined };
  const isIntact = await reportChains(resources, { tenantId: null, kept: [] }, output);
  await resources.close();
  const wrongRollups = await findWrongRollups(environment.DATABASE_URL);
  return { decisions, otherPlans, wrongRollups, chains: isIntact ? [] : said.filter((line) => line.startsWith('BROKEN')) };
}

/** Accounts are tried in the order of the decision, each once, and none before the last that was tried is left out. */
async function findOtherPlans(prisma: Database['prisma']): Promise<string[]> {
  const payments = await prisma.payment.findMany({
    select: {
      id: true,
      packedDecision: true,
      attempts: { select: { accountId: true }, orderBy: { position: 'asc' } },
    },
  });
  return payments.flatMap(({ id, packedDecision, attempts }) => {
    const { candidates } = routingSchema.parse(readDecision({ packedDecision }).routing);
    const planned = candidates.filter(({ eligible }) => eligible).map(({ subproviderId }) => subproviderId);
    const tried = attempts.map(({ accountId }) => accountId);
    if (tried.every((accountId, at) => accountId === planned[at])) return [];
    return [`payment ${id}: accounts ${tried.join(', ')} were tried, and the decision has ${planned.join(', ') || 'none'}`];
  });
}
