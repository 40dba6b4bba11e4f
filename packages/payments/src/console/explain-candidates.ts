import type { Clock, DecisionInputs, IneligibleReason, RoutingRecord } from '@switchyard/routing';
import { type EligibilityVerdict, explainEligibility } from '@switchyard/routing/recompute';

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
