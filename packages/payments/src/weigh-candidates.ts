import {
  type DecisionInputs,
  formatAmount,
  type IneligibleReason,
  type RoutableAccount,
  type RoutingRecord,
} from '@switchyard/routing';

/** The conditions an account has to meet, in the order in which they are looked at. */
export const CANDIDATE_CONDITIONS = ['configured', 'enabled', 'currency', 'method', 'amount', 'operator', 'health'] as const;
export type CandidateCondition = (typeof CANDIDATE_CONDITIONS)[number];

/** One account as the decision saw it, condition by condition. */
export interface CandidateVerdict {
  readonly accountId: string;
  readonly gateway: string;
  /** What the merchant called the account then; null when that was not kept. */
  readonly label: string | null;
  readonly recommended: boolean;
  readonly eligible: boolean;
  readonly ineligibleReason: IneligibleReason | null;
  /** Empty when the decision's inputs were not kept. */
  readonly conditions: readonly ConditionOutcome[];
}

export interface ConditionOutcome {
  readonly condition: CandidateCondition;
  /** `attention`: holds, but moved the account, or was one to watch. */
  readonly outcome: 'holds' | 'attention' | 'fails';
  /** What was compared, in a few words. */
  readonly detail: string;
}

/** The accounts of a decision against each condition, from what the decision was taken from. What the record says of eligibility stands. */
export function weighCandidates(record: RoutingRecord, inputs: DecisionInputs | null): CandidateVerdict[] {
  return record.candidates.map((candidate) => {
    const account = inputs?.accounts.find(({ accountId }) => accountId === candidate.subproviderId);
    return {
      accountId: candidate.subproviderId,
      gateway: candidate.provider,
      label: account?.label ?? null,
      recommended: record.recommended?.index === candidate.index,
      eligible: candidate.eligible,
      ineligibleReason: candidate.ineligibleReason,
      conditions: account && inputs ? weigh(account, inputs, candidate.ineligibleReason) : [],
    };
  });
}

function weigh(account: RoutableAccount, inputs: DecisionInputs, reason: IneligibleReason | null): ConditionOutcome[] {
  const { payment } = inputs;
  const { currency, method, amount } = payment;
  const outcome = (condition: CandidateCondition, holds: boolean, detail: string): ConditionOutcome => ({
    condition,
    outcome: holds ? 'holds' : 'fails',
    detail,
  });
  return [
    outcome('configured', account.configured, describeConfiguration(account)),
    outcome('enabled', account.enabled, account.enabled ? 'Switched on' : 'Switched off'),
    outcome('currency', account.currencies.includes(currency), `Takes ${account.currencies.join(', ')}`),
    outcome(
      'method',
      method === null || account.methods.includes(method),
      method === null ? 'No method given' : `Takes ${account.methods.join(', ')}`,
    ),
    outcome('amount', isWithin(account, amount), describeLimits(account, currency)),
    weighOverrides(account, inputs),
    weighHealth(account, inputs, reason),
  ];
}

function describeConfiguration({ configured, configurationFault: fault }: RoutableAccount): string {
  if (fault !== undefined) return `The gateway refused its ${fault.kind}`;
  return configured ? 'Credentials present' : 'No usable credentials';
}

function isWithin(account: RoutableAccount, amount: number): boolean {
  return account.minAmount <= amount && amount <= (account.maxAmount ?? Number.POSITIVE_INFINITY);
}

function describeLimits(account: RoutableAccount, currency: string): string {
  const from = formatAmount(currency, account.minAmount);
  return account.maxAmount === null ? `From ${from}` : `${from} to ${formatAmount(currency, account.maxAmount)}`;
}

function weighOverrides(account: RoutableAccount, { overrides, payment, decidedAt }: DecisionInputs): ConditionOutcome {
  const own = overrides.filter(
    ({ accountId, method, expiresAt }) =>
      accountId === account.accountId &&
      (method === null || method === payment.method) &&
      (expiresAt === null || !(Date.parse(expiresAt) <= Date.parse(decidedAt))),
  );
  const first = own.find(({ action }) => action !== 'force') ?? own[0];
  if (first === undefined) return { condition: 'operator', outcome: 'holds', detail: 'No override' };
  const outcome = first.action === 'force' ? 'attention' : 'fails';
  return { condition: 'operator', outcome, detail: `${first.actor}: ${first.action}, ${first.reason}` };
}

function weighHealth(
  account: RoutableAccount,
  { health, payment }: DecisionInputs,
  reason: IneligibleReason | null,
): ConditionOutcome {
  const own = health.filter(({ accountId }) => accountId === account.accountId);
  const known = own.find(({ method }) => method === payment.method) ?? own.find(({ method }) => method === null);
  if (known === undefined) return { condition: 'health', outcome: 'holds', detail: 'Nothing against it' };
  const outcome = reason === 'unhealthy' || known.state === 'down' ? 'fails' : known.state === 'healthy' ? 'holds' : 'attention';
  return { condition: 'health', outcome, detail: known.why === '' ? known.state : known.why };
}
