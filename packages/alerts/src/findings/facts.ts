import { PAYMENT_METHODS } from '@switchyard/routing';
import { z } from 'zod';

const instant = z.iso.datetime();
const count = z.int().min(0);
const method = z.enum(PAYMENT_METHODS).nullable();

const amounts = z.array(z.object({ currency: z.string(), amount: z.string(), count }));

/** A gateway account that is part of a correlated outage. */
const member = z.object({
  merchantId: z.string(),
  accountId: z.string(),
  gateway: z.string(),
  label: z.string(),
  state: z.enum(['degraded', 'down']),
  since: instant,
  /** True if it had recovered when the incident was last seen. */
  recovered: z.boolean(),
});

/**
 * The facts of an incident, by kind: codes, figures, instants in ISO 8601. Never data of customers. Names are those of accounts, keys
 * and staff users.
 */
export const incidentFacts = z.discriminatedUnion('of', [
  z.object({
    of: z.literal('gateway'),
    gateway: z.string(),
    label: z.string(),
    accountId: z.string(),
    /** Present health of the account, the worst of its methods first. `why` are facts of `describeHealthReason`. */
    methods: z.array(z.object({ method, state: z.enum(['degraded', 'down', 'probing']), why: z.unknown() })),
  }),
  z.object({ of: z.literal('outage'), methods: z.array(method), members: z.array(member) }),
  z.object({ of: z.literal('money'), count, amounts, oldestAt: instant }),
  /** A dispute to answer. `dueAt` is null where neither the gateway nor a rule names a date. */
  z.object({
    of: z.literal('dispute'),
    disputeId: z.string(),
    gateway: z.string(),
    /** False of a payment that another software took at the account. */
    inLedger: z.boolean().default(true),
    amount: z.string(),
    currency: z.string(),
    dueAt: instant.nullable(),
  }),
  /** A payment that repeats an earlier one of the same customer and amount; both are paid. */
  z.object({
    of: z.literal('repeat'),
    paymentId: z.string(),
    merchantOrderId: z.string(),
    repeatsOrderId: z.string(),
    amount: z.string(),
    currency: z.string(),
  }),
  /** Amounts of paid payments that gateways took back in the last seven days. */
  z.object({ of: z.literal('reversals'), count, amounts, oldestAt: instant }),
  z.object({ of: z.literal('discrepancies'), count, kinds: z.array(z.object({ kind: z.string(), count })), oldestAt: instant }),
  /** Of the address only its host: a path may hold a secret. */
  z.object({ of: z.literal('endpoint'), endpointId: z.string(), host: z.string(), reason: z.enum(['gone', 'failing']) }),
  z.object({ of: z.literal('backlog'), what: z.enum(['payments', 'jobs', 'deliveries']), count, oldestAt: instant }),
  z.object({
    of: z.literal('key'),
    name: z.string(),
    lastFour: z.string(),
    expiresAt: instant,
    lastUsedAt: instant.nullable(),
    replaced: z.boolean(),
  }),
  z.object({
    of: z.literal('credentials'),
    gateway: z.string(),
    label: z.string(),
    accountId: z.string(),
    sentence: z.string(),
  }),
  z.object({ of: z.literal('certificate'), endpointId: z.string(), host: z.string(), expiresAt: instant }),
  z.object({
    of: z.literal('sign_in'),
    name: z.string(),
    address: z.string(),
    with: z.string(),
    at: instant,
  }),
  /** A scheduled report; `error` is the code of its last failure. */
  z.object({ of: z.literal('report'), scheduleId: z.string(), name: z.string(), error: z.string() }),
  /** Facts that this version cannot read. */
  z.object({ of: z.literal('unknown') }),
]);

/** Facts of an incident; see {@link incidentFacts}. */
export type IncidentFacts = z.output<typeof incidentFacts>;

/** Facts of a person's own work. They are never stored. */
export type TaskFacts =
  /** The attempts of the last 24 hours. Of the address only its host: a path may hold a secret. */
  | {
      readonly of: 'failing_endpoint';
      readonly endpointId: string;
      readonly host: string;
      readonly attempts: number;
      readonly failed: number;
      readonly waiting: number;
    }
  | { readonly of: 'no_second_person' }
  /** A requester is null where the staff user was deleted. */
  | { readonly of: 'approval'; readonly name: string | null; readonly requesterName: string | null }
  | { readonly of: 'approval_waiver'; readonly requesterName: string | null }
  | { readonly of: 'review_waiver'; readonly requesterName: string | null }
  /** Whole main units; null for never. */
  | {
      readonly of: 'refund_control_waiver';
      readonly merchantId: string;
      readonly requesterName: string | null;
      readonly above: number;
      readonly wanted: number | null;
    }
  | {
      readonly of: 'refund_approval';
      readonly count: number;
      readonly amounts: readonly { readonly currency: string; readonly amount: string; readonly count: number }[];
      readonly oldestAt: string;
    }
  | {
      readonly of: 'draft';
      readonly draftId: string;
      readonly name: string | null;
      /** The state of its approval, or that its publication was refused at the scheduled time. */
      readonly state: 'none' | 'requested' | 'approved' | 'rejected' | 'schedule_refused';
    };

/** Facts of a finding. */
export type FindingFacts = IncidentFacts | TaskFacts;

/** Facts of one kind. */
export type FactsOf<Of extends FindingFacts['of']> = Extract<FindingFacts, { of: Of }>;

/** Facts as they were stored; `unknown` where another version wrote them. */
export function readFacts(stored: unknown): IncidentFacts {
  const parsed = incidentFacts.safeParse(stored);
  return parsed.success ? parsed.data : { of: 'unknown' };
}
