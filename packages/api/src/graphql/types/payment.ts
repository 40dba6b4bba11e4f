import { type DecisionDescription, describeDecision } from '@switchyard/payments/console/decision';
import type { CandidateVerdict } from '@switchyard/payments/console/routing';
import { wholeTimeline } from '@switchyard/payments/timeline';
import { displayStatus } from '@switchyard/reporting/display-status';
import { builder } from '../builder.ts';
import { isAuthorized } from '../viewer.ts';
import { Account, accountOf, Merchant } from './account.ts';
import { Mode, PaymentDisplayStatus, PaymentStatus } from './enums.ts';
import { Attempt, DuplicateCharge, Refund, TimelineEvent, WebhookDelivery } from './payment-parts.ts';

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
const DecisionType = builder.objectRef<DecisionDescription>('RoutingDecision').implement({
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

const PERMISSION = 'payment:read';
const PARTS_MAX = 500;
/** The assumed average length of a list inside a payment, for cost. */
const PARTS_COST = { complexity: { field: 1, multiplier: 4 } };

interface CustomerShape {
  readonly customerEmail: string;
  readonly customerId: string | null;
  readonly customerPhone: string | null;
  readonly customerCountry: string | null;
}

const Customer = builder.objectRef<CustomerShape>('Customer').implement({
  description: 'The customer, as sent by the merchant.',
  fields: (t) => ({
    email: t.exposeString('customerEmail', { description: 'E-mail address.' }),
    id: t.exposeString('customerId', { nullable: true, description: "The merchant's own id of the customer." }),
    phone: t.exposeString('customerPhone', { nullable: true, description: 'Phone number.' }),
    country: t.exposeString('customerCountry', { nullable: true, description: 'ISO 3166-1 alpha-2.' }),
  }),
});

/** The columns that lists of payments show. */
export const LISTED_PAYMENT = {
  merchantId: true,
  id: true,
  mode: true,
  createdAt: true,
  updatedAt: true,
  merchantOrderId: true,
  status: true,
  amount: true,
  currency: true,
  paymentMethod: true,
  paidMethod: true,
  recommendedGateway: true,
} as const;

/**
 * A payment. The columns that lists show, its merchant among them, are always selected, so fields can read them unconditionally.
 */
export const Payment = builder.prismaObject('Payment', {
  description: 'A payment, with its attempts, refunds, decision and timeline.',
  select: LISTED_PAYMENT,
  // Checked for every payment on a page: a plain check costs a fraction of a named scope.
  authScopes: ({ merchantId, mode }, { viewer }) => isAuthorized(viewer, { merchantId, mode, permission: PERMISSION }),
  fields: (t) => ({
    id: t.id({ description: 'Id of the payment: paymentId in the REST API.', resolve: ({ id }) => id }),
    merchant: t.field({
      type: Merchant,
      nullable: true,
      description: 'The merchant it belongs to.',
      resolve: ({ merchantId }, _args, { switchyard }) =>
        switchyard.resources.configuration.merchant(merchantId)?.merchant ?? null,
    }),
    merchantId: t.id({ description: 'Id of the merchant it belongs to.', resolve: ({ merchantId }) => merchantId }),
    mode: t.field({ type: Mode, description: 'Test or live.', resolve: ({ mode }) => mode }),
    merchantOrderId: t.string({
      description: "The merchant's own order reference.",
      resolve: ({ merchantOrderId }) => merchantOrderId,
    }),
    status: t.field({ type: PaymentStatus, description: 'Its state.', resolve: ({ status }) => status }),
    displayStatus: t.field({
      type: PaymentDisplayStatus,
      description: 'Its state as people read it: an expired session is no failure.',
      select: { status: true, refundedAmount: true, reversedAt: true, failureReason: true },
      resolve: displayStatus,
    }),
    amount: t.field({ type: 'Amount', description: 'The amount of the order.', resolve: ({ amount }) => amount }),
    currency: t.string({ description: 'ISO 4217.', resolve: ({ currency }) => currency }),
    paymentMethod: t.string({
      nullable: true,
      description: 'The payment method requested.',
      resolve: ({ paymentMethod }) => paymentMethod,
    }),
    paidMethod: t.string({
      nullable: true,
      description: 'The payment method used.',
      resolve: ({ paidMethod }) => paidMethod,
    }),
    gateway: t.string({
      description: 'The gateway whose checkout the customer has; empty when none was eligible.',
      resolve: ({ recommendedGateway }) => recommendedGateway,
    }),
    gatewayReference: t.exposeString('gatewayReference', { nullable: true, description: 'The reference sent to the gateway.' }),
    customer: t.field({
      type: Customer,
      description: 'The customer.',
      select: { customerEmail: true, customerId: true, customerPhone: true, customerCountry: true },
      resolve: (payment) => payment,
    }),
    metadata: t.expose('metadata', { type: 'JSON', nullable: true, description: 'Metadata sent by the merchant.' }),
    ruleId: t.exposeID('ruleId', { nullable: true, description: 'The rule that matched.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the checkout session expires.' }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was created.', resolve: ({ createdAt }) => createdAt }),
    updatedAt: t.field({ type: 'DateTime', description: 'When it last changed.', resolve: ({ updatedAt }) => updatedAt }),
  }),
});

builder.prismaObjectFields(Payment, (t) => ({
  received: t.field({
    type: 'Decimal',
    nullable: true,
    description: 'The amount received, as reported by the gateway.',
    select: { receivedAmount: true },
    resolve: ({ receivedAmount }) => receivedAmount?.toFixed() ?? null,
  }),
  receivedCurrency: t.exposeString('receivedCurrency', { nullable: true, description: 'ISO 4217.' }),
  fee: t.field({
    type: 'Decimal',
    nullable: true,
    description: "The gateway's fee; null where it reports none.",
    select: { feeAmount: true },
    resolve: ({ feeAmount }) => feeAmount?.toFixed() ?? null,
  }),
  refunded: t.expose('refundedAmount', { type: 'Amount', description: 'The amount refunded so far.' }),
  reversed: t.field({
    type: 'Decimal',
    description: 'What the gateway took back of it, apart from refunds. The status stays.',
    select: { reversedAmount: true },
    resolve: ({ reversedAmount }) => reversedAmount.toFixed(),
  }),
  reversedAt: t.expose('reversedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the gateway last took money back.',
  }),
  reversalCause: t.exposeString('reversalCause', {
    nullable: true,
    description: 'chargeback: a dispute was lost. gateway: the gateway gives no reason. Null while nothing is reversed.',
  }),
  paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true, description: 'When the customer paid.' }),
  failureReason: t.exposeString('failureReason', {
    nullable: true,
    description: 'Why it failed, as a code: session_expired. Null unless FAILED.',
  }),
  late: t.exposeBoolean('late', { description: 'Paid after it had been marked FAILED.' }),
  underReview: t.boolean({
    description: 'Money was received that does not match the order; a staff user has to decide.',
    select: { review: true },
    resolve: ({ review }) => review === 'OPEN',
  }),
  reviewReason: t.exposeString('reviewReason', { nullable: true, description: 'Why it is under review.' }),
}));

builder.prismaObjectFields(Payment, (t) => ({
  decision: t.field({
    type: DecisionType,
    description: 'The routing decision.',
    complexity: 10,
    select: {
      merchantId: true,
      id: true,
      currency: true,
      amount: true,
      paymentMethod: true,
      customerCountry: true,
      packedDecision: true,
      routingMode: true,
      requestedGateway: true,
      ruleId: true,
      ruleSetVersion: true,
    },
    resolve: (payment, _args, { reports }) => describeDecision(reports, payment),
  }),
  attempts: t.relation('attempts', {
    type: Attempt,
    description: 'Attempts, in the order tried.',
    query: { orderBy: { position: 'asc' }, take: PARTS_MAX },
    ...PARTS_COST,
  }),
  account: t.field({
    type: Account,
    nullable: true,
    description: 'The account that was paid, else the one whose checkout the customer was given.',
    select: { accountId: true, accountGateway: true },
    complexity: 2,
    resolve: ({ accountId, accountGateway }, _args, { switchyard }) =>
      accountId === null ? null : accountOf(switchyard, accountId, accountGateway ?? ''),
  }),
  refunds: t.relation('refunds', {
    type: Refund,
    description: 'Refunds, in order.',
    query: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: PARTS_MAX },
    ...PARTS_COST,
  }),
}));

builder.prismaObjectFields(Payment, (t) => ({
  timeline: t.loadableList({
    type: TimelineEvent,
    description: 'Events, in order.',
    ...PARTS_COST,
    load: async (keys: string[], { reports }) => {
      const { prisma } = reports;
      const where = byPayment(keys);
      const take = keys.length * PARTS_MAX;
      const [payments, attempts, events] = await Promise.all([
        prisma.payment.findMany({
          where: { OR: where.OR.map(({ merchantId, paymentId: id }) => ({ merchantId, id })) },
          select: { merchantId: true, id: true, amount: true, currency: true, createdAt: true },
        }),
        prisma.attempt.findMany({ where, omit: { packedCall: true }, take }),
        prisma.timelineEvent.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take }),
      ]);
      return grouped(keys, wholeTimeline(payments, attempts, events));
    },
    resolve: ({ merchantId, id }) => `${merchantId}/${id}`,
  }),
  duplicateCharges: t.loadableList({
    type: DuplicateCharge,
    description: 'Duplicate charges: money received after it had been paid.',
    ...PARTS_COST,
    load: async (keys: string[], { reports }) => {
      const found = await reports.prisma.duplicateCharge.findMany({
        where: byPayment(keys),
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: keys.length * PARTS_MAX,
      });
      return grouped(keys, found);
    },
    resolve: ({ merchantId, id }) => `${merchantId}/${id}`,
  }),
  deliveries: t.loadableList({
    type: WebhookDelivery,
    description: 'Webhook deliveries of its events.',
    ...PARTS_COST,
    load: async (keys: string[], { reports }) => {
      const found = await reports.prisma.webhookDelivery.findMany({
        where: byPayment(keys),
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: keys.length * PARTS_MAX,
      });
      return grouped(keys, found);
    },
    resolve: ({ merchantId, id }) => `${merchantId}/${id}`,
  }),
}));

/** Rows of these payments; each key is `<merchant>/<payment>`, so that a row of another merchant never matches. */
function byPayment(keys: readonly string[]) {
  return {
    OR: keys.map((key) => {
      const [merchantId = '', paymentId = ''] = key.split('/');
      return { merchantId, paymentId };
    }),
  };
}

function grouped<Row extends { readonly merchantId: string; readonly paymentId: string | null }>(
  keys: readonly string[],
  rows: readonly Row[],
): Row[][] {
  const byKey = Map.groupBy(rows, ({ merchantId, paymentId }) => `${merchantId}/${paymentId}`);
  return keys.map((key) => (byKey.get(key) ?? []).slice(0, PARTS_MAX));
}
