import { PAYMENT_METHODS } from '@switchyard/routing';
import { z } from 'zod';

const method = z.enum(PAYMENT_METHODS).nullable();

/** Facts of an account that is degraded or down. */
export const gatewayFacts = z.object({
  of: z.literal('gateway'),
  gateway: z.string(),
  label: z.string(),
  accountId: z.string(),
  /** Present health of the account, the worst of its methods first. `why` are facts of `describeHealthReason`. */
  methods: z.array(z.object({ method, state: z.enum(['degraded', 'down', 'probing']), why: z.unknown() })),
});

/** A gateway account that is part of a correlated outage. */
const member = z.object({
  merchantId: z.string(),
  accountId: z.string(),
  gateway: z.string(),
  label: z.string(),
  state: z.enum(['degraded', 'down']),
  since: z.iso.datetime(),
  /** True if it had recovered when the incident was last seen. */
  recovered: z.boolean(),
});

/** Facts of an outage that several accounts have in common. */
export const outageFacts = z.object({ of: z.literal('outage'), methods: z.array(method), members: z.array(member) });

/** See {@link gatewayFacts}. */
export type GatewayFacts = z.output<typeof gatewayFacts>;

/** See {@link outageFacts}. */
export type OutageFacts = z.output<typeof outageFacts>;

/** The name that an account had in the facts of an incident as they were stored; undefined where they do not name it. */
export function accountIn(stored: unknown, accountId: string): { readonly gateway: string; readonly label: string } | undefined {
  const { data: facts } = z.discriminatedUnion('of', [gatewayFacts, outageFacts]).safeParse(stored);
  return facts?.of === 'outage' ? facts.members.find((one) => one.accountId === accountId) : facts;
}
