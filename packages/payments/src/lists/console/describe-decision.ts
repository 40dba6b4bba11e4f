import type { Database } from '@switchyard/db';
import type { Payment } from '@switchyard/db/client';
import { type Clock, type DecisionInputs, type IneligibleReason, type RoutingRecord, UTC_CLOCK } from '@switchyard/routing';
import { type EligibilityVerdict, explainEligibility } from '@switchyard/routing/recompute';
import { readDecision, readStoredInputs } from '@switchyard/rule-sets/read-inputs';
import { z } from 'zod';
import { type RoutableColumns, toRoutablePayment } from '../../record/decisions/stored-decision.ts';

/** A decision's fields in the payment's row. */
export type StoredRouting = Pick<
  Payment,
  'merchantId' | 'packedDecision' | 'routingMode' | 'ruleId' | 'ruleSetVersion' | keyof RoutableColumns
>;

/** A stored routing decision with every candidate's eligibility at the time. */
export interface DecisionDescription {
  /** The documented `routing` record; null when its format is unknown to this version. */
  readonly record: RoutingRecord | null;
  readonly routingMode: string;
  readonly requestedGateway: string | null;
  readonly ruleId: string | null;
  readonly ruleSetVersion: number;
  readonly candidates: readonly CandidateVerdict[];
}

/** The record is our own and of one version; only its shape is checked. */
const recordSchema = z.custom<RoutingRecord>(
  (value) =>
    z.object({ version: z.literal(1), reasons: z.array(z.unknown()), candidates: z.array(z.unknown()) }).safeParse(value).success,
);

/** A payment's decision from what is stored of it. */
export async function describeDecision(
  source: Pick<Database, 'prisma'>,
  row: StoredRouting,
  clock: Clock = UTC_CLOCK,
): Promise<DecisionDescription> {
  const { routing, inputs } = readDecision(row);
  const record = recordSchema.nullable().catch(null).parse(routing);
  const { merchantId } = row;
  const read = await readStoredInputs(source, { merchantId, inputs, payment: toRoutablePayment(row) });
  return {
    record,
    routingMode: row.routingMode,
    requestedGateway: row.requestedGateway,
    ruleId: row.ruleId,
    ruleSetVersion: row.ruleSetVersion,
    candidates: record === null ? [] : explainCandidates(record, read, clock),
  };
}

/** One account as the decision saw it, condition by condition. */
export interface CandidateVerdict {
  readonly accountId: string;
  readonly gateway: string;
  /** The label of the account at that time; null when it was not stored. */
  readonly label: string | null;
  readonly recommended: boolean;
  readonly eligible: boolean;
  readonly ineligibleReason: IneligibleReason | null;
  /** Empty when the decision's inputs were not stored. */
  readonly conditions: readonly EligibilityVerdict[];
}

/**
 * The accounts of a decision against each condition, from its stored inputs, with times as `clock` writes them. The recorded
 * eligibility is not changed.
 */
export function explainCandidates(record: RoutingRecord, inputs: DecisionInputs | null, clock: Clock): CandidateVerdict[] {
  return record.candidates.map((candidate) => {
    const account = inputs?.accounts.find(({ accountId }) => accountId === candidate.subproviderId);
    return {
      accountId: candidate.subproviderId,
      gateway: candidate.provider,
      label: account?.label ?? null,
      recommended: record.recommended?.index === candidate.index,
      eligible: candidate.eligible,
      ineligibleReason: candidate.ineligibleReason,
      conditions: account && inputs ? explainEligibility(account, inputs, clock) : [],
    };
  });
}
