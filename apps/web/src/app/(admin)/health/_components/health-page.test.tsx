// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { button, expectCalls, hrefOf, openDashboard, radio, textOf } from '#/testing/dashboard.tsx';
import { HealthPage } from './health-page.tsx';

const page = openDashboard('?mode=live', '/health');
const MINUTE = 60_000;
const TO = new Date('2024-11-21T13:00:00Z');
const FROM = new Date(TO.getTime() - 90 * MINUTE);
const AT = new Date('2024-11-21T12:30:00Z');
const FUTURE = new Date('2099-01-02T03:04:00Z');
const SLOW = {
  code: 'slow',
  gateway: 'Paystack',
  method: 'CARD',
  state: 'down',
  since: AT.toISOString(),
  again: false,
  latencyMs: 9_000,
  usualMs: null,
};
const SLOW_TEXT = 'Down since 13:30: checkouts take 9.0 s on average (Paystack, card).';
const method = (change: object) => ({
  method: null,
  state: 'healthy',
  why: { code: 'unused' },
  judgedBy: 'own',
  since: null,
  succeeded: 0,
  faulted: 0,
  probesLeft: 0,
  ...change,
});
const OVERRIDE = {
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
};
const account = (change: object = {}) => ({
  accountId: 'acc-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  label: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  enabled: true,
  fault: null,
  overrides: [],
  planned: [],
  health: [
    method({}),
    method({ method: 'CARD', state: 'down', why: SLOW, judgedBy: 'method', since: AT, faulted: 18, succeeded: 4 }),
    method({ method: 'USSD', judgedBy: 'account' }),
  ],
  ...change,
});
const strip = (of: string | null, succeeded: number, faulted: number) => ({
  accountId: 'acc-1',
  method: of,
  steps: [0, 89],
  succeeded: [succeeded, 1],
  faulted: [faulted, 0],
  latencyMs: [800, 200],
  lookupsAnswered: [7, 0],
  lookupsFailed: [0, 1],
});
const show = (overview: object = {}) => {
  page.on('health.overview', () => ({ accounts: [account()], trouble: [], ...overview }));
  return page.show(<HealthPage />);
};
const problems = () =>
  within(screen.getByRole('region', { name: 'Current problems' }))
    .getAllByRole('listitem')
    .map(textOf);

beforeEach(() => {
  page.allow('health:read');
  page.on('health.strips', () => ({ from: FROM, to: TO, stepMs: MINUTE, strips: [strip(null, 1_200, 0), strip('CARD', 3, 18)] }));
  page.on('health.states', () => ({
    series: [
      {
        accountId: 'acc-1',
        method: 'CARD',
        spans: [{ state: 'down', from: AT, to: null }],
        outages: [{ worst: 'down', from: AT, to: TO, why: SLOW }],
      },
      { accountId: 'acc-1', method: null, spans: [], outages: [{ worst: 'down', from: AT, to: TO, why: SLOW }] },
    ],
  }));
  page.on('health.feed', () => ({ items: [], next: null }));
  page.on('health.people', () => new Map([['s-1', 'Ada Obi']]));
  page.on('health.errorBudgets', () => []);
});

describe('current problems', () => {
  test('are a sentence each: what gateways share, who refuses us, what is down, what is held', async () => {
    show({
      trouble: [
        {
          method: 'CARD',
          gateways: [
            { gateway: 'Paystack', since: AT.getTime() },
            { gateway: 'Kora', since: AT.getTime() },
          ],
        },
      ],
      accounts: [
        account({ overrides: [OVERRIDE, { ...OVERRIDE, overrideId: 'o-2', action: 'force', reason: 'Trial' }] }),
        account({ accountId: 'acc-2', label: 'kora-main', fault: { kind: 'credentials', sentence: 'Kora refuses its key.' } }),
        account({ accountId: 'acc-3', label: 'off', enabled: false, fault: { kind: 'settings', sentence: 'It is off anyway.' } }),
      ],
    });
    await screen.findByRole('region', { name: 'Current problems' });
    expect(problems()).toEqual([
      'Trouble with card at 2 gateways at once (Paystack since 13:30, Kora since 13:30): the cause is likely card itself, not one gateway.',
      'Credentials refusedOut of rotation: Kora refuses its key. kora-main of Balogun Books',
      `Down${SLOW_TEXT} paystack-main of Balogun Books`,
      'Drained: Upkeep · Forced first: Trial paystack-main of Balogun Books',
    ]);
    expect(hrefOf(/Kora refuses its key/)).toBe('/gateways?mode=live&account=acc-2');
  });

  test('of an account as a whole are said once, for the account', async () => {
    const bad = { state: 'degraded', why: { ...SLOW, state: 'degraded' } };
    show({ accounts: [account({ health: [method(bad), method({ ...bad, method: 'CARD', judgedBy: 'account' })] })] });
    await screen.findByRole('region', { name: 'Current problems' });
    expect(problems()).toEqual([`Degraded${SLOW_TEXT.replace('Down', 'Degraded')} paystack-main of Balogun Books`]);
  });

  test.each([
    [1, 'The account is healthy (1 method)'],
    [2, 'All 2 accounts are healthy (2 methods)'],
  ])('are none: of %d accounts', async (count, words) => {
    const well = [method({}), method({ method: 'CARD' })];
    show({ accounts: Array.from({ length: count }, (_, index) => account({ accountId: `acc-${index}`, health: well })) });
    await screen.findByRole('region', { name: 'Current problems' });
    expect(problems()).toEqual([words]);
  });

  test('are none of accounts that are switched off, which are not counted as healthy', async () => {
    const well = [method({}), method({ method: 'CARD' })];
    show({ accounts: [account({ health: well }), account({ accountId: 'acc-2', label: 'off', enabled: false, health: well })] });
    await screen.findByRole('region', { name: 'Current problems' });
    expect(problems()).toEqual(['The account is healthy (1 method)']);
  });

  test('that the incident banner names are not said twice', async () => {
    page.allow('health:read', 'alert:read');
    page.on('alerts.outage', () => ({ accounts: [{ accountId: 'acc-1' }] }));
    show();
    await screen.findByRole('article');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Current problems' })).toBeNull());
  });
});

describe('an account', () => {
  const rows = () =>
    within(screen.getByRole('article', { name: 'paystack-main at Paystack of Balogun Books' }))
      .getAllByRole('listitem')
      .map(textOf);

  test('has a row of figures for itself and for each method with checkouts of its own', async () => {
    show();
    await screen.findByText('1,201');
    expect(rows()).toEqual([
      expect.stringMatching(
        /^HealthyAll methodsNot enough data: no checkouts yet\..*Success– now100% averageLatency800 ms1,201 checkouts8 status checks, 1 failed$/,
      ),
      expect.stringMatching(/^DownCardDown since 13:30: .*Success18\.2% now18\.2% averageLatency650 ms22 checkouts$/),
      'USSDHealthy',
    ]);
    button('USSD, paystack-main: Not enough data: no checkouts yet.');
    screen.getByText('No checkouts in the last ninety minutes, same state as all methods:');
    screen.getByRole('img', { name: '4 checkouts answered and 18 failed in the last ninety minutes; in trouble for 30 min.' });
    screen.getByRole('img', { name: '1,201 checkouts answered and 0 failed in the last ninety minutes; healthy throughout.' });
  });

  test('says what an operator has changed, and whether it takes part', async () => {
    show({ accounts: [account({ enabled: false, overrides: [OVERRIDE], planned: [OVERRIDE, OVERRIDE] })] });
    const block = await screen.findByRole('article');
    expect(textOf(within(block).getByRole('heading'))).toBe(
      'Balogun Bookspaystack-mainDisabledDrained, until it is ended2 planned overrides',
    );
  });

  test('is shown over another time, which the address keeps', async () => {
    const user = show();
    await screen.findByText('1,201');
    await user.click(radio('7 days'));
    await waitFor(() => expect(page.calls('health.strips').at(-1)).toMatchObject({ minutes: 10_080, stepSeconds: 7_200 }));
    expect(page.search()).toBe('?mode=live&span=7d');
  });
});

describe('the panel of a method', () => {
  async function open(name: RegExp, overview: object = {}) {
    const user = show(overview);
    await user.click(await screen.findByRole('button', { name }));
    const panel = await screen.findByRole('complementary', { name: 'Health of paystack-main' });
    return { user, panel };
  }
  const CARD = /^Card, paystack-main:/;

  test('has its state, since when and why, and leads to its payments and thresholds', async () => {
    const { panel } = await open(CARD);
    expect(page.search()).toBe('?mode=live&account=acc-1&method=CARD');
    expect(textOf(within(panel).getByRole('banner'))).toContain(`paystack-main, cardDownchanged 21 Nov 2024, 13:30${SLOW_TEXT}`);
    expect(hrefOf('Payments at Paystack')).toBe('/payments?mode=live&gateway=paystack');
    expect(within(panel).getByRole('link', { name: 'Thresholds' }).getAttribute('href')).toBe(
      '/health/thresholds?mode=live&merchant=m-1',
    );
    expect(within(panel).queryByRole('button', { name: 'Set an override' })).toBeNull();
    within(panel).getByText('Only operators and owners can set one.');
    expect(page.calls('health.paymentsBehind')).toEqual([]);
  });

  test.each([
    [{ judgedBy: 'account', state: 'degraded' }, 'Too few checkouts by card, same state as all methods.'],
    [{ judgedBy: 'others', state: 'degraded' }, /The first checkout that succeeds here ends this/],
    [{ state: 'probing', probesLeft: 2 }, /2 more in a row must succeed/],
    [{ state: 'probing', probesLeft: 0 }, /All probe payments succeeded/],
  ])('explains a state that is not plain: %j', async (change, words) => {
    const { panel } = await open(CARD, {
      accounts: [account({ health: [method({}), method({ method: 'CARD', judgedBy: 'method', ...change })] })],
    });
    within(panel).getByText(words);
  });

  test('says of an account that is down by other merchants’ checkouts alone that it is, now, in its strip and its days', async () => {
    const why = {
      code: 'fails_for_others',
      gateway: 'Paystack',
      method: 'CARD',
      state: 'down',
      since: AT,
      faulted: 5,
      samples: 5,
    };
    const spans = [
      { state: 'healthy', from: new Date(0), to: AT, why: null },
      { state: 'down', from: AT, to: null, why },
    ];
    page.on('health.states', () => ({
      from: AT,
      to: TO,
      cut: false,
      series: [{ accountId: 'acc-1', method: 'CARD', spans, outages: [] }],
    }));
    const { panel } = await open(CARD, {
      accounts: [
        account({ health: [method({}), method({ method: 'CARD', state: 'down', judgedBy: 'others', why, since: AT })] }),
      ],
    });
    await within(panel).findAllByText('Down for others');
    within(panel).getByText(/checkouts of other merchants failed, and this account opened none since/);
    await within(panel).findByRole('img', { name: /in trouble for .*, for other merchants alone\./ });
    expect(panel.querySelectorAll('[data-state="down"][data-others="true"]').length).toBeGreaterThan(0);
    expect(within(panel).getAllByText(/down at worst, not healthy for .*, for other merchants alone/).length).toBeGreaterThan(0);
  });

  test('has the evidence for those who may see payments: counts, and the checkouts that failed', async () => {
    page.allow('health:read', 'payment:read');
    page.on('health.paymentsBehind', () => ({
      from: AT,
      to: TO,
      counts: {
        succeeded: 4,
        faulted: 1_018,
        timedOut: 1_000,
        refused: 18,
        serverError: 0,
        rateLimited: 0,
        malformed: 0,
        lookupsAnswered: 7,
        lookupsFailed: 2,
      },
      attempts: [
        {
          attemptId: 'at-1',
          paymentId: 'p-1',
          merchantOrderId: 'order-7',
          currency: 'NGN',
          amount: 12_500n,
          failureMessage: null,
          failureCode: 'timeout',
          latencyMs: 10_000,
          createdAt: AT,
        },
      ],
    }));
    const { user, panel } = await open(CARD);
    const evidence = await within(panel).findByRole('region', { name: 'Evidence' });
    await within(evidence).findByText('order-7');
    expect(textOf(evidence)).toContain(
      '13:30 to 14:00: 4 checkouts opened, 1,018 failed because of the gateway (1000 timed out, 18 could not connect). Status checks and probes: 7 succeeded, 2 failed.',
    );
    expect(textOf(within(evidence).getByRole('listitem'))).toBe('order-7NGN 12,500.00timeoutafter 10.0 s, 21 Nov 2024, 13:30');
    expect(hrefOf('order-7')).toBe('/payments/p-1?mode=live');
    expect(page.calls('health.paymentsBehind')[0]).toMatchObject({ method: 'CARD', at: AT });
    await user.click(within(evidence).getByRole('radio', { name: 'Now' }));
    await waitFor(() => expect(page.calls('health.paymentsBehind').at(-1)).toMatchObject({ at: null }));
  });

  test('has the budget of failures, how fast it burns, and what is too little for a share', async () => {
    page.on('health.errorBudgets', () => [
      { method: null, opened: 12_000, failed: 90, allowed: 60.4, used: 1.5, burnRate: 2.04, target: 0.995 },
      { method: 'CARD', opened: 12, failed: 1, allowed: 0.06, used: 16.7, burnRate: null, target: 0.995 },
    ]);
    const { panel } = await open(CARD);
    const budget = await within(panel).findByRole('region', { name: 'Error budget by method' });
    expect(
      within(budget)
        .getAllByRole('row')
        .slice(1)
        .map((row) => [...row.querySelectorAll('th,td')].map(textOf)),
    ).toEqual([
      ['All methods', '90 of 12,000', '60', '150% (overspent)', '2.0×'],
      ['Card', '1 of 12', '0.1', '– (overspent)', '–'],
    ]);
    expect(textOf(panel)).toContain('Target 99.5% of checkouts opened: used is failed ÷ (0.5% of all checkouts');
  });

  test('has its figures as a table of the steps that had any, the latest first', async () => {
    const { user, panel } = await open(CARD);
    const recent = await within(panel).findByRole('region', { name: 'Over the last ninety minutes' });
    await user.click(within(recent).getByRole('radio', { name: 'Table' }));
    expect(
      within(recent)
        .getAllByRole('row')
        .map((row) => [...row.querySelectorAll('th,td')].map(textOf)),
    ).toEqual([
      ['From, 1 min each', 'Answered', 'Failed', 'Success rate', 'Latency'],
      ['13:59', '1', '0', '1 of 1', '200 ms'],
      ['12:30', '3', '18', '14.3%', '800 ms'],
    ]);
  });

  test('has its overrides with who set them; those who may end one are asked first', async () => {
    page.allow('health:read', 'override:set');
    page.on('health.endOverride', () => ({ kind: 'ended' }));
    const { user, panel } = await open(CARD, {
      accounts: [
        account({ overrides: [OVERRIDE], planned: [{ ...OVERRIDE, overrideId: 'o-2', action: 'force', startsAt: FUTURE }] }),
      ],
    });
    const overrides = await within(panel).findByRole('region', { name: 'Overrides' });
    await within(overrides).findAllByText(/By Ada Obi/);
    expect(within(overrides).getAllByRole('listitem').map(textOf)).toEqual([
      'Drained, all methodsUpkeepBy Ada Obi, 21 Nov 2024, 13:30; until it is endedEnd',
      'Planned: force first, all methodsUpkeepBy Ada Obi, 21 Nov 2024, 13:30; starts 2 Jan 2099, 04:04, until it is endedCancel',
    ]);
    await user.click(within(overrides).getByRole('button', { name: 'End' }));
    const dialog = await screen.findByRole('dialog', { name: 'End the override of paystack-main, all methods?' });
    expect(textOf(dialog)).toContain('Drained for “Upkeep”. Once it ends, rules and health decide again');
    await user.click(within(dialog).getByRole('button', { name: 'End override' }));
    await expectCalls(page, 'health.endOverride', [{ merchantId: 'm-1', overrideId: 'o-1' }]);
    await waitFor(() =>
      expect(page.toasts()).toEqual(['Override ended: paystack-main, all methods follows rules and health again.']),
    );
  });

  test('goes to another method of the account, and closes with Escape', async () => {
    const { user, panel } = await open(CARD);
    await user.click(within(panel).getByRole('button', { name: 'USSD' }));
    await waitFor(() => expect(page.search()).toBe('?mode=live&account=acc-1&method=USSD'));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(page.search()).toBe('?mode=live'));
  });
});

describe('what happened', () => {
  test('outages are listed once each: an account’s own only where no method had it', async () => {
    show();
    const outages = await screen.findByRole('region', { name: 'Outages' });
    await within(outages).findByRole('listitem');
    expect(within(outages).getAllByRole('listitem').map(textOf)).toEqual([
      `Downpaystack-main of Balogun Books, Card${SLOW_TEXT}21 Nov 2024, 13:30for 30 min`,
    ]);
  });

  test('of many outages the latest are shown first, the others when asked', async () => {
    page.on('health.states', () => ({
      series: [
        {
          accountId: 'acc-1',
          method: 'CARD',
          spans: [],
          outages: Array.from({ length: 9 }, (_, day) => ({
            worst: 'degraded',
            from: new Date(AT.getTime() - day * 86_400_000),
            to: day === 0 ? null : new Date(AT.getTime() - day * 86_400_000 + MINUTE),
            why: { ...SLOW, state: 'degraded' },
          })),
        },
      ],
    }));
    const user = show();
    await user.click(await screen.findByRole('button', { name: 'Show all 9' }));
    const entries = within(screen.getByRole('region', { name: 'Outages' }))
      .getAllByRole('listitem')
      .map(textOf);
    expect(entries).toHaveLength(9);
    expect(entries[0]).toMatch(
      /^Degradedpaystack-main of Balogun Books, CardDegraded since 13:30: .*21 Nov 2024, 13:30ongoing, \d+ d( \d+ h)?$/,
    );
  });

  const item = (change: object) => ({
    kind: 'health',
    eventId: 'e-1',
    accountId: 'acc-1',
    accountLabel: 'paystack-main',
    merchantName: 'Balogun Books',
    method: 'CARD',
    toState: 'down',
    why: SLOW,
    reason: null,
    action: null,
    actor: null,
    startsAt: null,
    at: AT,
    ...change,
  });
  const set = { kind: 'override_set', action: 'drain', actor: 'staff:s-1', method: null, why: null, reason: 'Upkeep' };
  test.each<[string, object, string]>([
    ['a change of health', {}, `Downpaystack-main, Card Balogun Books${SLOW_TEXT}`],
    ['an override', set, 'Overridepaystack-main, all methods Balogun BooksDrained by Ada Obi: Upkeep'],
    [
      'one that is planned',
      { ...set, startsAt: FUTURE },
      'Plannedpaystack-main, all methods Balogun BooksDrained from 2 Jan, 04:04, planned by Ada Obi: Upkeep',
    ],
    ['one that began', { ...set, kind: 'override_began', startsAt: AT }, 'Drained as planned by Ada Obi: Upkeep'],
    [
      'one that was ended',
      { ...set, kind: 'override_ended' },
      'Override endedpaystack-main, all methods Balogun BooksNo longer drained, by Ada Obi',
    ],
    ['one that expired', { ...set, kind: 'override_ended', actor: 'system:expiry' }, 'No longer drained: it expired'],
    ['one that was cancelled', { ...set, kind: 'override_ended', startsAt: FUTURE }, 'Planned override cancelled by Ada Obi'],
  ])('the activity says of %s what it was, and whose doing', async (_what, change, words) => {
    page.on('health.feed', () => ({ items: [item(change)], next: null }));
    show();
    const feed = await screen.findByRole('region', { name: 'Feed' });
    await waitFor(() => expect(within(feed).getAllByRole('listitem').map(textOf).join()).toContain(words));
  });

  test('without any says what would be listed', async () => {
    show();
    await screen.findByText('No activity yet. Changes of health and overrides are listed here.');
  });
});

describe('without data', () => {
  test('a workspace without accounts says who can connect one', async () => {
    show({ accounts: [] });
    await screen.findByRole('heading', { name: 'No live accounts to watch yet' });
    screen.getByText('Only operators and owners can connect one.');
  });

  test('health that could not be read says why, and is tried again', async () => {
    page.on('health.overview', () => {
      throw new Error('The database is unavailable.');
    });
    const user = page.show(<HealthPage />);
    await screen.findByText('The database is unavailable.');
    page.on('health.overview', () => ({ accounts: [account()], trouble: [] }));
    await user.click(button('Try again'));
    await screen.findByRole('article');
  });

  test('a connection that is lost is said, with what is shown from when', async () => {
    show();
    await screen.findByRole('article');
    await page.server().failSubscriptions('health.live', 'No network.');
    expect(textOf((await screen.findByText('Connection lost')).parentElement as HTMLElement)).toMatch(
      /^Connection lost, updated/,
    );
  });
});
