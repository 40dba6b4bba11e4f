import { z } from 'zod';
import { type DecisionInputs, PAYMENT_METHODS } from '../types.ts';

const method = z.enum(PAYMENT_METHODS);
const count = z.number().min(0);

const account = z.object({
  accountId: z.string(),
  gateway: z.string(),
  label: z.string(),
  enabled: z.boolean(),
  configured: z.boolean(),
  configurationFault: z
    .object({ kind: z.enum(['credentials', 'settings']), message: z.string(), since: z.string() })
    .exactOptional(),
  currencies: z.array(z.string()),
  methods: z.array(method),
  minAmount: count,
  maxAmount: count.nullable(),
  fees: z
    .object({
      percentBasisPoints: count,
      flat: count,
      flatWaivedBelow: count.nullable(),
      cap: count.nullable(),
      vatBasisPoints: count,
    })
    .nullable(),
});

const health = z.object({
  accountId: z.string(),
  method: method.nullable(),
  state: z.enum(['healthy', 'degraded', 'down', 'probing']),
  why: z.string(),
  since: z.string(),
  succeeded: count,
  faulted: count,
  probePercent: count,
  probeSlot: z.boolean().exactOptional(),
  paid: count,
  unpaid: count,
});

const override = z.object({
  overrideId: z.string(),
  accountId: z.string(),
  method: method.nullable(),
  action: z.enum(['drain', 'disable', 'force']),
  reason: z.string(),
  actor: z.string(),
  expiresAt: z.string().nullable(),
});

/** Reads a decision's inputs back from where they were stored as JSON. */
export const decisionInputsSchema: z.ZodType<DecisionInputs> = z.object({
  policy: z.literal([2, 3]).exactOptional(),
  payment: z.object({
    paymentId: z.string(),
    currency: z.string(),
    amount: count,
    method: method.nullable(),
    customerCountry: z.string().nullable(),
    requestedGateway: z.string().nullable(),
  }),
  accounts: z.array(account),
  health: z.array(health),
  overrides: z.array(override),
  decidedAt: z.string(),
});
