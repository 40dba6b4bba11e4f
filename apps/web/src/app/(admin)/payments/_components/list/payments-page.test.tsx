// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { button, checkbox, hrefOf, openDashboard, tableOf, textOf } from '#/testing/dashboard.tsx';
import { PaymentsPage } from './payments-page.tsx';
import type { PaymentRow } from './payments-table.tsx';

const page = openDashboard('?mode=live', '/payments');

const ROW: PaymentRow = {
  merchantId: 'm-1',
  paymentId: 'p-1',
  merchantOrderId: 'order-1',
  status: 'SUCCESS',
  displayStatus: 'SUCCESS',
  amount: 1_234_567n,
  currency: 'NGN',
  gateway: 'paystack',
  paymentMethod: 'CARD',
  customerEmail: 'ada@example.com',
  customerId: null,
  ruleId: null,
  gatewayReference: 'pay_1',
  refundedAmount: 0n,
  reversedAmount: '0',
  late: false,
  review: null,
  failureReason: null,
  matched: null,
  attemptCount: 1,
  createdAt: new Date('2024-11-21T13:02:00Z'),
};
const COUNTS = {
  all: { count: 10_000, more: true },
  byStatus: {
    INITIATED: { count: 0, more: false },
    PENDING: { count: 12, more: false },
    SUCCESS: { count: 10_000, more: true },
    FAILED: { count: 1_234, more: false },
    REFUNDED: { count: 1, more: false },
    PARTLY_REFUNDED: { count: 9, more: false },
    REVERSED: { count: 2, more: false },
    EXPIRED: { count: 3_000, more: false },
  },
};

/** Rows that the server lists, page after page. */
function answer(...pages: readonly (readonly Partial<PaymentRow>[])[]): void {
  page.on('payments.list', (input) => {
    const at = Number((input as { cursor?: string }).cursor ?? 0);
    const items = (pages[at] ?? []).map((row, index) => ({
      ...ROW,
      paymentId: `p-${at}-${index}`,
      displayStatus: row.status ?? ROW.status,
      ...row,
    }));
    return { items, next: at + 1 < pages.length ? String(at + 1) : null, isSearchCut: false };
  });
}
const showPage = () => page.show(<PaymentsPage publicUrl="https://pay.example" />);
const openMenu = async (user: ReturnType<typeof showPage>, name: string) => {
  await user.click(button(new RegExp(`^${name}`)));
  return screen.findByRole('dialog', { name });
};
const lastInput = () => page.calls('payments.list').at(-1);
const status = () => screen.getByRole('group', { name: 'Status' });

beforeEach(() => {
  page.allow('payment:read');
  page.on('payments.counts', () => COUNTS);
  page.on('merchants.list', () => [{ merchantId: 'm-1', name: 'Balogun Books' }]);
  page.on('system.health', () => ({
    gateways: [
      { gateway: 'kora', mode: 'live' },
      { gateway: 'paystack', mode: 'test' },
    ],
  }));
});

describe('the table', () => {
  test('of one currency names it once, in the header; amounts have its decimals', async () => {
    answer([{}, { amount: 500n }]);
    showPage();
    await screen.findAllByText('Balogun Books');
    const [header, first, second] = await tableOf('Payments');
    // No payment failed: there is no reason to show.
    expect(header).toEqual(['Status', 'Amount, NGN', 'Order', 'Gateway', 'Method', 'Customer', 'Merchant', 'Created']);
    expect(first?.[1]).toMatch(/1,234,567\.00$/);
    expect(second?.[1]).toMatch(/(^|\D)500\.00$/);
  });

  test('of several currencies names that of each amount', async () => {
    answer([{}, { currency: 'KES', amount: 900n }]);
    showPage();
    const [header, first, second] = await tableOf('Payments');
    expect([header?.[1], first?.[1], second?.[1]]).toEqual(['Amount', 'NGN 1,234,567.00', 'KES 900.00']);
  });

  test.each<[string, Partial<PaymentRow>, string]>([
    ['succeeded', {}, 'Succeeded'],
    ['waits for its customer', { status: 'PENDING' }, 'Pending'],
    ['was refunded in part', { displayStatus: 'PARTLY_REFUNDED' }, 'Partly refunded'],
    ['was refunded', { status: 'REFUNDED', refundedAmount: 1_234_567n }, 'Refunded'],
    ['was reversed', { displayStatus: 'REVERSED' }, 'Reversed'],
    ['was not paid in time', { status: 'FAILED', displayStatus: 'EXPIRED' }, 'Expired'],
    ['has to be reviewed, whatever its status', { status: 'PENDING', review: 'OPEN' }, 'Review'],
    ['was reviewed', { status: 'FAILED', review: 'RESOLVED' }, 'Failed'],
  ])('a payment that %s has its badge', async (_what, row, badge) => {
    answer([row]);
    showPage();
    expect((await tableOf('Payments'))[1]?.[0]).toBe(badge);
  });

  test('only failed payments have a reason, in words', async () => {
    answer([
      { status: 'FAILED', failureReason: 'no_eligible_provider' },
      { status: 'FAILED', failureReason: null },
      { status: 'SUCCESS', failureReason: 'declined' },
      { status: 'FAILED', displayStatus: 'EXPIRED', failureReason: 'session_expired' },
    ]);
    showPage();
    expect((await tableOf('Payments')).slice(1).map((row) => row[4])).toEqual(['No eligible account', '', '', '']);
  });

  test('a payment without gateway, method or known merchant says so; a fallback says which attempt it was', async () => {
    answer([
      { gateway: '', paymentMethod: null, merchantId: 'm-9' },
      { gateway: 'kora', attemptCount: 2, status: 'FAILED', failureReason: 'declined' },
    ]);
    showPage();
    await screen.findByText('Balogun Books');
    const [, none, fallback] = await tableOf('Payments');
    expect([none?.[3], none?.[5], none?.[7]]).toEqual(['None', '–', '–']);
    expect([fallback?.[3], fallback?.[5], fallback?.[7]]).toEqual(['Koraattempt 2', 'Card', 'Balogun Books']);
  });

  test('a search says which field it matched, unless that is the order it shows', async () => {
    answer([{ matched: 'phone' }, { matched: 'order_id' }]);
    showPage();
    expect((await tableOf('Payments')).slice(1).map((row) => row[2])).toEqual(['order-1Phone', 'order-1']);
  });

  test('columns that are not shown by default are chosen, and kept for the person', async () => {
    page.on('account.setTable', (input) => input);
    answer([{ customerId: null, ruleId: null, refundedAmount: 5n }]);
    const user = showPage();
    await tableOf('Payments');
    const menu = await openMenu(user, 'Columns');
    await user.click(await within(menu).findByRole('checkbox', { name: 'Rule' }));
    await user.click(within(menu).getByRole('checkbox', { name: 'Refunded' }));
    await user.click(within(menu).getByRole('checkbox', { name: 'Method' }));
    const columns = ['status', 'amount', 'order', 'gateway', 'reason', 'customer', 'merchant', 'created', 'rule', 'refunded'];
    await waitFor(() =>
      expect(page.calls('account.setTable').at(-1)).toEqual({ table: 'payments', choice: { columns, pinned: [] } }),
    );
    expect((await tableOf('Payments'))[1]?.slice(-2)).toEqual(['Default order', 'NGN 5.00']);
    expect(within(menu).getByRole<HTMLInputElement>('checkbox', { name: 'Order' }).disabled).toBe(true);
  });

  test('is sorted by the server', async () => {
    answer([{}]);
    const user = showPage();
    await tableOf('Payments');
    expect(lastInput()).toMatchObject({ mode: 'live', merchantIds: [], sort: { by: 'created', descending: true } });
    await user.click(button('Amount, NGN'));
    await waitFor(() => expect(lastInput()).toMatchObject({ sort: { by: 'amount', descending: true } }));
    expect(new URLSearchParams(page.search()).get('sort')).toBe('-amount');
  });

  test('goes on with the next page at its end, and says how many of all are shown', async () => {
    answer([{}, {}], [{}]);
    showPage();
    await screen.findByText('3 payments');
    expect(page.calls('payments.list')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  test('says that a search found more than it lists', async () => {
    page.on('payments.list', () => ({ items: [ROW], next: null, isSearchCut: true }));
    showPage();
    await screen.findByText(/newest matches of the search are listed/);
  });
});

describe('opening a payment', () => {
  test('by a click is beside the list, by its link on its own page in the same scope', async () => {
    answer([{}]);
    page.on('payments.byId', () => new Promise(() => undefined));
    const user = showPage();
    await tableOf('Payments');
    expect(hrefOf('order-1')).toBe('/payments/p-0-0?mode=live');
    await user.click(screen.getByRole('link', { name: 'order-1' }));
    const panel = await screen.findByRole('complementary', { name: 'Payment' });
    within(panel).getByRole('status', { name: 'Loading the payment' });
    expect(new URLSearchParams(page.search()).get('payment')).toBe('p-0-0');
    expect(screen.getByRole('link', { name: 'order-1' }).getAttribute('aria-current')).toBe('true');
  });

  test('steps through the list with j and k, opens the page with f, and closes with Escape', async () => {
    answer([{ merchantOrderId: 'order-1' }, { merchantOrderId: 'order-2' }]);
    page.on('payments.byId', () => new Promise(() => undefined));
    const user = showPage();
    await tableOf('Payments');
    const opened = () => new URLSearchParams(page.search()).get('payment');
    await user.click(screen.getByRole('link', { name: 'order-1' }));
    await screen.findByRole('complementary', { name: 'Payment' });
    expect(button('Previous payment (k)').disabled).toBe(true);
    await user.keyboard('j');
    await waitFor(() => expect(opened()).toBe('p-0-1'));
    await user.keyboard('k');
    await waitFor(() => expect(opened()).toBe('p-0-0'));
    await user.keyboard('f');
    expect(page.navigations()).toContain('/payments/p-0-0?mode=live');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(opened()).toBeNull());
    expect(screen.queryByRole('complementary')).toBeNull();
  });
});

describe('statuses', () => {
  test('have their numbers, limited where the server limits them', async () => {
    answer([{}]);
    showPage();
    await screen.findByText('1,234');
    expect(within(status()).getAllByRole('button').map(textOf)).toEqual([
      'All10,000+',
      'Succeeded10,000+',
      'Pending12',
      'Failed1,234',
      'Expired3,000',
      'Refunded1',
      'Partly refunded9',
      'Reversed2',
      'Initiated0',
    ]);
  });

  test('filter the list and not their own numbers', async () => {
    answer([{}]);
    const user = showPage();
    await user.click(within(status()).getByRole('button', { name: /^Failed/ }));
    await waitFor(() => expect(lastInput()).toMatchObject({ displayStatuses: ['FAILED'] }));
    expect(page.calls('payments.counts').at(-1)).toMatchObject({ displayStatuses: [] });
    expect(page.search()).toContain('status=FAILED');
    await user.click(within(status()).getByRole('button', { name: /^All/ }));
    await waitFor(() => expect(new URLSearchParams(page.search()).has('status')).toBe(false));
  });

  test('have no number where counting took too long', async () => {
    page.on('payments.counts', () => null);
    answer([{}]);
    showPage();
    await tableOf('Payments');
    expect(within(status()).getAllByRole('button').map(textOf)).toEqual([
      'All',
      'Succeeded',
      'Pending',
      'Failed',
      'Expired',
      'Refunded',
      'Partly refunded',
      'Reversed',
      'Initiated',
    ]);
  });
});

describe('filters', () => {
  test('of the status menu are named on it, and taken back together', async () => {
    answer([{}]);
    const user = showPage();
    await openMenu(user, 'Status');
    await user.click(await screen.findByRole('checkbox', { name: 'Pending' }));
    await user.click(checkbox('Only payments for review'));
    await user.click(checkbox('Only with an open dispute'));
    await user.click(checkbox('Only reversed by the gateway'));
    await waitFor(() =>
      expect(lastInput()).toMatchObject({ displayStatuses: ['PENDING'], underReview: true, disputed: true, reversed: true }),
    );
    await user.keyboard('{Escape}');
    expect(textOf(button(/^Status /))).toBe('StatusPending, For review, Disputed, Reversed');
    await user.click(button('Clear'));
    await waitFor(() => expect(page.search()).toBe('?mode=live'));
    expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
  });

  test('offer the gateways that have accounts in this mode', async () => {
    answer([{}]);
    const user = showPage();
    const menu = await openMenu(user, 'Gateway');
    await user.click(await within(menu).findByRole('checkbox', { name: 'Kora' }));
    expect(within(menu).queryByRole('checkbox', { name: 'Paystack' })).toBeNull();
    await user.click(within(menu).getByRole('checkbox', { name: 'No eligible account' }));
    await user.click(within(menu).getByRole('checkbox', { name: 'Only where no checkout opened' }));
    await waitFor(() => expect(lastInput()).toMatchObject({ gateways: ['kora', 'NONE'], openedAt: 'NONE' }));
    await user.keyboard('{Escape}');
    expect(textOf(button(/^Gateway /))).toBe('GatewayKora, None, no checkout');
  });

  test('say that there is no gateway to choose', async () => {
    page.on('system.health', () => ({ gateways: [] }));
    answer([{}]);
    const user = showPage();
    const menu = await openMenu(user, 'Gateway');
    await within(menu).findByText('No merchant has a live account at a gateway.');
  });

  test('by method and reason are those of the menus', async () => {
    answer([{}]);
    const user = showPage();
    await openMenu(user, 'Method');
    await user.click(await screen.findByRole('checkbox', { name: 'Mobile money' }));
    await user.click(checkbox('Not specified'));
    await user.keyboard('{Escape}');
    await openMenu(user, 'Reason');
    await user.click(await screen.findByRole('checkbox', { name: 'Session expired' }));
    await user.keyboard('{Escape}');
    await waitFor(() =>
      expect(lastInput()).toMatchObject({ methods: ['MOBILE_MONEY', 'NONE'], failureReasons: ['session_expired'] }),
    );
    expect(textOf(button(/^Method/))).toBe('MethodMobile money, Not specified');
    expect(textOf(button(/^Reason/))).toBe('ReasonSession expired');
  });

  test('by a period of the calendar keep its name', async () => {
    answer([{}]);
    const user = showPage();
    await openMenu(user, 'Created');
    await user.click(await screen.findByRole('button', { name: 'Last 7 days' }));
    await waitFor(() => expect(page.search()).toContain('from=today-6&to=today'));
    await user.keyboard('{Escape}');
    expect(textOf(button(/^Created /))).toBe('CreatedLast 7 days');
  });
});

describe('without rows', () => {
  test('an empty workspace shows how a payment is made, in its mode', async () => {
    answer([]);
    showPage();
    await screen.findByRole('heading', { name: 'No live payments yet' });
    const command = textOf(screen.getByRole('region', { name: 'The request that starts a payment' }));
    expect(command).toContain('curl https://pay.example/v1/payments/initiate');
    expect(command).toContain('Bearer sk_live_');
  });

  test('filters that match nothing are taken back', async () => {
    page.on('payments.list', (input) => ({
      items: (input as { displayStatuses: string[] }).displayStatuses.length > 0 ? [] : [ROW],
      next: null,
      isSearchCut: false,
    }));
    const user = showPage();
    await tableOf('Payments');
    await user.click(within(status()).getByRole('button', { name: /^Failed/ }));
    await screen.findByRole('heading', { name: 'No payments match these filters' });
    await user.click(button('Clear the filters'));
    await tableOf('Payments');
  });

  test('a search that the other filters hide says so, and is shown without them', async () => {
    page.goTo('?mode=live&q=order-7&from=2026-11-20&to=2026-11-20');
    page.on('payments.counts', () => null);
    page.on('payments.list', (input) => ({
      items: Object(input).createdFrom === null ? [ROW] : [],
      next: null,
      isSearchCut: false,
    }));
    const user = showPage();
    await screen.findByRole('heading', { name: 'The filters hide 1 payment' });
    await user.click(button('Show it'));
    await tableOf('Payments');
    expect(page.search()).toContain('q=order-7');
    expect(page.search()).not.toContain('from=');
  });

  test('a list that could not be read says why, and is tried again', async () => {
    page.on('payments.list', () => {
      throw new Error('The database is unavailable.');
    });
    const user = showPage();
    await screen.findByText('The database is unavailable.');
    expect(screen.queryByRole('table')).toBeNull();
    answer([{}]);
    await user.click(button('Try again'));
    await tableOf('Payments');
  });

  test('rows that are on their way are announced', () => {
    page.on('payments.list', () => new Promise(() => undefined));
    showPage();
    screen.getByRole('status', { name: 'Loading payments' });
  });
});

describe('the export', () => {
  test('is not offered without the right to it', async () => {
    answer([{}]);
    showPage();
    await tableOf('Payments');
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
  });

  test('has the filters of the list, and the columns as shown or all', async () => {
    page.allow('report:export');
    answer([{}]);
    const user = showPage();
    await user.click(within(status()).getByRole('button', { name: /^Failed/ }));
    await openMenu(user, 'Export');
    const asked = (name: RegExp) => new URL(hrefOf(name) ?? '', 'https://x.example');
    const shown = asked(/^CSV as shown/);
    expect(shown.pathname).toBe('/api/export/payments');
    expect(JSON.parse(shown.searchParams.get('filter') ?? '')).toMatchObject({ mode: 'live', displayStatuses: ['FAILED'] });
    expect(shown.searchParams.get('columns')).toBe(
      'status,display_status,review,amount,currency,merchant_order_id,checkout_gateway,failure_reason,method,customer_email,merchant,created_at',
    );
    expect([shown.searchParams.get('format'), shown.searchParams.get('bom')]).toEqual(['csv', 'true']);
    const workbook = asked(/^XLSX as shown/).searchParams;
    expect([workbook.get('format'), workbook.get('bom')]).toEqual(['xlsx', 'false']);
    expect(workbook.get('columns')).toBe(shown.searchParams.get('columns'));
    const lines = asked(/^NDJSON/);
    expect([lines.searchParams.get('format'), lines.searchParams.get('bom'), lines.searchParams.get('columns')]).toEqual([
      'ndjson',
      'false',
      null,
    ]);
  });
});

describe('the export that an address asks for', () => {
  const asked = openDashboard('?mode=live&do=export', '/payments');

  test('opens with its formats, and closing it leaves the address without it', async () => {
    asked.allow('payment:read', 'report:export');
    asked.on('payments.list', () => ({ items: [ROW], next: null, isSearchCut: false }));
    asked.on('payments.counts', () => COUNTS);
    const user = asked.show(<PaymentsPage publicUrl="https://pay.example" />);
    await screen.findByRole('dialog', { name: 'Export' });
    screen.getByRole('link', { name: /^CSV as shown/ });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(asked.search()).toBe('?mode=live'));
    expect(screen.queryByRole('dialog', { name: 'Export' })).toBeNull();
  });
});
