import { act, fireEvent, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { CustomerPage } from '#/app/(admin)/customers/[paymentId]/_components/customer-page.tsx';
import { IssueDialog as IssueTokenDialog } from '#/app/(admin)/developers/tokens/_components/token-dialogs.tsx';
import { TokensPage } from '#/app/(admin)/developers/tokens/_components/tokens-page.tsx';
import { FeesPage } from '#/app/(admin)/fees/_components/fees-page.tsx';
import { JournalPage } from '#/app/(admin)/journal/_components/journal-page.tsx';
import '#/app/(admin)/keys/_components/key-dialogs.tsx';
import { KeysPage } from '#/app/(admin)/keys/_components/keys-page.tsx';
import { MerchantPage } from '#/app/(admin)/merchants/[merchantId]/_components/merchant-page.tsx';
import '#/app/(admin)/merchants/_components/create-dialog.tsx';
import { MerchantsPage } from '#/app/(admin)/merchants/_components/merchants-page.tsx';
import { MonthPage } from '#/app/(admin)/month-close/[month]/_components/month-page.tsx';
import { CustomerForm } from '#/app/(admin)/privacy/_components/customer-section.tsx';
import { PrivacyPage, RetentionTable } from '#/app/(admin)/privacy/_components/privacy-page.tsx';
import { ReportsPage } from '#/app/(admin)/reports/_components/reports-page.tsx';
import { SchedulesPage } from '#/app/(admin)/reports/scheduled/_components/schedules-page.tsx';
import { CanaryPage } from '#/app/(admin)/routing/_components/canary/canary-page.tsx';
import '#/app/(admin)/routing/_components/canary/canary-dialogs.tsx';
import { DraftPage } from '#/app/(admin)/routing/_components/draft/draft-page.tsx';
import { VersionView } from '#/app/(admin)/routing/_components/history/version-view.tsx';
import { ImportPage } from '#/app/(admin)/routing/_components/import/import-page.tsx';
import { RulesPage } from '#/app/(admin)/routing/_components/list/rules-page.tsx';
import '#/app/(admin)/routing/_components/publish/publish-tab.tsx';
import '#/app/(admin)/routing/_components/shadow/shadow-tab.tsx';
import '#/app/(admin)/team/_components/invite-dialog.tsx';
import '#/app/(admin)/team/_components/person-panel.tsx';
import '#/app/(admin)/team/_components/role-dialog.tsx';
import { TeamPage } from '#/app/(admin)/team/_components/team-page.tsx';
import '#/app/(admin)/webhooks/_components/create-dialog.tsx';
import { WebhooksPage } from '#/app/(admin)/webhooks/_components/webhooks-page.tsx';
import { DeliveryPanel } from '#/app/(admin)/webhooks/endpoints/[endpointId]/_components/delivery-panel.tsx';
import '#/app/(admin)/webhooks/endpoints/[endpointId]/_components/dialogs.tsx';
import { EndpointPage } from '#/app/(admin)/webhooks/endpoints/[endpointId]/_components/endpoint-page.tsx';
import { CommandBar } from '#/app-shell/commands/command-bar.tsx';
import '#/app-shell/commands/command-menu.tsx';
import { openOverlay } from '#/app-shell/commands/command-store.ts';
import { COMMANDS } from '#/app-shell/commands/commands.ts';
import { NavList } from '#/app-shell/navigation/nav.tsx';
import { NAVIGATION } from '#/app-shell/navigation/navigation.ts';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { MonthReview } from '#/components/month-review/month-review.tsx';
import { RulesApproval, RulesWaiverRequest } from '#/components/rules-approval/rules-approval.tsx';
import { partial } from '#/testing/partial.ts';
import type { Permission } from '#/trpc/use-can.ts';
import { both, type Control, type Merchant, OURS, ofId, type Scene } from './shown-by-right.tsx';

const AT = new Date('2024-11-21T13:02:00Z');
const SOON = new Date('2099-01-02T03:04:00Z');
const nothing = () => undefined;
const NAMES = { 'merchants.list': both(({ merchantId, tag }) => ({ merchantId, name: tag, merchantNumber: tag })) };

const KEY = {
  keyId: 'k-1',
  mode: 'test',
  name: 'Server',
  publicId: 'x',
  lastFour: '1234',
  state: 'active',
  scopes: [],
  allowedAddresses: [],
  expiresAt: null,
  lastUsedAt: null,
  requestsInWeek: 0,
  createdAt: AT,
  createdByName: 'Ada',
  rotatedTo: null,
};
const KEYS_ANSWERS = { ...NAMES, 'keys.list': [KEY] };
const keyDialog = (search: string, right: string, name: RegExp): Scene => ({
  title: `The dialog of a key, by its address${search}`,
  answers: KEYS_ANSWERS,
  search,
  list: () => <KeysPage />,
  controls: [{ asks: `keys/keys-page.tsx ${right}`, at: 'page of one', role: 'dialog', name }],
});

/** Keys of merchants. */
const KEYS: readonly Scene[] = [
  {
    title: 'API keys',
    answers: KEYS_ANSWERS,
    list: () => <KeysPage />,
    controls: [
      {
        asks: 'keys/keys-page.tsx key:issue',
        at: 'page of one',
        name: 'Create a test key',
        uses: ['keys/key-dialogs.tsx keys.issue'],
      },
      {
        asks: 'keys/keys-page.tsx key:issue',
        at: 'page of one',
        name: 'Change Server',
        uses: ['keys/key-dialogs.tsx keys.change'],
      },
      {
        asks: 'keys/keys-page.tsx key:rotate',
        at: 'page of one',
        name: 'Rotate Server',
        uses: ['keys/key-dialogs.tsx keys.rotate'],
      },
      {
        asks: 'keys/keys-page.tsx key:revoke',
        at: 'page of one',
        name: 'Revoke Server',
        uses: ['keys/key-dialogs.tsx keys.revoke'],
      },
    ],
  },
  keyDialog('&do=issue', 'key:issue', /key/),
  keyDialog('&do=change&key=k-1', 'key:issue', /Server/),
  keyDialog('&do=rotate&key=k-1', 'key:rotate', /Server/),
  keyDialog('&do=revoke&key=k-1', 'key:revoke', /Server/),
];

const profile = ({ merchantId, tag }: Merchant) => ({
  merchantId,
  merchantNumber: tag,
  name: tag,
  defaultRedirectUrl: null,
  sessionMinutes: 60,
  timeZone: 'Africa/Lagos',
  refundDuplicates: false,
  rulesNeedApproval: false,
  holdoutPercent: 0,
  agentsMayWriteLive: false,
  createdAt: AT,
  updatedAt: AT,
});
const byMerchant =
  (row: (of: Merchant) => object) =>
  ({ merchantId }: { merchantId: string }) =>
    both((of) => ({ of, row: row(of) })).find(({ of }) => of.merchantId === merchantId)?.row;
const PEOPLE = [
  { staffId: 'me', name: 'Ada' },
  { staffId: 'bola', name: 'Bola' },
  { staffId: 'chi', name: 'Chi' },
];
const WAIVER = { requestedBy: 'staff:bola', requesterName: 'Bola', requestedAt: AT, until: SOON, above: 5n, wanted: null };
const CONTROL = {
  secondPersonAbove: null,
  dailyLimits: { owner: null, finance: null },
  reasonCodes: [],
  refunders: ['Ada', 'Bola'],
  waiver: WAIVER,
};
const access = (fields: object) => ({ needsApproval: false, people: PEOPLE, approvers: PEOPLE, waiver: null, ...fields });
const MERCHANT_ANSWERS = {
  'merchants.byId': byMerchant(profile),
  'routing.access': access({}),
  'monthClose.reviewRule': { required: false, people: PEOPLE, waiver: null },
  'refunds.control.read': CONTROL,
  'routing.metadataKeys.list': [],
};

/** Merchants and the rules by which a second person is needed. */
const MERCHANTS: readonly Scene[] = [
  {
    title: 'Merchants',
    answers: { 'merchants.overview': { merchants: [], total: 0 } },
    list: () => <MerchantsPage />,
    controls: [
      {
        asks: 'merchants/merchants-page.tsx merchant:create',
        at: 'workspace',
        name: 'Add merchant',
        uses: ['merchants/create-dialog.tsx merchants.create'],
      },
    ],
  },
  {
    title: 'The dialog of a new merchant, by its address',
    answers: { 'merchants.overview': { merchants: [], total: 0 } },
    search: '&do=create',
    list: () => <MerchantsPage />,
    controls: [{ asks: 'merchants/merchants-page.tsx merchant:create', at: 'workspace', role: 'dialog', name: /merchant/ }],
  },
  {
    title: 'A merchant',
    answers: MERCHANT_ANSWERS,
    of: ({ merchantId }) => <MerchantPage merchantId={merchantId} />,
    controls: [
      {
        asks: 'merchants/[merchantId]/merchant-page.tsx merchant:update',
        name: 'Save changes',
        isSeenDisabled: true,
        or: 'refund:configure',
        uses: ['merchants/[merchantId]/merchant-page.tsx merchants.update'],
      },
      {
        asks: 'merchants/[merchantId]/refund-control.tsx refund:configure',
        name: 'Save changes',
        isSeenDisabled: true,
        or: 'merchant:update',
        uses: ['merchants/[merchantId]/refund-control.tsx refunds.control.change'],
      },
      {
        asks: 'merchants/[merchantId]/metadata-keys.tsx merchant:update',
        name: 'Add key',
        uses: ['merchants/[merchantId]/metadata-keys.tsx routing.metadataKeys.save'],
      },
      {
        asks: 'merchants/[merchantId]/refund-control.tsx refund:approve',
        name: 'Agree',
        uses: ['merchants/[merchantId]/refund-control.tsx refunds.control.answerWaiver'],
      },
      { asks: 'components/rules-approval/rules-approval.tsx merchant:update', name: 'Require a second person' },
      { asks: 'components/month-review/month-review.tsx month:close', name: 'Require a second person’s review' },
    ],
  },
  {
    title: 'Approval of rules that is required',
    answers: { 'routing.access': access({ needsApproval: true }) },
    of: ({ merchantId, tag }) => <RulesApproval merchant={{ merchantId, name: tag }} />,
    controls: [
      {
        asks: 'components/rules-approval/rules-approval.tsx merchant:update',
        name: 'Let one person publish',
        uses: ['components/rules-approval/rules-approval.tsx routing.versions.requireApproval'],
      },
    ],
  },
  {
    title: 'A request to let one person publish',
    answers: { 'routing.access': access({ needsApproval: true, waiver: WAIVER }) },
    of: ({ merchantId, tag }) => <RulesWaiverRequest merchant={{ merchantId, name: tag }} />,
    controls: [{ asks: 'components/rules-approval/rules-approval.tsx merchant:update', name: 'Agree' }],
  },
  {
    title: 'Review of months that is required',
    answers: { 'monthClose.reviewRule': { required: true, people: PEOPLE, waiver: null } },
    of: ({ merchantId }) => <MonthReview merchantId={merchantId} mode="test" />,
    controls: [
      {
        asks: 'components/month-review/month-review.tsx month:close',
        name: 'Let one person sign off',
        uses: ['components/month-review/month-review.tsx monthClose.requireReview'],
      },
    ],
  },
  {
    title: 'A request to let one person sign off',
    answers: { 'monthClose.reviewRule': { required: true, people: PEOPLE, waiver: WAIVER } },
    of: ({ merchantId }) => <MonthReview merchantId={merchantId} mode="test" />,
    controls: [{ asks: 'components/month-review/month-review.tsx month:close', name: 'Agree' }],
  },
  {
    title: 'A rule that no one else can approve',
    answers: { 'routing.access': access({ people: [PEOPLE[0]], approvers: [PEOPLE[0]] }) },
    list: () => <RulesApproval merchant={{ merchantId: OURS.merchantId, name: OURS.tag }} />,
    alsoMay: ['merchant:update'],
    controls: [{ asks: 'components/second-person/second-person.tsx team:manage', at: 'anywhere', role: 'link', name: /^Invite/ }],
  },
];

const endpoint = ({ merchantId, tag }: Merchant, fields: object = {}) => ({
  merchantId,
  endpointId: `e-${tag}`,
  mode: 'test',
  url: 'https://shop.example/hooks',
  description: tag,
  types: [],
  format: 'switchyard',
  enabled: true,
  traffic: { attempts: 0, delivered: 0, oldestWaitingAt: null, waiting: 0 },
  failingSince: null,
  lastFailedAt: null,
  lastDeliveredAt: null,
  disabledAt: null,
  disabledReason: null,
  certificateExpiresAt: null,
  previousSecretEndsAt: SOON,
  createdAt: AT,
  updatedAt: AT,
  ...fields,
});
const none = { count: 0, more: false };
const endpointAnswers = (fields: object = {}) => ({
  ...NAMES,
  'webhooks.list': both((of) => endpoint(of, fields)),
  'webhooks.byId': ({ endpointId }: { endpointId: string }) => ofId((of) => endpoint(of, fields), endpointId),
  'webhooks.deliveries.list': { items: [], next: null },
  'webhooks.deliveries.counts': { all: none, byState: { PENDING: none, DELIVERED: none, FAILED: none } },
  'webhooks.deliveries.resends': [],
  'webhooks.types': [],
  'webhooks.formats': [],
});
const ENDPOINT = 'webhooks/endpoints/[endpointId]';
const endpointDialog = (doing: string, right: string): Scene => ({
  title: `The dialog of an endpoint, by its address: ${doing}`,
  answers: endpointAnswers(),
  search: `&do=${doing}`,
  about: OURS,
  list: () => <EndpointPage endpointId={`e-${OURS.tag}`} />,
  controls: [{ asks: `${ENDPOINT}/endpoint-page.tsx ${right}`, role: 'dialog', name: /./ }],
});

/** Webhook endpoints. */
const WEBHOOKS: readonly Scene[] = [
  {
    title: 'Webhook endpoints',
    answers: { ...NAMES, 'webhooks.list': both((of) => endpoint(of)) },
    list: () => <WebhooksPage />,
    controls: [
      {
        asks: 'webhooks/webhooks-page.tsx webhook:configure',
        at: 'page',
        name: 'Add an endpoint',
        uses: ['webhooks/create-dialog.tsx webhooks.create'],
      },
    ],
  },
  {
    title: 'The dialog of a new endpoint, by its address',
    answers: { ...NAMES, 'webhooks.list': [], 'webhooks.types': [], 'webhooks.formats': [] },
    search: '&do=create',
    list: () => <WebhooksPage />,
    controls: [{ asks: 'webhooks/webhooks-page.tsx webhook:configure', at: 'page', role: 'dialog', name: /endpoint/ }],
  },
  {
    title: 'A webhook endpoint',
    answers: endpointAnswers(),
    of: ({ tag }) => <EndpointPage endpointId={`e-${tag}`} />,
    controls: [
      {
        asks: `${ENDPOINT}/endpoint-page.tsx webhook:resend`,
        name: 'Send test event',
        uses: [`${ENDPOINT}/endpoint-page.tsx webhooks.sendTest`],
      },
      {
        asks: `${ENDPOINT}/endpoint-page.tsx webhook:resend`,
        name: 'Resend events',
        uses: [`${ENDPOINT}/dialogs.tsx webhooks.deliveries.resendRange`],
      },
      { asks: `${ENDPOINT}/settings.tsx webhook:configure`, name: 'Edit', uses: [`${ENDPOINT}/dialogs.tsx webhooks.update`] },
      {
        asks: `${ENDPOINT}/settings.tsx webhook:configure`,
        name: 'Rotate secret',
        uses: [`${ENDPOINT}/dialogs.tsx webhooks.rotateSecret`],
      },
      {
        asks: `${ENDPOINT}/settings.tsx webhook:configure`,
        name: 'Expire the old secret now',
        uses: [`${ENDPOINT}/settings.tsx webhooks.endPreviousSecret`],
      },
      {
        asks: `${ENDPOINT}/settings.tsx webhook:configure`,
        name: 'Disable',
        // The dialog offers to enable it again.
        uses: [`${ENDPOINT}/dialogs.tsx webhooks.disable`, `${ENDPOINT}/dialogs.tsx webhooks.enable`],
      },
      { asks: `${ENDPOINT}/settings.tsx webhook:configure`, name: 'Remove', uses: [`${ENDPOINT}/dialogs.tsx webhooks.remove`] },
    ],
  },
  {
    title: 'A webhook endpoint that is disabled',
    answers: endpointAnswers({ enabled: false, disabledAt: AT, disabledReason: 'staff' }),
    of: ({ tag }) => <EndpointPage endpointId={`e-${tag}`} />,
    controls: [
      {
        asks: `${ENDPOINT}/endpoint-page.tsx webhook:configure`,
        name: 'Enable',
        uses: [`${ENDPOINT}/endpoint-page.tsx webhooks.enable`],
      },
    ],
  },
  endpointDialog('resend', 'webhook:resend'),
  endpointDialog('edit', 'webhook:configure'),
  endpointDialog('rotate', 'webhook:configure'),
  endpointDialog('off', 'webhook:configure'),
  endpointDialog('remove', 'webhook:configure'),
  {
    title: 'A delivery',
    answers: {
      'webhooks.deliveries.byId': {
        deliveryId: 'd',
        state: 'DELIVERED',
        eventId: 'ev',
        type: 'payment.succeeded',
        paymentId: null,
        nextAttemptAt: null,
        attemptLog: [],
        happenedAt: AT,
        deliveredAt: null,
        payload: '{}',
      },
    },
    of: (merchant) => (
      <DeliveryPanel
        endpoint={partial<ComponentProps<typeof DeliveryPanel>['endpoint']>(endpoint(merchant))}
        deliveryId="d"
        onDone={nothing}
        onClose={nothing}
      />
    ),
    controls: [
      {
        asks: `${ENDPOINT}/delivery-panel.tsx webhook:resend`,
        name: 'Resend',
        uses: [`${ENDPOINT}/delivery-panel.tsx webhooks.deliveries.resend`],
      },
    ],
  },
];

const RETENTION = {
  kind: 'health_counts',
  days: 90,
  from: 'default',
  otherwiseDays: 180,
  defaultDays: 180,
  minDays: 30,
  maxDays: 400,
  lastRunAt: null,
  removedLastRun: 0,
  removedInAll: 0,
};
type Kinds = ComponentProps<typeof RetentionTable>['kinds'];
const kinds: Kinds = [partial<Kinds[number]>(RETENTION)];
const customer = ({ merchantId, tag }: Merchant) => ({
  kind: 'found',
  merchantId,
  merchantName: tag,
  mode: 'test',
  subject: { merchantId, mode: 'test', email: `${tag}@example.com`, phone: null, customerId: null },
  identifiers: { emails: [], phones: [], customerIds: [] },
  isCut: false,
  firstSeenAt: AT,
  lastSeenAt: AT,
  paymentCount: 0,
  totals: [],
  payments: [],
  tries: [],
  refunds: [],
  disputes: [],
});

/** Data and privacy. */
const PRIVACY: readonly Scene[] = [
  {
    title: 'Retention of a merchant',
    of: ({ merchantId }) => <RetentionTable merchantId={merchantId} kinds={kinds} />,
    controls: [
      {
        asks: 'privacy/privacy-page.tsx retention:change',
        name: 'Change Health counts',
        uses: ['privacy/retention-dialog.tsx privacy.changeRetention'],
      },
    ],
  },
  {
    title: 'Retention of the workspace',
    of: () => <RetentionTable merchantId={null} kinds={kinds} />,
    controls: [{ asks: 'privacy/privacy-page.tsx retention:change', at: 'workspace', name: 'Change Health counts' }],
  },
  {
    title: 'A customer’s request',
    of: ({ merchantId }) => (
      <CustomerForm merchantId={merchantId} mode="test" customer={{ email: 'ada@example.com', phone: null, customerId: null }} />
    ),
    controls: [
      {
        asks: 'privacy/customer-section.tsx customer:erase',
        name: 'Preview erasure',
        uses: ['privacy/customer-section.tsx privacy.previewErasure', 'privacy/erase-dialog.tsx privacy.eraseCustomer'],
      },
      {
        asks: 'privacy/customer-section.tsx customer:export',
        name: 'Export',
        uses: ['privacy/customer-section.tsx privacy.exportCustomer'],
      },
    ],
  },
  {
    title: 'The part for customers’ requests',
    answers: { ...NAMES, 'privacy.retention': { kinds: [], kept: [] }, 'merchants.overview': { merchants: [], total: 0 } },
    list: () => <PrivacyPage />,
    controls: [
      {
        asks: 'privacy/privacy-page.tsx customer:erase',
        or: 'customer:export',
        at: 'page',
        role: 'heading',
        name: 'Export or erase a customer',
      },
      {
        asks: 'privacy/privacy-page.tsx customer:export',
        or: 'customer:erase',
        at: 'page',
        role: 'heading',
        name: 'Export or erase a customer',
      },
    ],
  },
  {
    title: 'A customer',
    answers: { 'customers.byPayment': ({ paymentId }: { paymentId: string }) => ofId(customer, paymentId) },
    of: ({ tag }) => <CustomerPage paymentId={`p-${tag}`} />,
    controls: [
      {
        asks: 'customers/[paymentId]/customer-page.tsx customer:erase',
        or: 'customer:export',
        role: 'link',
        name: 'Export or erase…',
      },
      {
        asks: 'customers/[paymentId]/customer-page.tsx customer:export',
        or: 'customer:erase',
        role: 'link',
        name: 'Export or erase…',
      },
    ],
  },
];

const EMPTY_MAPPING = { code: '', name: '', trackingClass: '' };
const SETTING = {
  timeZone: 'Africa/Lagos',
  mapping: {
    postings: Object.fromEntries(
      ['sales', 'refunds', 'fees', 'stamp_duty', 'chargebacks', 'adjustments', 'bank', 'bank_clearing'].map((name) => [
        name,
        EMPTY_MAPPING,
      ]),
    ),
    clearing: {},
    trackingCategory: '',
    taxRate: '',
  },
  accounts: [],
};
const SUMMARY = { currency: 'NGN', entries: 2, debit: '5.00', credit: '5.00', accounts: [] };
const NOTHING = { count: 0, amounts: [], items: [] };
const CLOSE = {
  closeId: 'c-1',
  hash: 'ab',
  closed: { name: 'Ada', at: AT },
  reviewed: null,
  signed: null,
  adjustments: { sums: [], items: [] },
  late: [SUMMARY],
  lateJournals: [{ journalId: 'j-1', number: 1, postedOn: '2026-11-03', madeByName: 'Ada', summaries: [SUMMARY] }],
};
const month = (of: Merchant, fields: object) => ({
  merchantId: of.merchantId,
  mode: 'test',
  month: '2026-10',
  merchantName: of.tag,
  merchantNumber: of.tag,
  state: 'ended',
  timeZone: 'Africa/Lagos',
  from: AT,
  until: AT,
  figures: {
    accounts: [],
    totals: [],
    unexplained: { discrepancies: NOTHING, payoutsNotAtBank: NOTHING, unmatchedLines: NOTHING, unsettledPayments: NOTHING },
    items: { count: 0, hash: 'x' },
  },
  close: null,
  needsReview: true,
  ...fields,
});
const monthControl = (asks: string, name: string, uses: readonly string[] = []): Control => ({
  asks,
  at: 'page of one',
  name,
  uses,
});

const BOOKS: readonly Scene[] = [
  {
    title: 'The journal',
    answers: { 'journal.setting': SETTING, 'journal.summary': [SUMMARY], 'monthClose.closedIn': [] },
    list: () => <JournalPage />,
    controls: [
      {
        asks: 'journal/journal-page.tsx accounting:configure',
        at: 'page of one',
        name: 'Account mapping…',
        uses: ['journal/mapping-dialog.tsx journal.changeSetting'],
      },
      { asks: 'journal/journal-page.tsx report:export', at: 'page of one', name: /Download/ },
    ],
  },
  {
    title: 'A month that has ended',
    answers: { 'monthClose.read': month(OURS, {}) },
    list: () => <MonthPage month="2026-10" />,
    controls: [
      monthControl('month-close/[month]/month-page.tsx month:close', 'Close month…', [
        'month-close/[month]/month-dialogs.tsx monthClose.close',
      ]),
    ],
  },
  {
    title: 'A month that is closed',
    answers: { 'monthClose.read': month(OURS, { state: 'closed', close: CLOSE }) },
    list: () => <MonthPage month="2026-10" />,
    controls: [
      monthControl('month-close/[month]/month-page.tsx month:close', 'Review…', [
        'month-close/[month]/month-dialogs.tsx monthClose.review',
      ]),
      monthControl('month-close/[month]/month-page.tsx month:close', 'Sign off…', [
        'month-close/[month]/month-dialogs.tsx monthClose.signOff',
      ]),
      monthControl('month-close/[month]/late-arrivals-section.tsx month:close', 'Make journal…', [
        'month-close/[month]/late-arrivals-section.tsx monthClose.makeLateJournal',
      ]),
      monthControl('month-close/[month]/month-page.tsx report:export', 'CSV'),
      monthControl('month-close/[month]/late-arrivals-section.tsx report:export', 'Download late journal 1'),
    ],
  },
];

const DRAFT = {
  draftId: 'd-1',
  merchantId: OURS.merchantId,
  mode: 'test',
  name: 'Cheaper cards',
  state: 'DRAFT',
  revision: 1,
  baseVersion: 4,
  restoredVersion: null,
  document: { rules: [], defaultOrder: [] },
  createdBy: 'staff:bola',
  createdAt: AT,
  updatedAt: SOON,
  savedBy: 'staff:bola',
  editors: ['staff:bola'],
  approval: { state: 'requested', requestedBy: 'staff:bola', requestedAt: AT },
  publishAt: null,
  scheduledBy: null,
  scheduleRefusal: null,
};
const LIVE = {
  ruleSet: { version: 4, rules: [], defaultOrder: [], expectations: [] },
  accounts: [{ accountId: 'a', label: 'Kora', gateway: 'kora', methods: ['CARD'], currencies: ['NGN'], enabled: true }],
};
const CANARY = {
  canaryId: 'c-1',
  version: 5,
  liveVersion: 4,
  percent: 10,
  toleratedLoss: 100,
  horizonMinutes: 60,
  reason: null,
  startedBy: 'staff:bola',
  startedAt: AT,
  endsAt: AT,
  endedAt: null,
  endedBy: null,
  ended: null,
  refusal: null,
  draft: { customers: 0, paid: 0 },
  live: { customers: 0, paid: 0 },
  difference: null,
  promote: 0,
  rollBack: 0,
};
const RULES_ANSWERS = {
  ...NAMES,
  'routing.live': LIVE,
  'routing.access': access({ needsApproval: true }),
  'routing.drafts.list': [DRAFT],
  'routing.canaries.list': [],
  'routing.versions.byVersion': { version: 4, publishedAt: AT, publishedBy: 'staff:bola', restoredVersion: null, reason: null },
  'routing.versions.list': { items: [], next: null },
  'routing.versions.diff': { kind: 'not_found' },
  'routing.validate': { kind: 'checked' },
  'routing.takeovers': null,
};
const draftAnswers = (fields: object) => ({
  ...RULES_ANSWERS,
  'routing.drafts.byId': { ...DRAFT, ...fields },
  'routing.drafts.shadow.report': null,
});
const PUBLISH = 'routing:publish';
const draftControl = (name: string | RegExp, uses: readonly string[], more: Partial<Control> = {}): Control => ({
  asks: `routing/draft/draft-page.tsx ${PUBLISH}`,
  at: 'page of one',
  name,
  uses,
  ...more,
});
const draft = () => <DraftPage draftId="d-1" />;

/** Routing rules. */
const ROUTING: readonly Scene[] = [
  {
    title: 'Rules',
    answers: RULES_ANSWERS,
    list: () => <RulesPage />,
    controls: [
      {
        asks: `routing/list/rules-page.tsx ${PUBLISH}`,
        at: 'page of one',
        name: 'Edit rules',
        uses: ['routing/list/rules-page.tsx routing.drafts.create'],
      },
      { asks: `routing/list/rules-page.tsx ${PUBLISH}`, at: 'page of one', role: 'link', name: 'Import' },
      {
        asks: `routing/approval/approval-requests.tsx ${PUBLISH}`,
        at: 'page of one',
        name: 'Approve',
        uses: [
          'routing/approval/answer-approval.tsx routing.drafts.approve',
          'routing/approval/answer-approval.tsx routing.drafts.reject',
          'routing/approval/approval-requests.tsx routing.drafts.approve',
          'routing/approval/approval-requests.tsx routing.drafts.reject',
        ],
      },
    ],
  },
  {
    title: 'A trial of rules',
    answers: { ...RULES_ANSWERS, 'routing.canaries.list': [CANARY], 'routing.canaries.byId': { ...CANARY, line: [], marks: [] } },
    list: () => <CanaryPage />,
    controls: [
      {
        asks: `routing/canary/canary-page.tsx ${PUBLISH}`,
        at: 'page of one',
        name: 'Stop the trial',
        uses: [
          'routing/canary/canary-page.tsx routing.canaries.stop',
          'routing/canary/canary-dialogs.tsx routing.canaries.promote',
          'routing/canary/canary-dialogs.tsx routing.canaries.widen',
        ],
      },
    ],
  },
  {
    title: 'A version of rules',
    answers: { ...RULES_ANSWERS, 'routing.versions.diff': { kind: 'not_found' } },
    list: () => (
      <VersionView
        version={partial({ version: 2, document: { rules: [], defaultOrder: [] } })}
        current={4}
        versions={[]}
        other={null}
        onOther={nothing}
      />
    ),
    controls: [
      {
        asks: `routing/history/version-view.tsx ${PUBLISH}`,
        at: 'page of one',
        name: 'Edit as a draft',
        uses: ['routing/history/version-view.tsx routing.drafts.create'],
      },
      {
        asks: `routing/history/version-view.tsx ${PUBLISH}`,
        at: 'page of one',
        name: 'Roll back to version 2',
        uses: ['routing/history/roll-back.tsx routing.versions.rollBack'],
      },
    ],
  },
  {
    title: 'Importing rules',
    answers: RULES_ANSWERS,
    list: () => <ImportPage />,
    controls: [
      {
        asks: `routing/import/import-page.tsx ${PUBLISH}`,
        at: 'page of one',
        role: 'textbox',
        name: 'The file',
        uses: ['routing/import/import-page.tsx routing.drafts.create'],
      },
    ],
  },
  {
    title: 'A draft',
    answers: draftAnswers({}),
    list: draft,
    controls: [
      draftControl(
        'Name of the draft',
        [
          'routing/draft/draft-page.tsx routing.drafts.save',
          'routing/draft/conflict-notice.tsx routing.drafts.create',
          'routing/draft/conflict-notice.tsx routing.drafts.save',
        ],
        { role: 'textbox' },
      ),
      draftControl('Undo', ['routing/draft/draft-head.tsx routing.drafts.discard'], { isSeenDisabled: true }),
    ],
  },
  {
    title: 'A draft in shadow',
    answers: draftAnswers({}),
    search: '&tab=shadow',
    list: draft,
    controls: [
      draftControl(
        'Start shadow run',
        ['routing/shadow/shadow-tab.tsx routing.drafts.shadow.start', 'routing/shadow/shadow-tab.tsx routing.drafts.shadow.stop'],
        { isSeenDisabled: true },
      ),
    ],
  },
  {
    title: 'A draft that waits for approval',
    answers: draftAnswers({ baseVersion: 3 }),
    search: '&tab=publish',
    list: draft,
    controls: [
      draftControl('Approve', [
        'routing/approval/approval-panel.tsx routing.drafts.approve',
        'routing/approval/approval-panel.tsx routing.drafts.reject',
      ]),
      draftControl('Base this draft on version 4', ['routing/draft/stale-base.tsx routing.drafts.save']),
      draftControl(
        /^Publish version/,
        [
          'routing/publish/publish-panel.tsx routing.canaries.start',
          'routing/publish/publish-panel.tsx routing.drafts.publish',
          'routing/publish/publish-panel.tsx routing.versions.rollBack',
        ],
        { isSeenDisabled: true },
      ),
    ],
  },
  {
    title: 'A draft without approval',
    answers: draftAnswers({ approval: { state: 'none' } }),
    search: '&tab=publish',
    list: draft,
    controls: [
      draftControl(
        'Request approval',
        [
          'routing/approval/approval-panel.tsx routing.drafts.requestApproval',
          'routing/approval/answer-approval.tsx routing.drafts.requestApproval',
          'routing/approval/approval-requests.tsx routing.drafts.requestApproval',
        ],
        { isSeenDisabled: true },
      ),
    ],
  },
  {
    title: 'A draft that is scheduled',
    answers: draftAnswers({ state: 'SCHEDULED', publishAt: SOON, scheduledBy: 'staff:bola', approval: { state: 'none' } }),
    search: '&tab=publish',
    list: draft,
    controls: [draftControl('Cancel the schedule', ['routing/publish/publish-panel.tsx routing.drafts.cancelSchedule'])],
  },
];

const PERSON = {
  staffId: 'bola',
  name: 'Bola',
  email: 'bola@example.com',
  joinedAt: AT,
  lastSeenAt: AT,
  disabledAt: null,
  twoFactorEnabled: true,
  twoFactorRequired: false,
  manageable: true,
  provisionedBy: null,
  neededToApprove: [],
  roles: both(({ merchantId }) => ({ merchantId, role: 'viewer', group: null })),
};
const INVITATION = {
  linkId: 'l-1',
  name: 'Chi',
  email: 'chi@example.com',
  roles: [],
  invitedBy: 'Ada',
  invitedAt: AT,
  expiresAt: SOON,
  manageable: true,
};
const EVERYWHERE = { everywhere: true, merchantIds: [] };
const team = (fields: object) => ({
  ...NAMES,
  'team.list': {
    people: [{ ...PERSON, staffId: 'me', name: 'Ada' }, PERSON],
    invitations: [INVITATION],
    merchantScope: EVERYWHERE,
    sendsEmail: false,
    ...fields,
  },
  'team.sessions': [
    { id: 's-1', createdAt: AT, updatedAt: AT, current: false, ipAddress: null, userAgent: '' },
    { id: 's-2', createdAt: AT, updatedAt: AT, current: false, ipAddress: null, userAgent: '' },
  ],
  'team.issued': { roles: [], tokens: [], invitations: [], keys: [], downloads: [], endpoints: [], channels: [], schedules: [] },
});

/** The team, whose rows say themselves what is the viewer’s to manage. */
const TEAM: readonly Scene[] = [
  {
    title: 'The team',
    answers: team({}),
    list: () => <TeamPage />,
    controls: [
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: 'Invite a person',
        uses: ['team/invite-dialog.tsx team.invite'],
      },
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: 'New link for Chi',
        uses: ['team/team-page.tsx team.renewInvitation'],
      },
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: 'Revoke the invitation of Chi',
        uses: ['team/team-page.tsx team.withdrawInvitation', 'team/team-page.tsx team.restoreInvitation'],
      },
    ],
  },
  {
    title: 'Roles of the workspace’s own',
    answers: {
      ...team({}),
      'team.roles': {
        roles: [{ roleId: 'r-1', name: 'Risk', permissions: ['payment:read'], testPermissions: [], people: 0 }],
        offered: [{ permission: 'payment:read', text: 'find payments', isByMode: false }],
      },
    },
    list: () => <TeamPage />,
    controls: [
      {
        asks: 'team/role-list.tsx team:manage',
        at: 'workspace',
        name: 'New role',
        uses: ['team/role-dialog.tsx team.createRole'],
      },
      {
        asks: 'team/role-list.tsx team:manage',
        at: 'workspace',
        name: 'Change the role Risk',
        uses: ['team/role-dialog.tsx team.changeRole'],
      },
      {
        asks: 'team/role-list.tsx team:manage',
        at: 'workspace',
        name: 'Remove the role Risk',
        uses: ['team/role-list.tsx team.removeRole'],
      },
    ],
  },
  {
    title: 'Providers of sign-in, and their tokens',
    answers: {
      ...team({}),
      'singleSignOn.list': {
        providers: [
          {
            providerId: 'p-1',
            name: 'Okta',
            type: 'oidc',
            issuer: 'https://id.example',
            clientId: 'c-1',
            domains: ['example.com'],
            groupClaim: 'groups',
            required: false,
            secondFactorRequired: false,
            groupRoles: [],
          },
        ],
        ours: {
          redirectUri: 'https://pay.example/api/auth/sso/callback',
          entityId: 'https://pay.example/m',
          answerUrl: 'https://pay.example/a',
        },
        breakGlassId: null,
      },
      'provisioning.list': {
        address: 'https://pay.example/scim/v2',
        providers: [
          {
            providerId: 'p-1',
            name: 'Okta',
            people: 0,
            groups: 0,
            tokens: [{ id: 't-1', lastFour: 'abcd', createdAt: AT, lastUsedAt: null }],
          },
        ],
      },
    },
    list: () => <TeamPage />,
    controls: [
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: 'Add provider',
        uses: ['team/provider-dialog.tsx singleSignOn.save'],
      },
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: 'Remove Okta',
        uses: ['team/provider-list.tsx singleSignOn.remove', 'team/provider-list.tsx singleSignOn.setBreakGlass'],
      },
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: 'Create a token for Okta',
        uses: ['team/provisioning-list.tsx provisioning.issueToken'],
      },
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: 'Revoke the token that ends in abcd',
        uses: ['team/provisioning-list.tsx provisioning.revokeToken'],
      },
    ],
  },
  {
    title: 'The dialog of an invitation, by its address',
    answers: team({}),
    search: '&do=invite',
    list: () => <TeamPage />,
    controls: [{ asks: 'team/team-page.tsx team:manage', at: 'anywhere', role: 'dialog', name: /Invite/ }],
  },
  {
    title: 'A person of the team',
    answers: team({}),
    search: '&person=bola',
    list: () => <TeamPage />,
    controls: [
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: 'Disable',
        uses: ['team/person-panel.tsx team.setDisabled'],
      },
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: 'Create reset link',
        uses: ['team/person-panel.tsx team.makeResetLink'],
      },
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: 'Reset two-factor sign-in',
        uses: ['team/person-panel.tsx team.resetTwoFactor'],
      },
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        role: 'checkbox',
        name: /^Require two-factor/,
        uses: ['team/person-panel.tsx team.requireTwoFactor'],
      },
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: /^Remove the role for/,
        uses: ['team/person-panel.tsx team.revokeRole', 'team/person-panel.tsx team.grantRole'],
      },
      {
        asks: 'team/team-page.tsx team:manage',
        at: 'anywhere',
        name: 'Sign out everywhere',
        uses: ['team/person-panel.tsx team.endSessions', 'team/issued-part.tsx team.revokeIssued'],
      },
    ],
  },
];

const SCHEDULE = { 'scheduledReports.list': [], 'scheduledReports.lists': [] };

/** Reports and exports. */
const REPORTS: readonly Scene[] = [
  {
    title: 'Exporting a list',
    list: () => <ExportButton list="payments" filter={{}} />,
    controls: [{ asks: 'components/export-button/export-button.tsx report:export', at: 'page', name: 'Export' }],
  },
  {
    title: 'Reports',
    answers: { ...NAMES },
    list: () => <ReportsPage operation="volume" />,
    controls: [{ asks: 'reports/reports-page.tsx report:export', at: 'page', role: 'link', name: 'Scheduled reports' }],
  },
  {
    title: 'Scheduled reports',
    answers: SCHEDULE,
    list: () => <SchedulesPage />,
    controls: [
      {
        asks: 'reports/scheduled/schedules-page.tsx report:export',
        at: 'page',
        name: 'Schedule a report',
        // Those who may not export are shown no schedule.
        uses: ['create', 'update']
          .map((name) => `reports/scheduled/schedule-dialog.tsx scheduledReports.${name}`)
          .concat(
            ['pause', 'remove', 'resume', 'retry', 'revokeLink', 'sendNow'].map(
              (name) => `reports/scheduled/schedule-panel.tsx scheduledReports.${name}`,
            ),
          ),
      },
    ],
  },
  {
    title: 'Overcharges for the gateway',
    answers: {
      'fees.sums': [
        {
          currency: 'NGN',
          payments: 4,
          expected: '1',
          charged: '2',
          overcharge: '1',
          overcharged: 1,
          undercharge: '0',
          undercharged: 0,
          difference: '1',
          amount: '9',
          compared: 4,
          withoutContract: 0,
          withoutFee: 0,
        },
      ],
      'fees.rates': [],
      'fees.list': { items: [], next: null },
      'fees.months': both(({ merchantId, tag }) => ({
        merchantId,
        merchantName: tag,
        accountId: `acc-${tag}`,
        accountLabel: `${tag} main`,
        month: '2026-02',
        currency: 'NGN',
        payments: 4,
        expected: '1',
        charged: '2',
        difference: '1',
        overcharged: 1,
        overcharge: '1',
      })),
    },
    list: () => <FeesPage />,
    controls: [{ asks: 'fees/audit-section.tsx report:export', role: 'link', name: /^CSV of the overcharges/ }],
  },
  {
    title: 'Machine tokens',
    answers: { 'machineTokens.list': [] },
    list: () => <TokensPage publicUrl="https://pay.example" />,
    controls: [
      {
        asks: 'developers/tokens/tokens-page.tsx report:export',
        at: 'anywhere',
        role: 'heading',
        name: 'The last thirty days by day',
      },
    ],
  },
  {
    title: 'The scopes of a machine token',
    answers: NAMES,
    list: () => <IssueTokenDialog publicUrl="https://pay.example" onDone={nothing} onClose={nothing} />,
    controls: [{ asks: 'developers/tokens/token-dialogs.tsx report:export', at: 'anywhere', role: 'checkbox', name: /report/i }],
  },
];

/** The command menu's actions, by what they lead to: the right, and for all merchants where the page says so. */
const COMMAND_RIGHTS: Readonly<Record<string, readonly [Permission, 'page' | 'workspace']>> = {
  'gateways.connect': ['gateway:configure', 'page'],
  'payments.export': ['report:export', 'page'],
  'settlements.bank': ['reconciliation:resolve', 'page'],
  'health.thresholds': ['health:read', 'page'],
  'routing.draft': ['routing:publish', 'page'],
  'routing.import': ['routing:publish', 'page'],
  'key.issue': ['key:issue', 'page'],
  'webhook.create': ['webhook:configure', 'page'],
  'merchant.create': ['merchant:create', 'workspace'],
  'team.invite': ['team:manage', 'page'],
};
const ACTIONS = COMMANDS.flatMap(({ commands }) => commands).filter(
  ({ id, permission }) => permission !== undefined && !id.startsWith('go:'),
);

/** Actions of the command menu that take a right and have no line, and lines without an action. */
export function commandsWithoutLine(): readonly string[] {
  const ids = ACTIONS.map(({ id }) => id);
  const lines = Object.keys(COMMAND_RIGHTS);
  return [...ids.filter((id) => !lines.includes(id)), ...lines.filter((id) => !ids.includes(id))];
}

const menu = () => <CommandBar />;
async function openMenu(): Promise<void> {
  await act(async () => openOverlay('commands'));
}

async function typeDrain(): Promise<void> {
  await openMenu();
  fireEvent.change(await screen.findByRole('combobox', { name: 'Search' }), { target: { value: 'drain' } });
}

const SHELL: readonly Scene[] = [
  {
    title: 'The command menu',
    answers: { ...NAMES, 'gateways.kinds': [] },
    list: menu,
    first: openMenu,
    controls: ACTIONS.flatMap(({ id, label }) => {
      const [permission, at] = COMMAND_RIGHTS[id] ?? [];
      if (permission === undefined || at === undefined) return [];
      return [{ asks: `app-shell/commands/commands.ts ${permission}`, at, role: 'option' as const, name: label }];
    }),
  },
  {
    title: 'Draining by the command menu',
    answers: {
      ...NAMES,
      'gateways.kinds': [],
      'gateways.list': both(({ merchantId, tag }) => ({
        id: `acc-${tag}`,
        label: 'main',
        gateway: 'paystack',
        merchantId,
        merchantName: tag,
        enabled: true,
      })),
      'payments.list': { items: [], next: null },
    },
    list: menu,
    isWhole: true,
    first: typeDrain,
    controls: [
      { asks: 'app-shell/commands/command-menu.tsx override:set', role: 'option', name: ({ tag }) => `Drain main of ${tag}` },
      {
        asks: 'app-shell/commands/command-menu.tsx override:set',
        at: 'workspace',
        role: 'option',
        name: 'Drain Paystack for all merchants',
      },
    ],
  },
  {
    title: 'The navigation',
    list: () => <NavList />,
    controls: NAVIGATION.flatMap(({ entries }) => entries).flatMap(({ label, permission }) =>
      permission === undefined
        ? []
        : [
            {
              asks: `app-shell/navigation/navigation.ts ${permission}`,
              at: 'anywhere' as const,
              role: 'link' as const,
              name: label,
            },
          ],
    ),
  },
];

/** Keys, merchants, webhooks, privacy, books, rules, the team, reports and the frame. */
export const ADMIN_SCENES: readonly Scene[] = [
  ...KEYS,
  ...MERCHANTS,
  ...WEBHOOKS,
  ...PRIVACY,
  ...BOOKS,
  ...ROUTING,
  ...TEAM,
  ...REPORTS,
  ...SHELL,
];
