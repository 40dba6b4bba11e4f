import { hash } from 'node:crypto';
import { z } from 'zod';

/** Settings sent to the gateway; it answers each message with its calls so far. */
export const gatewaySettingsSchema = z.object({
  latencyMs: z.number().min(0).optional(),
  /** True if customers have paid. */
  paid: z.boolean().optional(),
  /** Starts counting anew. */
  reset: z.boolean().default(false),
});
export type GatewaySettings = z.input<typeof gatewaySettingsSchema>;

export const gatewayCallsSchema = z.object({
  opened: z.number(),
  verified: z.number(),
  refused: z.number(),
  /** Merchant's events received. */
  events: z.number(),
  /** Milliseconds on one clock; 0 before the first call. */
  firstAt: z.number(),
  lastAt: z.number(),
});
export type GatewayCalls = z.output<typeof gatewayCallsSchema>;

/** The gateway's own id of the transaction under a reference: the same in its answers and in its webhooks. */
export function transactionId(reference: string): number {
  return Number.parseInt(hash('sha1', reference).slice(0, 12), 16);
}
