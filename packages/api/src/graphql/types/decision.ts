import type { CandidateVerdict, DecisionDescription } from '@switchyard/payments/console';
import { builder } from '../builder.ts';

type Condition = CandidateVerdict['conditions'][number];
type Reason = NonNullable<DecisionDescription['record']>['reasons'][number];

const ConditionType = builder.objectRef<Condition>('CandidateCondition').implement({
  description: 'One condition an account had to meet.',
  fields: (t) => ({
    condition: t.exposeString('condition', { description: 'configured, enabled, currency, method, amount, operator or health.' }),
    outcome: t.exposeString('outcome', { description: 'holds, attention (it can take the payment, but was moved) or fails.' }),
    detail: t.exposeString('detail', { description: 'What was compared.' }),
  }),
});

const CandidateType = builder.objectRef<CandidateVerdict>('RoutingCandidate').implement({
  description: 'An account the decision looked at.',
  fields: (t) => ({
    accountId: t.exposeID('accountId', { description: 'The account: subproviderId in the REST API.' }),
    gateway: t.exposeString('gateway', { description: 'The gateway, by name.' }),
    label: t.exposeString('label', { nullable: true, description: 'What the merchant called the account then.' }),
    recommended: t.exposeBoolean('recommended', { description: 'It was to be tried first.' }),
    eligible: t.exposeBoolean('eligible', {
      description: 'It could take the payment, and was in the plan; last when it was not healthy.',
    }),
    ineligibleReason: t.exposeString('ineligibleReason', {
      nullable: true,
      description:
        'Why it could not, as a code. In decisions taken now, poor health is none: unhealthy stands in earlier ones only.',
    }),
    conditions: t.field({
      type: [ConditionType],
      description: 'Condition by condition.',
      resolve: ({ conditions }) => [...conditions],
    }),
  }),
});

const ReasonType = builder.objectRef<Reason>('RoutingReason').implement({
  description: 'Something that shaped the decision.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'The reason, as a code.' }),
    title: t.exposeString('title', { description: 'In a few words.' }),
    message: t.exposeString('message', { description: 'In one sentence.' }),
    category: t.exposeString('category', { description: 'rule, health, override, capability or fallback.' }),
    severity: t.exposeString('severity', { description: 'info, warning or critical.' }),
  }),
});

/** The routing decision of a payment in the schema's shape. */
export const DecisionType = builder.objectRef<DecisionDescription>('RoutingDecision').implement({
  description: 'Why a payment was routed as it was.',
  fields: (t) => ({
    rationale: t.string({ nullable: true, description: 'In one sentence.', resolve: ({ record }) => record?.rationale ?? null }),
    rationaleCode: t.string({
      nullable: true,
      description: 'As a code.',
      resolve: ({ record }) => record?.rationaleCode ?? null,
    }),
    contextKey: t.string({
      nullable: true,
      description: 'NGN|CARD|0-5000.',
      resolve: ({ record }) => record?.contextKey ?? null,
    }),
    routingMode: t.exposeString('routingMode', { description: 'smart, or requested when the merchant named the gateway.' }),
    requestedGateway: t.exposeString('requestedGateway', { nullable: true, description: 'The gateway the merchant named.' }),
    ruleId: t.exposeID('ruleId', { nullable: true, description: 'The rule that matched.' }),
    ruleSetVersion: t.exposeInt('ruleSetVersion', { description: 'Version of the rules at the time; 0 when there were none.' }),
    candidates: t.field({
      type: [CandidateType],
      description: 'Every account looked at: those of the plan in the order in which they are tried, then the others.',
      resolve: ({ candidates }) => [...candidates],
    }),
    reasons: t.field({
      type: [ReasonType],
      description: 'What shaped the decision, in order.',
      resolve: ({ record }) => [...(record?.reasons ?? [])],
    }),
  }),
});
