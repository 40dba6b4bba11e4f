import { explainRouting } from '@switchyard/payments/console/routing';
import { openPayments } from '@switchyard/payments/context';
import { findWrongRollups } from '@switchyard/reporting/rollups';
import { openResources } from '@switchyard/runtime/resources';
import { reportChains } from '@switchyard/staff/audit-log';

/** Findings of the product's own tools about its records. */
export interface VerifiedRecords {
  /** Decisions that do not come out again from what was stored with them, a sentence each. */
  readonly decisions: readonly string[];
  /** Chains of the audit log that are broken. */
  readonly chains: readonly string[];
  /** Roll-ups that differ from their payments or attempts. */
  readonly wrongRollups: Awaited<ReturnType<typeof findWrongRollups>>;
}

/**
 * Computes decisions again from their stored inputs and rules, verifies the audit log, and adds up payments, as people do in the dashboard
 * and at the command line.
 */
export async function verifyRecords(
  environment: { readonly DATABASE_URL: string; readonly [name: string]: string },
  of: { readonly merchantIds: readonly string[]; readonly paymentIds: readonly string[] },
): Promise<VerifiedRecords> {
  const resources = openResources(environment, () => undefined);
  const payments = openPayments(resources, { healthTickMs: null });
  const decisions: string[] = [];
  for (const paymentId of of.paymentIds) {
    const explained = await explainRouting(payments, { merchantIds: of.merchantIds, paymentId });
    if (explained === null) decisions.push(`payment ${paymentId} has no decision`);
    else if (explained.recomputed.kind !== 'same') {
      decisions.push(`payment ${paymentId}: ${explained.recomputed.message} ${explained.recomputed.differences.join(' ')}`);
    }
  }
  const said: string[] = [];
  const output = { say: (line: string) => void said.push(line), printHead: () => undefined };
  const isIntact = await reportChains(resources, { tenantId: null, kept: [] }, output);
  payments.close();
  await resources.close();
  const wrongRollups = await findWrongRollups(environment.DATABASE_URL);
  return { decisions, wrongRollups, chains: isIntact ? [] : said.filter((line) => line.startsWith('BROKEN')) };
}
