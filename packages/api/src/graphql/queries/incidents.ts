import { type HealthIncident, listHealthIncidents } from '@switchyard/alerts/incidents/health';
import { readStory, type StoryEvent } from '@switchyard/alerts/incidents/story';
import { isUuid } from '@switchyard/db';
import { type CurrencyImpact, IMPACT_OUTCOMES, type ImpactSum, measureImpact } from '@switchyard/payments/incident-impact';
import { builder, type GraphqlContext } from '../builder.ts';
import { requestedMerchants, toId, uuids } from '../inputs.ts';
import { Account, accountOf } from '../types/account.ts';
import { Mode } from '../types/enums.ts';

const PERMISSION = 'alert:read';
const LIST_COST = { field: 10, multiplier: 10 };

const Kind = builder.enumType('IncidentKind', {
  description: 'What an incident is about.',
  values: {
    GATEWAY_DEGRADED: {
      value: 'gateway_degraded',
      description: 'A gateway account was slow, or failed a part of its checkouts.',
    },
    GATEWAY_DOWN: { value: 'gateway_down', description: 'A gateway account opened no checkouts.' },
    CORRELATED_OUTAGE: { value: 'correlated_outage', description: 'Several gateway accounts failed with one cause.' },
  },
});

const Severity = builder.enumType('IncidentSeverity', {
  description: 'How severe an incident is.',
  values: {
    INFO: { value: 'info', description: 'Information.' },
    WARNING: { value: 'warning', description: 'Warning.' },
    CRITICAL: { value: 'critical', description: 'Critical.' },
  },
});

const Affected = builder.objectRef<HealthIncident['accounts'][number]>('IncidentAccount').implement({
  description: 'A gateway account that an incident is about.',
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: PERMISSION } }),
  fields: (t) => ({
    merchantId: t.exposeID('merchantId', { description: 'The merchant of the account.' }),
    account: t.field({
      type: Account,
      description: 'The account.',
      resolve: ({ accountId }, _args, { switchyard }) => {
        return accountOf(switchyard, accountId, switchyard.resources.configuration.account(accountId)?.account.gateway ?? '');
      },
    }),
    metFrom: t.expose('metFrom', { type: 'DateTime', description: 'Since when payments met its fault.' }),
    metUntil: t.expose('metUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when, exclusive; null while the incident is open.',
    }),
  }),
});

const Sum = builder.objectRef<ImpactSum>('IncidentImpactSum').implement({
  description: 'Payments counted and added up.',
  fields: (t) => ({
    payments: t.exposeInt('payments', { description: 'The number of payments.' }),
    amount: t.expose('amount', { type: 'Amount', description: 'Their amounts together.' }),
  }),
});

const Outcome = builder.enumType('IncidentOutcome', {
  description: 'What became of a payment that met the fault of an incident.',
  values: {
    RECOVERED: { value: 'recovered', description: 'Paid at another account.' },
    SAME_ACCOUNT: { value: 'same_account', description: 'Paid at an account that had failed.' },
    RETRIED: {
      value: 'retried',
      description: 'Not paid; the same customer paid the same amount with another payment within a day.',
    },
    OPEN: { value: 'open', description: 'Not paid, and can still be.' },
    LOST: { value: 'lost', description: 'None of these.' },
  },
});

const OutcomeSum = builder
  .objectRef<{ readonly outcome: (typeof IMPACT_OUTCOMES)[number]; readonly sum: ImpactSum }>('IncidentOutcomeSum')
  .implement({
    description: 'Payments with one outcome.',
    fields: (t) => ({
      outcome: t.expose('outcome', { type: Outcome, description: 'What became of them.' }),
      sum: t.expose('sum', { type: Sum, description: 'How many, of how much.' }),
    }),
  });

const Recovered = builder.objectRef<CurrencyImpact['recoveredBy'][number]>('IncidentRecovery').implement({
  description: 'Payments that a gateway recovered.',
  fields: (t) => ({
    gateway: t.exposeString('gateway', { description: 'The gateway that was paid, by name: flutterwave.' }),
    sum: t.field({ type: Sum, description: 'How many, of how much.', resolve: (recovered) => recovered }),
  }),
});

const Impact = builder.objectRef<CurrencyImpact>('IncidentImpact').implement({
  description: 'What an incident did to payments of one currency, as it is known now.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217 code of its amounts.' }),
    met: t.expose('met', {
      type: Sum,
      description: 'Payments that met the fault; `payments(filter: { affectedByIncident })` lists them.',
    }),
    outcomes: t.field({
      type: [OutcomeSum],
      description: 'What became of them; together all that met the fault.',
      resolve: ({ outcomes }) => IMPACT_OUTCOMES.map((outcome) => ({ outcome, sum: outcomes[outcome] })),
    }),
    recoveredBy: t.expose('recoveredBy', { type: [Recovered], description: 'The recovered ones by gateway.' }),
    lostInCheckout: t.expose('lostInCheckout', {
      type: Sum,
      description: 'Of the lost ones those whose customer had a checkout at another account.',
    }),
    extraFee: t.field({
      type: 'Decimal',
      description: 'What the recovered ones cost more, by contract, than at the account that failed first.',
      resolve: ({ extraFee }) => extraFee.amount,
    }),
    withoutContract: t.field({
      type: 'Int',
      description: 'Recovered payments that it leaves out: an account has no fee contract.',
      resolve: ({ extraFee }) => extraFee.withoutContract,
    }),
    lostWithoutFallbacks: t.expose('lostWithoutFallbacks', {
      type: Sum,
      description: 'What would have been lost without fallbacks: the lost and the recovered.',
    }),
  }),
});

const EventType = builder.enumType('IncidentEventType', {
  description: 'What happened in the course of an incident.',
  values: {
    FIRST_SIGN: { value: 'first_sign', description: 'An account failed to open a checkout for the first time.' },
    HEALTH: { value: 'health', description: 'The health of an account changed.' },
    OPENED: { value: 'opened', description: 'The incident was opened.' },
    NOTIFIED: { value: 'notified', description: 'A message about it was sent, or was not.' },
    ACKNOWLEDGED: { value: 'acknowledged', description: 'A person acknowledged it.' },
    MUTED: { value: 'muted', description: 'A person muted it: no messages until a time.' },
    UNMUTED: { value: 'unmuted', description: 'A person unmuted it.' },
    OVERRIDE_SET: { value: 'override_set', description: 'An override of an account, or of its gateway, began.' },
    OVERRIDE_ENDED: { value: 'override_ended', description: 'Such an override ended.' },
    RULES_PUBLISHED: { value: 'rules_published', description: 'A version of the rules of one of its merchants was published.' },
    RECOVERED: { value: 'recovered', description: 'Its condition was gone.' },
    CLOSED: { value: 'closed', description: 'The incident closed.' },
  },
});

const Event = builder.objectRef<StoryEvent>('IncidentEvent').implement({
  description: 'Something that happened in the course of an incident.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
    type: t.expose('what', { type: EventType, description: 'What happened.' }),
    accountId: t.id({
      nullable: true,
      description: 'The account that it is about.',
      resolve: (event) => ('account' in event ? event.account.accountId : null),
    }),
    method: t.string({
      nullable: true,
      description: 'The method that it is about; null for all.',
      resolve: (event) => ('method' in event ? event.method : null),
    }),
    by: t.string({
      nullable: true,
      description: 'Name of the person who did it; null for the system and for former colleagues.',
      resolve: (event) => ('by' in event ? event.by : null),
    }),
    details: t.field({
      type: 'JSON',
      description:
        'What else is known, by its type: the fault, the state and why, the message and its channels, the override, the version.',
      resolve: detailsOf,
    }),
  }),
});

function detailsOf(event: StoryEvent): object {
  switch (event.what) {
    case 'first_sign':
      return event.fault;
    case 'health':
      return { state: event.state, why: event.why };
    case 'notified':
      return { event: event.event, state: event.state, channels: event.channels, error: event.error };
    case 'muted':
      return { until: event.until };
    case 'override_set':
    case 'override_ended': {
      const { action, reason, isExpired, isPutBack, isOfGateway, expiresAt } = event;
      return { action, reason, isExpired, isPutBack, isOfGateway, expiresAt };
    }
    case 'rules_published':
      return { merchant: event.merchantName, version: event.version };
    case 'closed':
      return { isAbsorbed: event.isAbsorbed };
    case 'opened':
    case 'acknowledged':
    case 'unmuted':
    case 'recovered':
      return {};
    default:
      return event satisfies never;
  }
}

const Incident = builder.objectRef<HealthIncident>('Incident').implement({
  description: 'An incident about the health of gateway accounts.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the incident.' }),
    mode: t.expose('mode', { type: Mode, description: 'Test or live.' }),
    kind: t.field({ type: Kind, description: 'What it is about.', resolve: ({ kind }) => kindOf(kind) }),
    severity: t.expose('severity', { type: Severity, description: 'How severe it is.' }),
    startedAt: t.field({ type: 'DateTime', description: 'When it began.', resolve: ({ since }) => since }),
    openedAt: t.expose('openedAt', { type: 'DateTime', description: 'When it was found.' }),
    acknowledgedAt: t.expose('acknowledgedAt', { type: 'DateTime', nullable: true, description: 'When it was acknowledged.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true, description: 'When it closed; null while it is open.' }),
    merged: t.exposeBoolean('isAbsorbed', { description: 'Whether it closed because another incident covered it.' }),
    accounts: t.expose('accounts', { type: [Affected], description: 'The accounts that it is about, which the caller may see.' }),
    story: t.field({
      type: [Event],
      description:
        'What happened in its course, in order. Messages are those to the channels of merchants that the caller may see.',
      complexity: { field: 50, multiplier: 5 },
      resolve: async ({ accounts, isAbsorbed: _, ...incident }, _args, { switchyard, viewer }) => {
        const scope = {
          merchantIds: accounts.map(({ merchantId }) => merchantId),
          channelMerchantIds: viewer.merchantsFor(PERMISSION),
        };
        return [...(await readStory(switchyard, incident, scope)).events];
      },
    }),
    impact: t.field({
      type: [Impact],
      description: 'What it did to payments, by currency.',
      authScopes: { permission: 'payment:read' },
      complexity: { field: 50, multiplier: 2 },
      resolve: async ({ id, accounts }, _args, { switchyard, reports, viewer }) => {
        const { configuration } = switchyard.resources;
        const merchantIds = accounts.map(({ merchantId }) => merchantId).filter((one) => viewer.mayAccess(one, 'payment:read'));
        const query = { merchantIds: [...new Set(merchantIds)], incidentIds: [id] };
        return (await measureImpact({ configuration, pool: reports.pool }, query)).currencies;
      },
    }),
  }),
});

function kindOf(kind: HealthIncident['kind']) {
  if (kind === 'gateway_degraded' || kind === 'gateway_down' || kind === 'correlated_outage') return kind;
  throw new Error(`${kind} is not about the health of accounts`);
}

const Filter = builder.inputType('IncidentFilter', {
  description: 'Filter of incidents. An omitted list matches all.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
    from: t.field({ type: 'DateTime', required: true, description: 'Those that lasted at this time or later.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'Those that began before this time.' }),
  }),
});

builder.queryField('incidents', (t) =>
  t.field({
    type: [Incident],
    description: 'Incidents about the health of gateway accounts, those that began last first; at most 500.',
    authScopes: { permission: PERMISSION },
    args: { filter: t.arg({ type: Filter, required: true, description: 'Filter.' }) },
    complexity: LIST_COST,
    resolve: (_root, { filter }, context) => {
      const { mode, from, to } = filter;
      const merchantIds = requestedMerchants(context.viewer, PERMISSION, filter);
      return list(context, { merchantIds, modes: [mode], within: { from, to }, incidentId: null });
    },
  }),
);

builder.queryField('incident', (t) =>
  t.field({
    type: Incident,
    nullable: true,
    description: 'One incident by its id; null when there is none or the caller may not read it.',
    authScopes: { permission: PERMISSION },
    args: { id: t.arg.id({ required: true, description: 'Id of the incident.' }) },
    resolve: async (_root, { id }, context) => {
      const { viewer } = context;
      if (!isUuid(String(id))) return null;
      const merchantIds = viewer.merchantsFor(PERMISSION);
      const query = { merchantIds, modes: viewer.modes, within: null, incidentId: toId(id) };
      return (await list(context, query))[0] ?? null;
    },
  }),
);

function list({ reports }: GraphqlContext, query: Parameters<typeof listHealthIncidents>[1]): Promise<HealthIncident[]> {
  return listHealthIncidents(reports, query);
}
