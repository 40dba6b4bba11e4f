import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { AlertsPage } from '#/app/(admin)/alerts/_components/alerts-page.tsx';
import { IncidentPage } from '#/app/(admin)/alerts/[incidentId]/_components/incident-page.tsx';
import { ChannelsPage } from '#/app/(admin)/alerts/channels/_components/channels-page.tsx';
import { AccountPanel } from '#/app/(admin)/gateways/_components/account/account-panel.tsx';
import { ConnectDialog } from '#/app/(admin)/gateways/_components/connect-dialog.tsx';
import { GatewaysPage } from '#/app/(admin)/gateways/_components/gateways-page.tsx';
import { AccountsByGateway } from '#/app/(admin)/health/_components/account/account-groups.tsx';
import { HealthPanel } from '#/app/(admin)/health/_components/account/health-panel.tsx';
import { HealthPage } from '#/app/(admin)/health/_components/health-page.tsx';
import { ThresholdsForm } from '#/app/(admin)/health/thresholds/_components/thresholds-page.tsx';
import { HealthStrip, SetUp } from '#/app/(admin)/overview/_components/overview-page.tsx';
import { SetupChecklist } from '#/app/(admin)/overview/_components/setup/setup-checklist.tsx';
import { FindingLink } from '#/incidents/incident-links.tsx';
import { OutageBanner } from '#/incidents/outage-banner.tsx';
import type { Outage } from '#/incidents/use-attention.ts';
import '#/overrides/drain-gateway-dialog.tsx';
import '#/overrides/override-dialog.tsx';
import { StillDrained } from '#/overrides/still-drained.tsx';
import { partial } from '#/testing/partial.ts';
import { both, type Merchant, OURS, ofId, type Scene } from './shown-by-right.tsx';

const AT = new Date('2024-11-21T13:02:00Z');
const nothing = () => undefined;
const CHART = { from: AT, to: AT, stepMs: 60_000, series: [] };

type Account = ComponentProps<typeof HealthPanel>['account'];
const override = (fields: object) => ({
  overrideId: 'o-1',
  action: 'drain',
  method: null,
  reason: 'Upkeep',
  actor: 'staff:s-1',
  createdAt: AT,
  startsAt: null,
  expiresAt: null,
  gateway: null,
  putBack: false,
  recoveredAt: null,
  ...fields,
});
const account = ({ merchantId, tag }: Merchant, ...overrides: readonly object[]) =>
  partial<Account>({
    accountId: `acc-${tag}`,
    merchantId,
    merchantName: tag,
    label: `${tag} main`,
    gateway: 'paystack',
    gatewayTitle: 'Paystack',
    enabled: true,
    fault: null,
    isProbed: true,
    overrides: overrides.map((one) => override({ overrideId: `o-${tag}`, ...one })),
    planned: [],
    health: [
      {
        method: null,
        state: 'healthy',
        why: { code: 'unused' },
        judgedBy: 'own',
        since: null,
        succeeded: 0,
        faulted: 0,
        probesLeft: 0,
      },
    ],
  });
const panel = (of: Account) => (
  <HealthPanel
    account={of}
    method={null}
    span="24h"
    onOpen={nothing}
    onClose={nothing}
    onOverride={nothing}
    onDrainGateway={nothing}
  />
);
const HEALTH_ANSWERS = {
  'merchants.list': [],
  'health.people': new Map(),
  'health.feed': { items: [], next: null },
  'health.states': { series: [] },
  'gateways.usage': { payments: 0, onlyFor: [], rules: [], defaultPlace: null },
};
const SET = 'override:set';
const NUMBERS = [
  'minSamples',
  'downShare',
  'degradedShare',
  'healthyShare',
  'hardFaults',
  'slowTimes',
  'slowMs',
  'fastMs',
  'healthyHoldMs',
  'restMs',
  'restMaxMs',
  'probePayments',
  'probeForMs',
  'probeEveryMs',
  'openingTimeoutMinMs',
  'openingTimeoutMaxMs',
  'openingTarget',
];
const thresholds = (value: unknown) => ({ ...Object.fromEntries(NUMBERS.map((name) => [name, value])), learnFromOthers: true });
const THRESHOLDS = {
  inForce: thresholds(1),
  defaults: thresholds(1),
  bounds: thresholds({ min: 0, max: 10 }),
  revision: 1,
  updatedAt: null,
  updatedBy: null,
};

/** Health: overrides and thresholds. */
const HEALTH: readonly Scene[] = [
  {
    title: 'Health of an account with an override',
    answers: HEALTH_ANSWERS,
    of: (merchant) => panel(account(merchant, {})),
    controls: [
      {
        asks: `health/account/health-panel.tsx ${SET}`,
        name: 'Set an override',
        uses: ['overrides/override-dialog.tsx health.setOverride', 'overrides/override-dialog.tsx health.endOverride'],
      },
      {
        asks: `health/account/health-panel.tsx ${SET}`,
        name: 'End',
        uses: ['health/overrides/overrides.tsx health.endOverride'],
      },
      { asks: `health/overrides/overrides.tsx ${SET}`, at: 'workspace', name: 'Drain Paystack for all merchants' },
    ],
  },
  {
    title: 'Health of an account whose gateway is drained',
    answers: HEALTH_ANSWERS,
    of: (merchant) => panel(account(merchant, { gateway: 'paystack' })),
    controls: [
      {
        asks: `health/overrides/overrides.tsx ${SET}`,
        at: 'workspace',
        name: 'End',
        uses: ['health/overrides/overrides.tsx health.endGatewayDrain'],
      },
    ],
  },
  {
    title: 'The dialog of an override, by its address',
    answers: { ...HEALTH_ANSWERS, 'health.overview': { accounts: both((of) => account(of)), trouble: [] } },
    search: '&account=acc-Adire&do=override',
    about: OURS,
    list: () => <HealthPage />,
    controls: [{ asks: `health/health-page.tsx ${SET}`, role: 'dialog', name: /^(Override|Drain) / }],
  },
  {
    title: 'The dialog that drains a gateway, by its address',
    answers: { ...HEALTH_ANSWERS, 'health.overview': { accounts: both((of) => account(of)), trouble: [] } },
    search: '&gateway=paystack&do=drain-gateway',
    list: () => <HealthPage />,
    controls: [
      {
        asks: `health/health-page.tsx ${SET}`,
        at: 'workspace',
        role: 'dialog',
        name: /Paystack/,
        uses: [
          'overrides/drain-gateway-dialog.tsx health.drainGateway',
          'overrides/drain-gateway-dialog.tsx health.endGatewayDrain',
        ],
      },
    ],
  },
  {
    title: 'Health by gateway',
    answers: HEALTH_ANSWERS,
    of: (merchant) => (
      <AccountsByGateway
        accounts={[{ ...account(merchant), fault: partial({ kind: 'credentials', sentence: 'It refuses its key.' }) }]}
        strips={undefined}
        states={undefined}
        over="the last day"
        opened={null}
        openedMethod={null}
        onOpen={nothing}
        onDrainGateway={nothing}
      />
    ),
    controls: [{ asks: `health/account/account-groups.tsx ${SET}`, at: 'workspace', name: 'Drain Paystack for all merchants' }],
  },
  {
    title: 'Health without an account',
    answers: { 'health.overview': { accounts: [], trouble: [] } },
    list: () => <HealthPage />,
    controls: [{ asks: 'health/health-page.tsx gateway:configure', at: 'page', role: 'link', name: 'Connect an account' }],
  },
  {
    title: 'Drains that are over',
    of: (merchant) => <StillDrained accounts={[account(merchant, { recoveredAt: AT })]} />,
    controls: [
      {
        asks: `overrides/still-drained.tsx ${SET}`,
        name: /^Put back/,
        uses: ['overrides/still-drained.tsx health.endOverride'],
      },
    ],
  },
  {
    title: 'Drains of gateways that are over',
    of: (merchant) => <StillDrained accounts={[account(merchant, { recoveredAt: AT, gateway: 'paystack' })]} />,
    controls: [
      {
        asks: `overrides/still-drained.tsx ${SET}`,
        at: 'workspace',
        name: 'Put back Paystack',
        uses: ['overrides/still-drained.tsx health.endGatewayDrain'],
      },
    ],
  },
  {
    title: 'Thresholds',
    answers: { 'merchants.list': [] },
    of: ({ merchantId }) => <ThresholdsForm merchantId={merchantId} mode="test" known={partial(THRESHOLDS)} />,
    controls: [
      {
        asks: 'health/thresholds/thresholds-page.tsx routing:publish',
        name: 'Publish',
        isSeenDisabled: true,
        uses: ['health/thresholds/thresholds-page.tsx health.changeThresholds'],
      },
    ],
  },
];

const gatewayAccount = ({ merchantId, tag }: Merchant) => ({
  merchantId,
  id: `acc-${tag}`,
  mode: 'test',
  gateway: 'kora',
  label: `${tag} main`,
  enabled: true,
  hasCredentials: true,
  credentialHint: {},
  currencies: ['NGN'],
  methods: ['CARD'],
  minAmount: 50n,
  maxAmount: null,
  fees: null,
  baseUrl: null,
  createdAt: AT,
  updatedAt: AT,
  connectionTestedAt: null,
  configurationFault: null,
  fault: null,
  merchantName: tag,
  webhookUrl: 'https://pay.example/webhooks/kora/acc',
});
const GATEWAY_ANSWERS = {
  'gateways.kinds': [],
  'gateways.usage': { payments: 0, rules: [], defaultPlace: null, onlyFor: [] },
  'gateways.feeExamples': [],
  'gateways.use': [],
  'gateways.webhooks': { lastGenuineAt: null, refused: [], webhooks: [], next: null },
  'gateways.webhookCounts': { all: { count: 0, more: false }, byState: {} },
  'health.overview': { accounts: [] },
};
const CONFIGURE = 'gateway:configure';

async function openMerchants(): Promise<void> {
  const choice = screen.queryByRole('combobox', { name: /^Merchant/ });
  if (choice !== null) await userEvent.click(choice);
}

/** Accounts at gateways. */
const GATEWAYS: readonly Scene[] = [
  {
    title: 'An account at a gateway',
    answers: GATEWAY_ANSWERS,
    of: (merchant) => (
      <AccountPanel
        account={partial<ComponentProps<typeof AccountPanel>['account']>(gatewayAccount(merchant))}
        health={undefined}
        doing={null}
        onDo={nothing}
        onClose={nothing}
      />
    ),
    controls: [
      {
        asks: `gateways/account/account-panel.tsx ${CONFIGURE}`,
        name: 'Edit',
        uses: ['gateways/account/account-panel.tsx gateways.update'],
      },
      { asks: `gateways/account/account-panel.tsx ${CONFIGURE}`, name: 'Replace' },
      {
        asks: `gateways/account/account-panel.tsx ${CONFIGURE}`,
        name: 'Test connection',
        uses: ['gateways/account/account-panel.tsx gateways.testConnection'],
      },
      {
        asks: `gateways/account/account-panel.tsx ${CONFIGURE}`,
        name: ({ tag }) => `Disable ${tag} main`,
        uses: ['gateways/switch.tsx gateways.update'],
      },
    ],
  },
  {
    title: 'Gateways',
    answers: { ...GATEWAY_ANSWERS, 'gateways.list': both(gatewayAccount) },
    list: () => <GatewaysPage />,
    controls: [{ asks: `gateways/gateways-page.tsx ${CONFIGURE}`, at: 'page', name: 'Connect an account' }],
  },
  {
    title: 'Connecting an account',
    answers: {
      ...GATEWAY_ANSWERS,
      // With one merchant there is nothing to choose.
      'merchants.list': both(({ merchantId, tag }) => [tag, `${tag} too`].map((name) => ({ merchantId, name }))).flat(),
    },
    list: () => <ConnectDialog accounts={[]} onConnected={nothing} onClose={nothing} />,
    isWhole: true,
    first: openMerchants,
    controls: [
      {
        asks: `gateways/connect-dialog.tsx ${CONFIGURE}`,
        role: 'option',
        name: ({ tag }) => tag,
        uses: ['gateways/connect-dialog.tsx gateways.connect'],
      },
    ],
  },
];

const outage = ({ merchantId, tag }: Merchant) =>
  partial<Outage>({
    since: AT,
    isCritical: true,
    isCorrelated: false,
    incidentIds: [`i-${tag}`],
    impact: [],
    accounts: ['a', 'b'].map((id) => ({
      merchantId,
      merchantName: tag,
      accountId: `acc-${tag}-${id}`,
      gateway: 'paystack',
      gatewayTitle: 'Paystack',
      label: `${tag} ${id}`,
      state: 'down',
      since: AT,
      why: null,
      drain: null,
    })),
  });
const incident = ({ merchantId, tag }: Merchant, fields: object = {}) => ({
  key: `i-${tag}`,
  incidentId: `i-${tag}`,
  severity: 'critical',
  title: `${tag} is down`,
  why: 'Timed out.',
  kind: 'gateway_down',
  kindTitle: 'Gateway down',
  figures: [],
  merchantId,
  merchantName: tag,
  mode: 'test',
  since: AT,
  openedAt: AT,
  acknowledgedAt: null,
  acknowledgedByName: null,
  mutedUntil: null,
  closedAt: null,
  closedReason: null,
  action: { label: 'Drain', path: '/health', query: {}, needs: SET },
  accounts: [],
  events: [],
  ...fields,
});
const channel = ({ merchantId, tag }: { merchantId: string | null; tag: string }) => ({
  channelId: `ch-${tag}`,
  merchantId,
  name: tag,
  kind: 'slack',
  targetHint: 'hooks.slack.com',
  enabled: true,
  modes: ['live'],
  kinds: [],
  minSeverity: 'warning',
  escalationsOnly: false,
  groupSeconds: 0,
  quietHours: null,
  escalation: null,
  last: null,
});
const ofWorkspace = ({ tag }: Merchant) => ({ merchantId: null, tag });
const workspaceIncident = (of: Merchant) => incident(of, { merchantId: null });
const ACKNOWLEDGE = 'alert:acknowledge';
const ALERT_CONTROLS = (at: 'row' | 'workspace') =>
  [
    {
      asks: `alerts/incident-actions.tsx ${ACKNOWLEDGE}`,
      at,
      name: ({ tag }: Merchant) => `Acknowledge: ${tag} is down`,
      uses: ['alerts/incident-actions.tsx alerts.acknowledge'],
    },
    {
      asks: `alerts/incident-actions.tsx ${ACKNOWLEDGE}`,
      at,
      name: ({ tag }: Merchant) => `Mute 4 h: ${tag} is down`,
      uses: ['alerts/incident-actions.tsx alerts.mute'],
    },
    {
      asks: `alerts/alerts-page.tsx ${ACKNOWLEDGE}`,
      at,
      role: 'checkbox',
      name: ({ tag }: Merchant) => new RegExp(`${tag} is down`),
      uses: ['alerts/alerts-page.tsx alerts.acknowledge'],
    },
  ] as const;
const CHANNEL_CONTROLS = (at: 'row' | 'workspace') =>
  [
    {
      asks: 'alerts/channels/channels-page.tsx alert:configure',
      at,
      name: ({ tag }: Merchant) => `Send test to ${tag}`,
      uses: ['alerts/channels/channels-page.tsx alerts.testChannel'],
    },
    {
      asks: 'alerts/channels/channels-page.tsx alert:configure',
      at,
      name: ({ tag }: Merchant) => `Edit ${tag}`,
      uses: ['alerts/channels/channel-dialog.tsx alerts.updateChannel'],
    },
    {
      asks: 'alerts/channels/channels-page.tsx alert:configure',
      at,
      name: ({ tag }: Merchant) => `Disable ${tag}`,
      uses: ['alerts/channels/channels-page.tsx alerts.updateChannel'],
    },
  ] as const;
const muted = ({ merchantId, tag }: { merchantId: string | null; tag: string }) => ({
  merchantId,
  kind: `kind-${tag}`,
  title: `Kind of ${tag}`,
  mutedUntil: AT,
});
const incidentAnswers = (row: (of: Merchant) => object) => ({
  'incidents.byId': ({ incidentId }: { incidentId: string }) => ofId(row, incidentId),
  'incidents.notes': { notes: [], postMortem: null },
  'health.overview': { accounts: both((of) => account(of)), trouble: [] },
  'health.people': new Map(),
});

/** Alerts, their channels, and incidents. */
const ALERTS: readonly Scene[] = [
  {
    title: 'Alerts of merchants',
    answers: { 'attention.list': { items: both(incident), incomplete: false }, 'alerts.muted': [] },
    list: () => <AlertsPage />,
    controls: ALERT_CONTROLS('row'),
  },
  {
    title: 'Alerts of the workspace',
    answers: { 'attention.list': { items: both(workspaceIncident), incomplete: false }, 'alerts.muted': [] },
    list: () => <AlertsPage />,
    controls: ALERT_CONTROLS('workspace'),
  },
  {
    title: 'Muted kinds of merchants',
    answers: { 'attention.list': { items: [], incomplete: false }, 'alerts.muted': both(muted) },
    list: () => <AlertsPage />,
    controls: [
      {
        asks: `alerts/alerts-page.tsx ${ACKNOWLEDGE}`,
        name: ({ tag }) => `Unmute Kind of ${tag}`,
        uses: ['alerts/alerts-page.tsx alerts.muteKind'],
      },
    ],
  },
  {
    title: 'Muted kinds of the workspace',
    answers: { 'attention.list': { items: [], incomplete: false }, 'alerts.muted': both((of) => muted(ofWorkspace(of))) },
    list: () => <AlertsPage />,
    controls: [{ asks: `alerts/alerts-page.tsx ${ACKNOWLEDGE}`, at: 'workspace', name: ({ tag }) => `Unmute Kind of ${tag}` }],
  },
  {
    title: 'Channels of merchants',
    answers: { 'alerts.channels': both(channel) },
    list: () => <ChannelsPage />,
    controls: [
      ...CHANNEL_CONTROLS('row'),
      {
        asks: 'alerts/channels/channels-page.tsx alert:configure',
        at: 'page of one',
        name: 'Add a channel',
        uses: ['alerts/channels/channel-dialog.tsx alerts.createChannel'],
      },
      { asks: 'alerts/channels/channels-page.tsx alert:configure', at: 'workspace', name: 'Add a channel' },
    ],
  },
  {
    title: 'Channels of the workspace',
    answers: { 'alerts.channels': both((of) => channel(ofWorkspace(of))) },
    list: () => <ChannelsPage />,
    controls: CHANNEL_CONTROLS('workspace'),
  },
  {
    title: 'An incident of a merchant',
    answers: incidentAnswers(incident),
    of: ({ tag }) => <IncidentPage incidentId={`i-${tag}`} />,
    controls: [
      {
        asks: `alerts/[incidentId]/incident-page.tsx ${ACKNOWLEDGE}`,
        role: 'textbox',
        name: /note/i,
        uses: ['alerts/[incidentId]/notes-and-post-mortem.tsx incidents.addNote'],
      },
      {
        asks: `alerts/[incidentId]/incident-page.tsx ${ACKNOWLEDGE}`,
        name: 'Write',
        uses: ['alerts/[incidentId]/notes-and-post-mortem.tsx incidents.writePostMortem'],
      },
    ],
  },
  {
    title: 'An incident of the workspace',
    answers: incidentAnswers(workspaceIncident),
    of: ({ tag }) => <IncidentPage incidentId={`i-${tag}`} />,
    controls: [{ asks: `alerts/[incidentId]/incident-page.tsx ${ACKNOWLEDGE}`, at: 'workspace', role: 'textbox', name: /note/i }],
  },
  {
    title: 'Accounts of an incident',
    answers: incidentAnswers((of) => incident(of, { accounts: [{ ...account(of), chart: CHART }] })),
    of: ({ tag }) => <IncidentPage incidentId={`i-${tag}`} />,
    controls: [{ asks: `overrides/drain-button.tsx ${SET}`, name: ({ tag }) => new RegExp(`^Drain ${tag} main`) }],
  },
  {
    title: 'Drained accounts of an incident',
    answers: {
      ...incidentAnswers((of) => incident(of, { accounts: [{ ...account(of), chart: CHART }] })),
      'health.overview': { accounts: both((of) => account(of, {})), trouble: [] },
    },
    of: ({ tag }) => <IncidentPage incidentId={`i-${tag}`} />,
    controls: [
      {
        asks: `overrides/drain-button.tsx ${SET}`,
        name: /^End drain of/,
        uses: ['overrides/drain-button.tsx health.endOverride'],
      },
    ],
  },
  {
    title: 'Accounts of an incident whose gateway is drained',
    answers: {
      ...incidentAnswers((of) => incident(of, { accounts: [{ ...account(of), chart: CHART }] })),
      'health.overview': { accounts: both((of) => account(of, { gateway: 'paystack' })), trouble: [] },
    },
    of: ({ tag }) => <IncidentPage incidentId={`i-${tag}`} />,
    controls: [
      {
        asks: `overrides/drain-button.tsx ${SET}`,
        at: 'workspace',
        name: /^End drain for all merchants/,
        uses: ['overrides/drain-button.tsx health.endGatewayDrain'],
      },
    ],
  },
  {
    title: 'A correlated outage',
    answers: incidentAnswers((of) =>
      incident(of, { kind: 'correlated_outage', merchantId: null, accounts: [{ ...account(of), chart: CHART }] }),
    ),
    of: ({ tag }) => <IncidentPage incidentId={`i-${tag}`} />,
    controls: [
      { asks: `alerts/[incidentId]/health-section.tsx ${SET}`, at: 'workspace', name: 'Drain Paystack for all merchants' },
    ],
  },
  {
    title: 'The banner of an outage',
    of: (merchant) => <OutageBanner outage={outage(merchant)} onDrain={nothing} onDrainGateway={nothing} />,
    controls: [{ asks: `incidents/outage-banner.tsx ${SET}`, at: 'workspace', name: 'Drain Paystack for all merchants' }],
  },
  {
    title: 'The link of a finding',
    of: (merchant) => <FindingLink finding={partial(incident(merchant))} />,
    controls: [{ asks: `incidents/incident-links.tsx ${SET}`, role: 'link', name: /^Drain/ }],
  },
];

const setup = ({ merchantId, tag }: Merchant) => ({
  merchantId,
  merchantName: tag,
  isDone: false,
  isDismissed: false,
  steps: [
    { step: 'account', done: false },
    { step: 'key', done: false },
    { step: 'webhook', done: false },
    { step: 'rules', done: false },
    { step: 'team', done: false },
  ],
});
const step = (permission: string, name: string) =>
  ({ asks: `overview/setup/setup-checklist.tsx ${permission}`, role: 'link', name }) as const;

const OVERVIEW: readonly Scene[] = [
  {
    title: 'The set-up checklist',
    of: (merchant) => <SetupChecklist setup={partial(setup(merchant))} />,
    controls: [
      step(CONFIGURE, 'Add a gateway account'),
      step('key:issue', 'Create a test key'),
      step('webhook:configure', 'Add a webhook endpoint'),
      step('routing:publish', 'Publish routing rules'),
      step('team:manage', 'Invite a colleague'),
    ],
  },
  {
    title: 'The set-up checklist without a merchant',
    of: () => (
      <SetupChecklist setup={partial({ merchantId: null, merchantName: null, steps: [{ step: 'merchant', done: false }] })} />
    ),
    controls: [{ ...step('merchant:create', 'Add a merchant'), at: 'workspace' }],
  },
  {
    title: 'Setting up',
    answers: { 'setup.read': setup(OURS) },
    list: () => <SetUp />,
    controls: [
      {
        asks: 'overview/overview-page.tsx merchant:update',
        at: 'page',
        name: 'Dismiss',
        uses: ['overview/setup/setup-checklist.tsx setup.dismiss'],
      },
    ],
  },
  {
    title: 'The health of gateways without an account',
    answers: { 'health.overview': { accounts: [] } },
    list: () => <HealthStrip />,
    controls: [{ asks: 'overview/overview-page.tsx gateway:configure', at: 'page', role: 'link', name: 'Connect one' }],
  },
];

/** Health, gateways, alerts and the overview. */
export const OPERATION_SCENES: readonly Scene[] = [...HEALTH, ...GATEWAYS, ...ALERTS, ...OVERVIEW];
