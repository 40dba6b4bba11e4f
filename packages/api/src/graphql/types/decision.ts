import type { DecisionDescription } from '@switchyard/payments/console/decision';
import type { CandidateVerdict } from '@switchyard/payments/console/routing';
import { builder } from '../builder.ts';

type Condition = CandidateVerdict['conditions'][number];
type Reason = NonNullable<DecisionDescription['record']>['reasons'][number];

const ConditionType = builder.objectRef<Condition>('CandidateCondition').implement({
  description: 'One eligibility condition of an account.',
  fields: (t) => ({
    condition: t.exposeString('condition', { description: 'configured, enabled, currency, method, amount, operator or health.' }),
    outcome: t.exposeString('outcome', { description: 'holds, attention (eligible, but ranked lower) or fails.' }),
    detail: t.exposeString('detail', { description: 'What was compared.' }),
  }),
});

const CandidateType = builder.objectRef<CandidateVerdict>('RoutingCandidate').implement({
  description: 'A gateway account considered by the decision.',
  fields: (t) => ({
    accountId: t.exposeID('accountId', { description: 'The account: subproviderId in the REST API.' }),
    gateway: t.exposeString('gateway', { description: 'The gateway, by name.' }),
    label: t.exposeString('label', { nullable: true, description: "The account's label at the time." }),
    recommended: t.exposeBoolean('recommended', { description: 'Ranked first.' }),
    eligible: t.exposeBoolean('eligible', {
      description: 'Eligible and part of the plan; ranked last when unhealthy.',
    }),
    ineligibleReason: t.exposeString('ineligibleReason', {
      nullable: true,
      description: 'Reason code of its ineligibility. Poor health never excludes an account.',
    }),
    conditions: t.field({
      type: [ConditionType],
      description: 'Its eligibility conditions.',
      resolve: ({ conditions }) => [...conditions],
    }),
  }),
});

const ReasonType = builder.objectRef<Reason>('RoutingReason').implement({
  description: 'A reason for a routing decision.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Reason code.' }),
    title: t.exposeString('title', { description: 'A short title.' }),
    message: t.exposeString('message', { description: 'One sentence.' }),
    category: t.exposeString('category', { description: 'rule, health, override, capability or fallback.' }),
    severity: t.exposeString('severity', { description: 'info, warning or critical.' }),
  }),
});

/** The routing decision of a payment in the schema's shape. */
export const DecisionType = builder.objectRef<DecisionDescription>('RoutingDecision').implement({
  description: 'Why a payment was routed as it was.',
  fields: (t) => ({
    rationale: t.string({ nullable: true, description: 'One sentence.', resolve: ({ record }) => record?.rationale ?? null }),
    rationaleCode: t.string({
      nullable: true,
      description: 'Reason code.',
      resolve: ({ record }) => record?.rationaleCode ?? null,
    }),
    contextKey: t.string({
      nullable: true,
      description: 'Currency, method and amount band: NGN|CARD|0-5000.',
      resolve: ({ record }) => record?.contextKey ?? null,
    }),
    routingMode: t.exposeString('routingMode', { description: 'smart, or requested when the merchant requested a gateway.' }),
    requestedGateway: t.exposeString('requestedGateway', {
      nullable: true,
      description: 'The gateway requested by the merchant.',
    }),
    ruleId: t.exposeID('ruleId', { nullable: true, description: 'The rule that matched.' }),
    ruleSetVersion: t.exposeInt('ruleSetVersion', { description: 'Version of the rules at the time; 0 when there were none.' }),
    candidates: t.field({
      type: [CandidateType],
      description: 'All candidates: the plan in the order tried, then the ineligible ones.',
      resolve: ({ candidates }) => [...candidates],
    }),
    reasons: t.field({
      type: [ReasonType],
      description: 'Reasons for the decision, in order.',
      resolve: ({ record }) => [...(record?.reasons ?? [])],
    }),
  }),
});
