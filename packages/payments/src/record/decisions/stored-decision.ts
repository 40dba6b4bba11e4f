import type { Database } from '@switchyard/db';
import type { Decision, RoutingRecord } from '@switchyard/routing';
import { readStoredInputs } from '@switchyard/rule-sets/read-inputs';
import { z } from 'zod';
import type { StoredPaymentDecision } from './queries.ts';

const chosen = z.object({ index: z.int(), provider: z.string(), subproviderId: z.string() });

const recordSchema: z.ZodType<RoutingRecord> = z.object({
  version: z.literal(1),
  decidedAt: z.string(),
  rationale: z.string(),
  rationaleCode: z.enum(['smart_routing_rule', 'default_provider_order', 'requested_gateway', 'no_eligible_provider']),
  contextKey: z.string(),
  overrides: z.array(
    z.object({
      provider: z.string(),
      subproviderId: z.string(),
      action: z.enum(['drain', 'disable', 'force']),
      reason: z.string(),
      actor: z.string(),
      expiresAt: z.string().nullable(),
    }),
  ),
  reasons: z.array(
    z.object({
      code: z.string(),
      title: z.string(),
      message: z.string(),
      category: z.enum(['rule', 'health', 'override', 'capability', 'fallback']),
      severity: z.enum(['info', 'warning', 'critical']),
    }),
  ),
  candidates: z.array(
    z.object({
      ...chosen.shape,
      eligible: z.boolean(),
      ineligibleReason: z
        .enum([
          'disabled_by_operator',
          'disabled',
          'method_not_supported',
          'currency_not_supported',
          'amount_out_of_range',
          'not_configured',
        ])
        .nullable(),
    }),
  ),
  recommended: chosen.nullable(),
});

/** Added later for each gateway that failed: not part of the decision itself. */
const ADDED_LATER = /^gateway_failed_/;

/**
 * The original decision, from a payment's row and the accounts that it names, without the later additions of fallbacks. Null where the
 * format is unknown to this version.
 */
export async function readStoredDecision(
  source: Pick<Database, 'prisma'>,
  stored: StoredPaymentDecision,
): Promise<Decision | null> {
  const record = recordSchema.safeParse(stored.routing);
  const inputs = await readStoredInputs(source, stored);
  if (!record.success || inputs === null) return null;
  const reasons = record.data.reasons.filter(({ code }) => !ADDED_LATER.test(code));
  // Eligible candidates come first, in the order in which they were to be tried.
  const eligible = record.data.candidates.filter((candidate) => candidate.eligible);
  return {
    record: { ...record.data, reasons },
    plan: eligible.map(({ subproviderId, provider }) => ({ accountId: subproviderId, gateway: provider })),
    routingMode: stored.routingMode === 'requested' ? 'requested' : 'smart',
    smartRoutingBypassed: stored.smartRoutingBypassed,
    ruleId: stored.ruleId,
    ruleSetVersion: stored.ruleSetVersion,
    inputs,
  };
}
