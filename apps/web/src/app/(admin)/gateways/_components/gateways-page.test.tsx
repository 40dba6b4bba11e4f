// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { button, expectCalls, factsIn, hrefOf, openDashboard, textOf } from '#/testing/dashboard.tsx';
import { type Account, describeCredential, describeFees, describeLimits, describeRefusal } from './copy.ts';
import { GatewaysPage } from './gateways-page.tsx';

const page = openDashboard('?mode=test', '/gateways');
const AT = new Date('2024-11-21T13:02:00Z');
const FEES = { percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 750 };
const ACCOUNT: Account = {
  merchantId: 'm-1',
  id: 'acc-1',
  mode: 'test',
  gateway: 'kora',
  label: 'kora-main',
  enabled: true,
  hasCredentials: true,
  credentialHint: { secretKey: '3f9a' },
  currencies: ['NGN', 'KES'],
  methods: ['CARD', 'MOBILE_MONEY'],
  minAmount: 50n,
  maxAmount: 1_000_000n,
  fees: FEES,
  baseUrl: null,
  configurationFault: null,
  configurationFaultMessage: null,
  configurationFaultAt: null,
  connectionTestedAt: null,
  createdAt: AT,
  updatedAt: AT,
  fault: null,
  merchantName: 'Balogun Books',
  webhookUrl: 'https://pay.example/webhooks/kora/acc-1',
};
const field = (name: string, label: string, required: boolean) => ({ name, label, help: null, secret: true, required });
const KIND = {
  name: 'kora',
  title: 'Kora',
  currencies: ['NGN'],
  methods: ['CARD'],
  minAmount: 50,
  maxAmount: null,
  fields: [field('secretKey', 'Secret key', true), field('hash', 'Webhook secret', true), field('sub', 'Sub-account', false)],
  publishedFees: [],
};
const SLOW = {
  code: 'slow',
  gateway: 'Paystack',
  method: 'CARD',
  state: 'degraded',
  since: AT.toISOString(),
  again: false,
  latencyMs: 9_000,
  usualMs: null,
};
const health = (change: object = {}) => ({
  accountId: 'acc-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  label: 'kora-main',
  enabled: true,
  overrides: [],
  planned: [],
  health: [
    { method: null, state: 'healthy', why: { code: 'unused' }, judgedBy: 'own', since: null },
    { method: 'CARD', state: 'degraded', why: SLOW, judgedBy: 'own', since: AT },
    { method: 'MOBILE_MONEY', state: 'healthy', why: { code: 'unused' }, judgedBy: 'account', since: null },
  ],
  ...change,
});
const USAGE = { payments: 1_234, rules: [{ name: 'Cards' }], defaultPlace: 2, onlyFor: ['MOBILE_MONEY'] };
const WEBHOOKS = {
  lastGenuineAt: AT,
  refused: [
    { why: 'bad_signature', hourAt: new Date(Date.now() - 3_600_000), count: 1_200 },
    { why: 'bad_signature', hourAt: AT, count: 34 },
    { why: 'too_big', hourAt: AT, count: 1 },
  ],
  webhooks: [
    { id: 'w-1', event: 'charge.success', reference: 'pay_1', state: 'PROCESSED', deliveries: 2, receivedAt: AT },
    { id: 'w-2', event: 'transfer.success', reference: null, state: 'IGNORED', deliveries: 1, receivedAt: AT },
  ],
  next: null,
};

beforeEach(() => {
  page.allow('gateway:read');
  page.on('gateways.list', () => [ACCOUNT]);
  page.on('gateways.use', () => [{ accountId: 'acc-1', payments: 1_234 }]);
  page.on('gateways.kinds', () => [KIND]);
  page.on('gateways.usage', () => USAGE);
  page.on('gateways.feeExamples', () => [{ amount: 2_000, sentence: 'NGN 2,000.00 by card costs NGN 32.00.' }]);
  page.on('gateways.webhooks', () => WEBHOOKS);
  page.on('gateways.webhookCounts', () => ({
    all: { count: 2, more: false },
    byState: { RECEIVED: { count: 0, more: false }, PROCESSED: { count: 1, more: false }, IGNORED: { count: 1, more: false } },
  }));
  page.on('health.overview', () => ({ accounts: [health()] }));
});
const showPage = () => page.show(<GatewaysPage />);
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Accounts at Kora' }))
    .getAllByRole('listitem')
    .map(textOf);
async function open(change: Partial<Account> = {}) {
  page.on('gateways.list', () => [{ ...ACCOUNT, ...change }]);
  const user = showPage();
  await user.click(await screen.findByRole('button', { name: 'Balogun Books' }));
  const panel = await screen.findByRole('complementary', { name: 'Account kora-main' });
  await within(panel).findByRole('list', { name: 'Health by method' });
  return { user, panel };
}
const part = (name: string) => screen.getByRole('region', { name });

describe('accounts', () => {
  test('have their methods, limits, fees, worst state and the payments of a day', async () => {
    showPage();
    await screen.findByText('Degraded');
    await screen.findByText('1,234');
    expect(await rows()).toEqual([
      'Balogun Bookskora-mainDegradedCard, Mobile moneyNGN, KES 50 to 1,000,000Fees: 1.5% + 100, the 100 waived below 2,500, capped at 2,000, 7.5% VAT on top1,234 payments in 24 h',
    ]);
  });

  test.each<[string, Partial<Account>, string]>([
    ['is off', { enabled: false, hasCredentials: false }, 'Disabled'],
    ['has no credentials', { hasCredentials: false }, 'No credentials'],
    ['is refused by its gateway', { fault: { kind: 'settings', sentence: 'x', message: '', since: AT } }, 'Settings refused'],
  ])('that %s says that before its health', async (_what, change, badge) => {
    page.on('gateways.list', () => [{ ...ACCOUNT, ...change }]);
    showPage();
    await screen.findByText('1,234');
    expect((await rows())[0]).toContain(`kora-main${badge}Card`);
  });

  test('without a known state are enabled, and without payments have none', async () => {
    page.on('health.overview', () => ({ accounts: [] }));
    page.on('gateways.use', () => []);
    showPage();
    await screen.findByText('Enabled');
    expect((await rows())[0]).toContain('0 payments in 24 h');
  });

  test('of several merchants stand under their gateways, and are searched once they are many', async () => {
    const titles = () => screen.getAllByRole('heading', { level: 2 }).map(textOf);
    page.on('gateways.list', () =>
      Array.from({ length: 9 }, (_, index) => ({
        ...ACCOUNT,
        id: `acc-${index}`,
        gateway: index < 2 ? 'paystack' : 'kora',
        merchantName: `Shop ${index}`,
      })),
    );
    const user = showPage();
    await screen.findByText('Shop 8');
    expect(titles()).toEqual(['Kora7 accounts', 'Paystack2 accounts']);
    await user.type(screen.getByRole('searchbox', { name: 'Search accounts' }), 'paystack 1');
    await waitFor(() => expect(titles()).toEqual(['Paystack1 account']));
    await user.type(screen.getByRole('searchbox', { name: 'Search accounts' }), ' x');
    await screen.findByText('No account matches.');
  });

  test('are connected only by those who may, and others read who can', async () => {
    page.on('gateways.list', () => []);
    showPage();
    await screen.findByRole('heading', { name: 'No test accounts yet' });
    screen.getByText('Only operators and owners can connect and change accounts.');
    expect(screen.queryByRole('button', { name: 'Connect an account' })).toBeNull();
  });

  test('that could not be read say why', async () => {
    page.on('gateways.list', () => {
      throw new Error('The database is unavailable.');
    });
    showPage();
    await screen.findByText('The database is unavailable.');
  });
});

describe('an account', () => {
  test('has its health by method; methods without figures of their own are named together', async () => {
    await open();
    expect(
      within(screen.getByRole('list', { name: 'Health by method' }))
        .getAllByRole('listitem')
        .map(textOf),
    ).toEqual([
      'HealthyAll methods Not enough data: no checkouts yet.',
      'DegradedCard Degraded since 14:02: checkouts take 9.0 s on average (Paystack, card).',
    ]);
    screen.getByText('Too few checkouts for a state of their own: Mobile money.');
    expect(hrefOf('Card')).toBe('/health?mode=test&account=acc-1&method=CARD');
  });

  test('has its overrides, those that are planned with their beginning', async () => {
    const override = {
      overrideId: 'o-1',
      gateway: null,
      action: 'drain',
      method: null,
      reason: 'Upkeep.',
      startsAt: null,
      expiresAt: AT,
    };
    page.on('health.overview', () => ({
      accounts: [
        health({
          overrides: [override],
          planned: [{ ...override, overrideId: 'o-2', action: 'force', method: 'CARD', startsAt: AT }],
        }),
      ],
    }));
    await open();
    expect(textOf(screen.getByText(/^Drained,/).parentElement as HTMLElement)).toBe(
      'Drained, all methods Upkeep. ends 21 Nov 2024, 14:02',
    );
    expect(textOf(screen.getByText(/^Planned: force first/).parentElement as HTMLElement)).toBe(
      'Planned: force first, card Upkeep. starts 21 Nov 2024, 14:02 ends 21 Nov 2024, 14:02',
    );
  });

  test('has its settings, and never more of a credential than its end', async () => {
    await open();
    expect(factsIn(part('Settings'))).toMatchObject({
      Methods: 'Card, Mobile money',
      Amounts: 'NGN, KES 50 to 1,000,000',
      Connected: '21 Nov 2024, 14:02',
    });
    expect(factsIn(part('Settings'))).not.toHaveProperty('Base address');
    expect(factsIn(part('Credentials'))).toEqual({
      'Secret key': '····3f9a',
      'Webhook secret': 'set, too short to show its end',
      'Sub-account': 'None, or too short to show its end',
    });
    await within(part('Settings')).findByText('NGN 2,000.00 by card costs NGN 32.00.');
  });

  test('without credentials or fees says what that means', async () => {
    await open({ hasCredentials: false, fees: null });
    within(part('Credentials')).getByText('No payment can go there until credentials are added.');
    within(part('Settings')).getByText(/Without fees, the account is left out where the cheapest is chosen/);
    expect(page.calls('gateways.feeExamples')).toEqual([]);
  });

  test('out of rotation says why and since when', async () => {
    await open({ fault: { kind: 'credentials', sentence: 'Kora refuses its credentials.', message: 'Invalid key', since: AT } });
    expect(textOf(part('Connection'))).toContain('Out of rotation. Kora refuses its credentials. 21 Nov 2024, 14:02Invalid key');
  });

  test('is tested by those who may, with the result and what only the gateway shows', async () => {
    page.allow('gateway:configure');
    page.on('gateways.testConnection', () => ({
      verdict: 'configuration',
      sentence: 'The key is wrong.',
      toCheck: ['The webhook address.'],
    }));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Test connection' }));
    await screen.findByText('Does not work.');
    expect(textOf(within(part('Connection')).getByRole('status'))).toContain('Does not work. The key is wrong.');
    within(part('Connection')).getByText('The webhook address.');
    await expectCalls(page, 'gateways.testConnection', [{ accountId: 'acc-1' }]);
  });

  test('is changed, tested and switched by nobody else, and its webhooks are not shown', async () => {
    const { panel } = await open();
    within(panel).getByText('Only operators and owners can test the connection.');
    within(panel).getByText('Only operators and owners can enable or disable accounts.');
    expect(within(panel).queryByRole('button', { name: /Edit|Replace|Test|Disable|Drain/ })).toBeNull();
    expect(page.calls('gateways.webhooks')).toEqual([]);
  });

  test.each([
    [
      { payments: 1, rules: [], defaultPlace: null, onlyFor: [] },
      '1 payment went there in the last 24 hours; no rule names it, not in the default order.',
    ],
    [USAGE, '1,234 payments went there in the last 24 hours; named by the rule “Cards”, number 2 in the default order.'],
    [
      { ...USAGE, rules: ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name })) },
      '1,234 payments went there in the last 24 hours; named by 5 rules: “A”, “B”, “C” and 2 more, number 2 in the default order.',
    ],
  ])('says what depends on it: %j', async (usage, words) => {
    page.on('gateways.usage', () => usage);
    await open();
    await screen.findByText(words);
  });

  test('is disabled only after its effect was shown, with the payments that would fail', async () => {
    page.allow('gateway:configure');
    const { user } = await open();
    await screen.findByText(/1,234 payments went there/);
    await user.click(await screen.findByRole('button', { name: 'Disable kora-main' }));
    const dialog = await screen.findByRole('dialog', { name: 'Disable kora-main?' });
    expect(textOf(dialog)).toContain('No other account takes mobile money: those payments would fail.');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog', { name: 'Disable kora-main?' })).toBeNull();
  });

  test('that is off is enabled again; the payments that come with it are named', async () => {
    page.allow('gateway:configure');
    const { user } = await open({ enabled: false });
    await screen.findByText(/1,234 payments went there/);
    await user.click(await screen.findByRole('button', { name: 'Enable kora-main' }));
    expect(textOf(await screen.findByRole('dialog', { name: 'Enable kora-main?' }))).toContain(
      'New test payments go there again at once',
    );
  });
});

describe('the webhooks of an account', () => {
  const region = () => screen.findByRole('region', { name: 'Webhook deliveries' });

  test('are those that were stored, and those that were refused by reason', async () => {
    page.allow('webhook:read');
    await open();
    await screen.findByRole('list', { name: 'Stored webhooks' });
    expect(
      within(screen.getByRole('list', { name: 'Stored webhooks' }))
        .getAllByRole('listitem')
        .map(textOf),
    ).toEqual(['Processedcharge.success sent 2 timespay_121 Nov 2024, 14:02', 'Ignoredtransfer.success21 Nov 2024, 14:02']);
    expect(textOf(await region())).toContain('Last genuine webhook 21 Nov 2024, 14:02.');
    expect(within(await region()).getByRole('img', { name: '1200 in the last 48 hours' })).toBeDefined();
    expect(textOf(await region())).toMatch(/Wrong signature1,234.*too big1/);
  });

  test('are filtered by state at the server', async () => {
    page.allow('webhook:read');
    const { user } = await open();
    const states = within(within(await region()).getByRole('group', { name: 'Status' }));
    await waitFor(() =>
      expect(states.getAllByRole('button').map(textOf)).toEqual(['All2', 'To process0', 'Processed1', 'Ignored1']),
    );
    await user.click(states.getByRole('button', { name: /^Ignored/ }));
    await waitFor(() => expect(page.calls('gateways.webhooks').at(-1)).toMatchObject({ accountId: 'acc-1', state: 'IGNORED' }));
  });

  test('that never came say that payments are polled, and offer no filter', async () => {
    page.allow('webhook:read');
    page.on('gateways.webhooks', () => ({ lastGenuineAt: null, refused: [], webhooks: [], next: null }));
    await open();
    await screen.findByText(/No genuine webhook received yet\. Until the address is entered at Kora/);
    screen.getByText('None refused in the last seven days.');
    expect(within(await region()).queryByRole('group', { name: 'Status' })).toBeNull();
  });
});

describe('words', () => {
  test.each([
    [null, 'Not set'],
    [{ ...FEES, flat: 0 }, '1.5%, capped at 2,000, 7.5% VAT on top'],
    [{ ...FEES, flatWaivedBelow: null, cap: null, vatBasisPoints: 0 }, '1.5% + 100'],
  ])('fees of %j are %s', (fees, words) => {
    expect(describeFees(fees)).toBe(words);
  });

  test('limits without an end, credentials without an end, and refusals without a name', () => {
    expect(describeLimits({ minAmount: 50n, maxAmount: null })).toBe('from 50');
    expect(describeCredential({}, 'secretKey')).toBe('set, too short to show its end');
    expect([describeRefusal('stale'), describeRefusal('a_new_one')]).toEqual(['Too old', 'a new one']);
  });

  test('the button to connect is for those who may', async () => {
    page.allow('gateway:configure');
    showPage();
    expect((await screen.findByRole('button', { name: 'Connect an account' })).textContent).toBe('Connect an account');
    expect(button('Refresh')).toBeDefined();
  });
});
