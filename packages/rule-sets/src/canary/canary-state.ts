import type { RuleCanary } from '@switchyard/db/client';
import type { CanaryState, CanaryTerms } from '@switchyard/routing/canary';
import { z } from 'zod';

const arm = z.object({ customers: z.int(), paid: z.int() });

const state: z.ZodType<CanaryState> = z.object({
  draft: arm,
  live: arm,
  sum: z.number(),
  squares: z.number(),
  spread: z.number(),
  reach: z.number(),
  promote: z.number(),
  rollBack: z.number(),
});

/** Reads the sums of a canary back from where they were stored as JSON. Throws for another form: nothing else writes them. */
export function readCanaryState(stored: unknown): CanaryState {
  return state.parse(stored);
}

/** The terms that a customer was assigned by, as the mathematics of a canary takes them: the share is the customer's own. */
export function termsOf({ toleratedLoss }: Pick<RuleCanary, 'toleratedLoss'>, percent: number): CanaryTerms {
  return { share: percent / 100, toleratedLoss: toleratedLoss / 10_000 };
}
