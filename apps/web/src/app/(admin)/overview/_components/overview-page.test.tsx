// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { button, expectCalls, factsIn, hrefOf, openDashboard, radio, tableOf, textOf, undo } from '#/testing/dashboard.tsx';
import { OverviewPage, SetUp } from './overview-page.tsx';
import type { Setup } from './setup/setup-checklist.tsx';

describe('overview page', () => {
  const page = openDashboard('?mode=live', '/overview');
  const DAY_START = new Date('2024-11-20T23:00:00Z');
  const AT = new Date('2024-11-21T13:02:00Z');
  const of = (gateway: string, status: string, count: number, amount: bigint, currency = 'NGN') => ({
    gateway,
    status,
    currency,
    count,
    amount,
  });
  const TODAY = {
    dayStart: DAY_START,
    today: [
      of('paystack', 'SUCCESS', 90, 1_234_567n),
      of('paystack', 'FAILED', 10, 5n),
      of('kora', 'SUCCESS', 30, 999n, 'KES'),
      of('kora', 'SUCCESS', 2, 70n),
      of('', 'FAILED', 3, 1n),
      of('paystack', 'PENDING', 5, 1n),
    ],
    weekAgo: [of('paystack', 'SUCCESS', 50, 1_000_000n), of('paystack', 'FAILED', 50, 1n), of('flutterwave', 'SUCCESS', 3, 8n)],
  };
  const HEALTH = {
    database: { up: true, latencyMs: 4 },
    configuration: { current: true, ageMs: 900 },
    archiving: null,
    gateways: [
      { gateway: 'paystack', mode: 'live', accounts: 3, enabled: 2 },
      { gateway: 'kora', mode: 'live', accounts: 1, enabled: 1 },
      { gateway: 'kora', mode: 'test', accounts: 9, enabled: 9 },
    ],
  };
  const hour = (at: number, payments: number, paid: number, received: bigint, currency = 'NGN') => ({
    hour: at,
    payments,
    paid,
    failed: payments - paid,
    expired: 0,
    received,
    currency,
  });
  const BY_HOUR = {
    asOf: AT,
    dayStart: DAY_START,
    today: [hour(9, 40, 30, 5_000n), hour(9, 3, 3, 70n, 'KES'), hour(14, 1, 1, 1_200n)],
    weekAgo: [hour(9, 19, 19, 800n), hour(20, 30, 15, 1n)],
  };
  const finding = (change: object) => ({
    key: 'k-1',
    incidentId: null,
    severity: 'critical',
    title: 'paystack-main is down',
    why: '18 of 22 checkouts timed out.',
    merchantId: 'm-1',
    merchantName: 'Balogun Books',
    mode: 'live',
    since: AT,
    action: { label: 'Drain', path: '/health', query: { account: 'acc-1' }, needs: 'override:set' },
    ...change,
  });
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
  const ACCOUNT = {
    overrides: [],
    accountId: 'acc-1',
    gatewayTitle: 'Paystack',
    label: 'paystack-main',
    merchantName: 'Balogun Books',
    enabled: true,
    fault: null,
    health: [
      { state: 'healthy', why: { code: 'unused' }, since: null },
      { state: 'down', why: SLOW, since: null },
    ],
  };

  beforeEach(() => {
    page.allow('payment:read', 'health:read');
    page.on('payments.today', () => TODAY);
    page.on('payments.byHour', () => BY_HOUR);
    page.on('payments.list', () => ({ items: [], next: null }));
    page.on('attention.list', () => ({ items: [], incomplete: false }));
    page.on('system.health', () => HEALTH);
    page.on('health.overview', () => ({ accounts: [ACCOUNT] }));
  });
  const showPage = () => page.show(<OverviewPage publicUrl="https://pay.example" />);
  const figures = async () => within(await screen.findByRole('region', { name: 'Today so far' })).getAllByRole('link');
  const findings = () => screen.getByRole('region', { name: /^Needs attention/ });

  describe('today', () => {
    test('is four figures against the same time last week, each of which leads to its payments', async () => {
      showPage();
      const links = await figures();
      expect(links.map(textOf)).toEqual([
        'Received today, NGN1,234,637.00+23% vs 1,000,008.00 same time last week',
        'Payments140+36% vs 103 same time last week',
        'Success rate90.4%13 failed vs 51.5% same time last week',
        'Awaiting payment5 Open checkouts',
      ]);
      const day = 'from=2024-11-21&to=2024-11-21';
      expect(links.map((link) => link.getAttribute('href'))).toEqual([
        `/payments?mode=live&${day}&status=SUCCESS%2CPARTLY_REFUNDED%2CREFUNDED%2CREVERSED&currency=NGN`,
        `/payments?mode=live&${day}`,
        `/payments?mode=live&${day}&status=SUCCESS%2CPARTLY_REFUNDED%2CREFUNDED%2CREVERSED%2CEXPIRED%2CFAILED`,
        `/payments?mode=live&${day}&status=INITIATED%2CPENDING`,
      ]);
    });

    test('of few payments has counts in place of percentages', async () => {
      page.on('payments.today', () => ({ dayStart: DAY_START, today: [of('kora', 'SUCCESS', 3, 70n)], weekAgo: [] }));
      showPage();
      expect((await figures()).map(textOf)).toEqual([
        'Received today, NGN70.00 None at the same time last week',
        'Payments3 None at the same time last week',
        'Success rate3 of 3 None at the same time last week',
        'Awaiting payment0 No open checkouts',
      ]);
    });

    test('distinguishes sessions that expired from payments that failed', async () => {
      page.on('payments.today', () => ({
        dayStart: DAY_START,
        today: [
          of('kora', 'SUCCESS', 30, 70n),
          of('kora', 'FAILED', 4, 1n),
          of('kora', 'EXPIRED', 6, 1n),
          of('kora', 'REVERSED', 10, 1n),
        ],
        weekAgo: [],
      }));
      showPage();
      expect(textOf((await figures())[2] as HTMLElement)).toBe(
        'Success rate80.0%4 failed, 6 expired None at the same time last week',
      );
    });

    test('compares money of one currency, also where last week had more of another', async () => {
      page.on('payments.today', () => ({
        dayStart: DAY_START,
        today: [of('kora', 'SUCCESS', 60, 100n)],
        weekAgo: [of('kora', 'SUCCESS', 50, 900n, 'KES'), of('kora', 'SUCCESS', 30, 50n)],
      }));
      showPage();
      expect(textOf((await figures())[0] as HTMLElement)).toBe('Received today, NGN100.00+100% vs 50.00 same time last week');
    });

    test('by gateway has the money of the header’s currency alone, and its own list', async () => {
      showPage();
      const [header, ...rows] = await tableOf('Today by gateway');
      expect(header).toEqual(['Gateway', 'Received, NGN', 'Payments', 'Success rate']);
      expect(rows).toEqual([
        ['None', '0.00', '3', '0 of 3 vs –'],
        ['Flutterwave', '0.00', '0', '– vs 3 of 3'],
        ['Kora', '70.00', '32', '100.0% vs –'],
        ['Paystack', '1,234,567.00 +23%', '105 +5%', '90.0% vs 50.0%'],
      ]);
      expect(hrefOf('None')).toBe('/payments?mode=live&gateway=NONE&from=2024-11-21&to=2024-11-21');
    });

    test('without payments says so', async () => {
      page.on('payments.today', () => ({ dayStart: DAY_START, today: [], weekAgo: [] }));
      showPage();
      await screen.findByText('No payments today, and none at the same time last week.');
    });
  });

  describe('the hours of today', () => {
    const chartText = () => textOf(screen.getByRole('figure')).replace(/.*Same day last week/, '');

    test('say the present hour beside that of last week, by the measure that is chosen', async () => {
      const user = showPage();
      await screen.findByRole('figure');
      expect(chartText()).toMatch(/^14:00–15:00: 1 payment, last week 0 payments/);
      await user.click(radio('Received'));
      expect(chartText()).toMatch(/^14:00–15:00: NGN 1,200.00, last week NGN 0.00/);
      await user.click(radio('Success rate'));
      expect(chartText()).toMatch(/^14:00–15:00: 1 of 1 paid, last week – paid/);
      screen.getByText(/fewer than 20 finished payments have no rate/);
      screen.getByRole('img', { name: 'Success rate today by hour, against the same day last week' });
    });

    test('are a table too: of one currency, without figures for hours that have not begun', async () => {
      const user = showPage();
      await screen.findByRole('figure');
      await user.click(radio('Table'));
      const rows = await tableOf('Today by hour');
      expect(rows[0]?.[3]).toBe('Received, NGN');
      expect(rows[10]).toEqual(['09:00–10:00', '43', '19', '5,000.00', '800.00', '76.7%', '19 of 19']);
      expect(rows[15]).toEqual(['14:00–15:00 so far', '1', '0', '1,200.00', '0.00', '1 of 1', '–']);
      expect(rows[21]).toEqual(['20:00–21:00', '', '30', '', '1.00', '', '50.0%']);
      expect(rows).toHaveLength(25);
    });
  });

  describe('what needs attention', () => {
    test('is listed with its cause, whose it is and what can be done', async () => {
      page.allow('override:set');
      page.on('attention.list', () => ({
        items: [
          finding({}),
          finding({ key: 'k-2', severity: 'info', title: 'Reviews', why: '2 wait.', merchantName: null, since: null }),
        ],
        incomplete: false,
      }));
      showPage();
      await screen.findByText('paystack-main is down');
      expect(within(findings()).getAllByRole('listitem').map(textOf)).toEqual([
        'paystack-main is down 18 of 22 checkouts timed out.Balogun Books, 21 Nov 2024, 14:02Drain',
        'Reviews 2 wait.Drain',
      ]);
      expect(
        within(findings())
          .getAllByRole('img')
          .map((img) => img.getAttribute('aria-label')),
      ).toEqual(['Critical', 'To do']);
      expect(hrefOf('Drain: paystack-main is down')).toBe('/health?mode=live&merchant=m-1&account=acc-1');
    });

    test('can be looked at by those who may not act on it', async () => {
      page.on('attention.list', () => ({ items: [finding({})], incomplete: false }));
      showPage();
      await screen.findByRole('link', { name: 'View: paystack-main is down' });
    });

    test.each([
      [8, 8, null],
      [9, 6, 'Show the other 3'],
    ])('of %d things shows %d at first: a little more than fits is not cut off', async (count, shown, others) => {
      const items = Array.from({ length: count }, (_, index) => finding({ key: `k-${index}` }));
      page.on('attention.list', () => ({ items, incomplete: false }));
      const user = showPage();
      await screen.findAllByText('paystack-main is down');
      expect(within(findings()).getAllByRole('listitem')).toHaveLength(shown);
      expect(screen.queryByRole('button', { name: /^Show the other/ })?.textContent ?? null).toBe(others);
      if (others !== null) await user.click(button(others));
      expect(within(findings()).getAllByRole('listitem')).toHaveLength(count);
    });

    test('comes first in one line, with whether money comes in and how the day compares', async () => {
      page.on('attention.list', () => ({ items: [finding({}), finding({ key: 'k-2', severity: 'info' })], incomplete: false }));
      page.on('payments.list', (input) => ({
        items: Object(input).limit === 1 ? [{ paymentId: 'p-9', currency: 'NGN', amount: 2_500n, createdAt: AT }] : [],
        next: null,
      }));
      showPage();
      const line = await screen.findByRole('list', { name: 'Now' });
      const [needed, flow, compared] = within(line).getAllByRole('listitem').map(textOf);
      expect([needed, compared]).toEqual(['2 need attention, 1 critical', 'Received +23% against the same hours last week']);
      expect(flow).toMatch(/^No payment has succeeded for .*: NGN 2,500.00, 21 Nov 2024, 14:02$/);
    });

    test('is nothing, and then the page says so', async () => {
      showPage();
      await screen.findByText('Nothing needs attention');
    });

    test('is first what makes the page itself unreliable', async () => {
      page.on('attention.list', () => ({ items: [], incomplete: true }));
      page.on('payments.today', () => {
        throw new Error('down');
      });
      page.on('system.health', () => ({
        ...HEALTH,
        database: { up: false, latencyMs: null },
        configuration: { current: false, ageMs: 61_000 },
      }));
      showPage();
      await screen.findByText('The server does not answer; the figures may be out of date.');
      expect(within(findings()).getAllByRole('listitem').map(textOf)).toEqual([
        'The server does not answer; the figures may be out of date.',
        'The database does not answer.',
        'Configuration has not been refreshed for more than 5 s.',
        'Some checks failed; this list may be incomplete.',
      ]);
      expect(factsIn(document.body)).toMatchObject({ Database: 'Does not answer', Configuration: '1 min old' });
    });
  });

  test.each([
    [{}, 'Base backup 2 h old'],
    [{ archives: false }, 'The log is not archived'],
    [{ failing: true }, 'The log cannot be archived'],
    [{ archivedSeconds: null }, 'No log archived yet'],
    [{ archivedSeconds: 1_800 }, 'Log archived 30 min ago'],
    [{ baseSeconds: null }, 'No base backup'],
    [{ baseSeconds: null, seesBackups: false }, 'Log archived; base backups unknown'],
  ])('backups with %o are: %s', async (change, said) => {
    const archiving = { archives: true, failing: false, archivedSeconds: 30, baseSeconds: 7_200, seesBackups: true, ...change };
    page.on('system.health', () => ({ ...HEALTH, archiving }));
    showPage();
    await expect.poll(() => factsIn(document.body)).toMatchObject({ Backups: said });
  });

  describe('gateways', () => {
    const strip = () => screen.findByRole('list', { name: 'Health of gateways' });

    test('have the worst state of their methods, and lead to it', async () => {
      showPage();
      expect(textOf(await strip())).toBe('PaystackBalogun BooksDown');
      const link = within(await strip()).getByRole('link');
      expect([link.getAttribute('href'), link.title]).toEqual([
        '/health?mode=live&account=acc-1',
        'Down since 14:02: checkouts take 9.0 s on average (Paystack, card).',
      ]);
    });

    test.each([
      ['that are off say so before anything else', { enabled: false }, 'PaystackBalogun BooksDisabled', '/health'],
      [
        'that refuse us say what, and lead to the account',
        { fault: { kind: 'credentials', sentence: 'The key is wrong.' } },
        'PaystackBalogun BooksCredentials refused',
        '/gateways',
      ],
      ['without traffic are healthy', { health: [] }, 'PaystackBalogun BooksHealthy', '/health'],
    ])('%s', async (_what, change, text, path) => {
      page.on('health.overview', () => ({ accounts: [{ ...ACCOUNT, ...change }] }));
      showPage();
      expect(textOf(await strip())).toBe(text);
      expect(
        within(await strip())
          .getByRole('link')
          .getAttribute('href'),
      ).toBe(`${path}?mode=live&account=acc-1`);
    });

    test('that are none are connected by those who may', async () => {
      page.allow('health:read', 'gateway:configure');
      page.on('health.overview', () => ({ accounts: [] }));
      showPage();
      await screen.findByText(/No live gateway accounts yet/);
      expect(hrefOf('Connect one')).toBe('/gateways?mode=live&do=connect');
    });

    test('are not asked about for those who may not see health', async () => {
      page.allow('payment:read');
      showPage();
      await screen.findByText('Nothing needs attention');
      expect(page.calls('health.overview')).toEqual([]);
    });
  });

  test('the system has the accounts of this mode, and how many of them are on', async () => {
    showPage();
    await screen.findByText('Answers in 4 ms');
    expect(factsIn(document.body)).toMatchObject({
      Database: 'Answers in 4 ms',
      Configuration: 'Current',
      Paystack: '2 of 3 accounts on',
      Kora: '1 account',
    });
  });

  describe('the latest payments', () => {
    test('have their amount and status, and lead to each and to all', async () => {
      page.on('payments.list', () => ({
        items: [
          {
            paymentId: 'p-1',
            merchantOrderId: 'order-7',
            gateway: '',
            currency: 'NGN',
            amount: 1_234_567n,
            displayStatus: 'PARTLY_REFUNDED',
            createdAt: AT,
          },
        ],
        next: null,
      }));
      showPage();
      const row = await screen.findByRole('link', { name: /order-7/ });
      expect(textOf(row)).toBe('order-7NoneNGN 1,234,567.00Partly refunded21 Nov 2024, 14:02');
      expect([row.getAttribute('href'), hrefOf('All payments')]).toEqual(['/payments/p-1?mode=live', '/payments?mode=live']);
      expect(page.calls('payments.list')[0]).toEqual({ mode: 'live', merchantIds: [], limit: 8 });
    });

    test('that are none are how to make the first', async () => {
      showPage();
      await screen.findByRole('heading', { name: 'No live payments yet' });
      button('Copy the command');
    });
  });
});

describe('setup', () => {
  const page = openDashboard('?mode=test&merchant=m-1', '/overview');
  const STEPS = [
    'merchant',
    'account',
    'connection',
    'key',
    'test_payment',
    'webhook',
    'rules',
    'team',
    'live_account',
    'live_key',
    'live_payment',
  ] as const;
  const setup = (done: readonly string[], change: Partial<Setup> = {}): Setup => ({
    merchantId: 'm-1',
    merchantName: 'Balogun Books',
    steps: STEPS.map((step) => ({ step, done: done.includes(step) })),
    isDone: false,
    isDismissed: false,
    ...change,
  });
  const EVERYTHING = [
    'merchant:create',
    'merchant:update',
    'gateway:configure',
    'key:issue',
    'payment:read',
    'webhook:configure',
    'routing:publish',
    'team:manage',
  ] as const;

  beforeEach(() => page.allow(...EVERYTHING));
  const checklist = () => screen.findByRole('region', { name: /^Set up/ });

  test('a new merchant is shown what is done and what is not, each step with the way to where it is done', async () => {
    page.on('setup.read', () => setup(['merchant', 'account']));
    page.show(<SetUp />);
    const list = await checklist();
    expect(textOf(list)).toContain('Set up Balogun Books2 of 11 done');
    const states = within(list)
      .getAllByRole('img')
      .map((glyph) => glyph.getAttribute('aria-label'));
    expect(states).toEqual(['Done', 'Done', ...Array.from({ length: 9 }, () => 'To do')]);
    expect(hrefOf('Create a test key')).toBe('/keys?mode=test&merchant=m-1&do=issue');
    expect(hrefOf('Add a live gateway account')).toBe('/gateways?mode=live&merchant=m-1&do=connect');
    expect(hrefOf('Receive the first live payment')).toBe('/payments?mode=live&merchant=m-1');
    expect(screen.queryByRole('link', { name: 'Add a gateway account' })).toBeNull();
    expect(page.calls('setup.read')).toEqual([{ merchantId: 'm-1' }]);
  });

  test('a workspace without a merchant begins with one, and offers nothing else yet', async () => {
    page.on('setup.read', () => setup([], { merchantId: null, merchantName: null }));
    page.show(<SetUp />);
    const list = within(await checklist());
    expect(list.getAllByRole('link').map(textOf)).toEqual(['Add a merchant']);
    expect(hrefOf('Add a merchant')).toBe('/merchants?mode=test&do=create');
    expect(list.queryByRole('button', { name: 'Dismiss' })).toBeNull();
  });

  test('those who may not do a step are offered no way to it', async () => {
    page.allow('merchant:update', 'payment:read');
    page.on('setup.read', () => setup(['merchant']));
    page.show(<SetUp />);
    const links = within(await checklist())
      .getAllByRole('link')
      .map(textOf);
    expect(links).toEqual(['Make the first test payment', 'Receive the first live payment']);
  });

  test('a person hides it for themselves, and gets it back', async () => {
    let dismissed = false;
    page.on('setup.read', () => setup(['merchant'], { isDismissed: dismissed }));
    page.on('setup.dismiss', (input) => {
      dismissed = Object(input).dismissed;
      return null;
    });
    const user = page.show(<SetUp />);
    await checklist();
    await user.click(button('Dismiss'));
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
    expect(page.toasts()).toEqual(['The set-up checklist is hidden for you.']);
    await undo();
    await checklist();
    await expectCalls(page, 'setup.dismiss', [
      { merchantId: 'm-1', dismissed: true },
      { merchantId: 'm-1', dismissed: false },
    ]);
  });

  test.each([
    ['is complete', setup(STEPS, { isDone: true })],
    ['was dismissed', setup([], { isDismissed: true })],
    ['is of several merchants', null],
  ])('nothing is shown where it %s', async (_what, answer) => {
    page.on('setup.read', () => answer);
    page.show(<SetUp />);
    await expectCalls(page, 'setup.read', [{ merchantId: 'm-1' }]);
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
  });

  test('those who set nothing up are not asked about', async () => {
    page.allow('payment:read');
    page.show(<SetUp />);
    await expectCalls(page, 'me', [undefined]);
    expect(page.calls('setup.read')).toEqual([]);
  });
});
