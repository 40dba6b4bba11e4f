// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { button, hrefOf, openDashboard, textOf } from '../testing/dashboard.tsx';
import { Frame } from './app-shell.tsx';
import { openOverlay } from './commands/command-store.ts';
import { COMMANDS } from './commands/commands.ts';
import { rememberOpened } from './commands/recent/recent-objects.ts';
import { NAVIGATION } from './navigation/navigation.ts';
import { followZone } from './zone-cookie.tsx';

const page = openDashboard('?mode=test&merchant=m-1&status=FAILED&payment=p-1&discrepancy=d-1', '/payments/p-1');
const USER = { name: 'Ada Ngozi Obi', email: 'ada@example.com', role: 'Owner' };
const merchants = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    merchantId: `m-${index + 1}`,
    name: index === 0 ? 'Balogun Books' : `Shop ${index + 1}`,
    merchantNumber: `M-10${index + 1}`,
  }));

beforeEach(() => {
  act(() => openOverlay(null));
  page.allow('payment:read');
  page.on('merchants.list', () => merchants(2));
  page.on('gateways.kinds', () => [{ title: 'Kora' }]);
  page.on('payments.list', () => ({ items: [], next: null }));
});
const showFrame = () =>
  page.show(
    <Frame rail={false} user={USER}>
      <h1>Payments</h1>
    </Frame>,
  );
const menu = () => screen.findByRole('dialog', { name: 'Search' });
const options = () => screen.queryAllByRole('option').map(textOf);
const chosen = () => screen.getAllByRole('option', { selected: true }).map(textOf);

describe('the navigation', () => {
  const main = () => screen.getByRole('navigation', { name: 'Main' });

  test('shows what the role may see, keeps merchant and mode, and marks the page that is open', async () => {
    page.allow('health:read', 'audit:read');
    showFrame();
    await within(main()).findByRole('link', { name: 'Health' });
    expect(within(main()).getAllByRole('link').map(textOf)).toEqual([
      'Overview',
      'Payments',
      'Refunds',
      'Disputes',
      'Health',
      'Audit',
      'Developers',
    ]);
    expect(within(main()).queryByText('Merchants')).toBeNull();
    expect(hrefOf('Health')).toBe('/health?mode=test&merchant=m-1');
    expect(within(main()).getAllByRole('link', { current: 'page' }).map(textOf)).toEqual(['Payments']);
  });

  test('is collapsed and expanded, and the choice is kept', async () => {
    const user = showFrame();
    await user.click(button('Collapse navigation'));
    expect(document.getElementById('frame')?.dataset.rail).toBe('true');
    expect(document.cookie).toContain('rail=on');
    await user.click(button('Expand navigation'));
    expect(document.getElementById('frame')?.dataset.rail).toBe('false');
    expect(document.cookie).toContain('rail=off');
  });

  test('of a small screen opens over the page and closes when one goes somewhere', async () => {
    const user = showFrame();
    expect(screen.queryByRole('dialog', { name: 'Navigation' })).toBeNull();
    await user.click(button('Open navigation'));
    const drawer = within(screen.getByRole('dialog', { name: 'Navigation' }));
    const link = drawer.getByRole('link', { name: 'Refunds' });
    link.addEventListener('click', (event) => event.preventDefault());
    await user.click(link);
    expect(screen.queryByRole('dialog', { name: 'Navigation' })).toBeNull();
  });

  test('a page of the keyboard shortcuts is one of the navigation, and no two have the same keys', () => {
    const keys = COMMANDS.flatMap(({ commands }) => commands.flatMap((command) => command.keys ?? []));
    expect(new Set(keys).size).toBe(keys.length);
    const paths = NAVIGATION.flatMap(({ entries }) => entries.map(({ path }) => `go:${path}`));
    expect(COMMANDS[0]?.commands.map(({ id }) => id)).toEqual(paths);
  });
});

describe('mode and merchant', () => {
  test('say whether real money moves', () => {
    showFrame();
    screen.getByText('No real money moves here');
    expect(screen.queryByText('Real money moves here')).toBeNull();
    expect(screen.getByRole('link', { name: 'Test' }).getAttribute('aria-current')).toBe('true');
  });

  test('the other mode keeps the filters, and closes what is open of this one', async () => {
    const user = showFrame();
    expect(hrefOf('Live')).toBe('/payments?mode=live&merchant=m-1&status=FAILED');
    screen.getByRole('link', { name: 'Live' }).addEventListener('click', (event) => event.preventDefault());
    await user.click(screen.getByRole('link', { name: 'Live' }));
    expect(document.cookie).toContain('mode=live');
  });

  test('another merchant closes what is open of this one', async () => {
    const user = showFrame();
    await user.click(await screen.findByRole('button', { name: 'Merchant: Balogun Books' }));
    await user.click(await screen.findByRole('button', { name: /^Shop 2/ }));
    await waitFor(() => expect(page.search()).toBe('?mode=test&merchant=m-2&status=FAILED'));
    expect(screen.queryByRole('dialog', { name: 'Merchant' })).toBeNull();
  });

  test('all merchants are chosen again; arrow keys go through them', async () => {
    const user = showFrame();
    await user.click(await screen.findByRole('button', { name: 'Merchant: Balogun Books' }));
    await screen.findByRole('toolbar', { name: 'Merchants' });
    button('All merchants').focus();
    await user.keyboard('{ArrowUp}');
    expect(textOf(document.activeElement as Element)).toBe('Shop 2M-102');
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(page.search()).toBe('?mode=test&status=FAILED'));
  });

  test('many merchants are found by name or number', async () => {
    page.on('merchants.list', () => merchants(9));
    const user = showFrame();
    await user.click(await screen.findByRole('button', { name: 'Merchant: Balogun Books' }));
    const list = within(await screen.findByRole('toolbar', { name: 'Merchants' }));
    fireEvent.change(list.getByRole('searchbox', { name: 'Search merchants' }), { target: { value: 'm-103' } });
    expect(list.getAllByRole('button').map(textOf)).toEqual(['Shop 3M-103']);
    fireEvent.change(list.getByRole('searchbox'), { target: { value: 'nobody' } });
    list.getByText('No matching merchants');
    expect(list.queryByRole('button')).toBeNull();
  });

  test('a merchant that one may not see is called unknown', async () => {
    page.on('merchants.list', () => merchants(0));
    showFrame();
    await screen.findByRole('button', { name: 'Merchant: Unknown merchant' });
  });
});

describe('the bell', () => {
  const items = (count: number) => () => ({ items: Array.from({ length: count }, (_, index) => ({ id: index })) });

  test('says how many things need attention, and leads to them', async () => {
    page.allow('alert:read');
    page.on('attention.list', items(3));
    showFrame();
    const bell = await screen.findByRole('link', { name: '3 items need attention' });
    expect(bell.getAttribute('href')).toBe('/overview?mode=test&merchant=m-1');
    expect(textOf(bell)).toBe('3');
    expect(page.calls('attention.list')[0]).toMatchObject({ mode: 'test', merchantId: 'm-1', zone: 'Africa/Lagos' });
  });

  test('counts one thing as one, and is not there for none', async () => {
    page.allow('alert:read');
    page.on('attention.list', items(1));
    showFrame();
    await screen.findByRole('link', { name: '1 item needs attention' });
  });

  test('asks nothing for those who may not see alerts', async () => {
    page.on('attention.list', items(1));
    showFrame();
    await screen.findByRole('button', { name: 'Merchant: Balogun Books' });
    expect(page.calls('attention.list')).toEqual([]);
  });
});

describe('the command menu', () => {
  test('opens by a key, finds pages and actions by what they are called, and goes there by Enter', async () => {
    page.allow('key:issue', 'key:read');
    const user = showFrame();
    await screen.findByRole('link', { name: 'Keys' });
    await user.keyboard('{Control>}k{/Control}');
    await menu();
    await user.type(screen.getByRole('combobox', { name: 'Search' }), 'key');
    expect(options()).toEqual(['Keysgk', 'Create an API key', 'Show keyboard shortcuts?']);
    expect(chosen()).toEqual(['Keysgk']);
    await user.keyboard('{ArrowDown}');
    expect(chosen()).toEqual(['Create an API key']);
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(chosen()).toEqual(['Show keyboard shortcuts?']);
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(page.navigations()).toEqual(['/keys?mode=test&merchant=m-1&do=issue']);
    expect(screen.queryByRole('dialog', { name: 'Search' })).toBeNull();
  });

  test('has in its field what was typed while it was loading', async () => {
    const user = showFrame();
    // All in one turn: nothing is rendered in between.
    await act(async () => {
      for (const [key, ctrlKey] of [
        ['k', true],
        ['f', false],
        ['e', false],
        ['w', false],
        ['Backspace', false],
      ] as const) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
      }
    });
    await menu();
    const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Search' });
    await waitFor(() => expect(field.value).toBe('fe'));
    await user.type(field, 'ed');
    expect(field.value).toBe('feed');
    expect(page.navigations()).toEqual([]);
  });

  test('has it there as soon as the field is, so that the next key comes after it', async () => {
    showFrame();
    const whenShown = new Promise<string>((resolve) => {
      const observer = new MutationObserver(() => {
        const field = screen.queryByRole<HTMLInputElement>('combobox', { name: 'Search' });
        if (field !== null) resolve(field.value);
      });
      observer.observe(document.body, { childList: true, subtree: true });
      onTestFinished(() => observer.disconnect());
    });
    for (const [key, ctrlKey] of [['k', true] as const, ['f', false] as const]) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
    }
    expect(await whenShown).toBe('f');
  });

  test.each([
    ['create key', '/keys?mode=test&merchant=m-1&do=issue'],
    ['invite person', '/team?mode=test&merchant=m-1&do=invite'],
    ['export payments', '/payments?mode=test&merchant=m-1&do=export'],
    ['new draft of rules', '/routing?mode=test&merchant=m-1&do=draft'],
    ['add endpoint', '/webhooks?mode=test&merchant=m-1&do=create'],
    ['connect account', '/gateways?mode=test&merchant=m-1&do=connect'],
  ])('does “%s” by opening its dialog, at %s', async (text, href) => {
    page.allow('key:issue', 'team:manage', 'report:export', 'routing:publish', 'webhook:configure', 'gateway:configure');
    const user = showFrame();
    await user.click(button(/^Search/));
    await menu();
    await user.type(screen.getByRole('combobox', { name: 'Search' }), `${text}{Enter}`);
    expect(page.navigations()).toEqual([href]);
  });

  test('drains an account that is named, for those who may', async () => {
    page.allow('override:set');
    page.on('gateways.list', () => [
      { id: 'a-1', label: 'paystack-main', gateway: 'paystack', merchantId: 'm-1', merchantName: 'Balogun Books', enabled: true },
    ]);
    const user = showFrame();
    await user.click(button(/^Search/));
    await menu();
    fireEvent.change(screen.getByRole('combobox', { name: 'Search' }), { target: { value: 'drain paystack' } });
    await user.click(await screen.findByRole('option', { name: 'Drain paystack-main' }));
    expect(page.navigations()).toEqual(['/health?mode=test&merchant=m-1&account=a-1&do=override']);
    expect(page.calls('gateways.list')).toEqual([{ mode: 'test', merchantId: 'm-1' }]);
  });

  test('asks for no accounts for those who may drain none', async () => {
    const user = showFrame();
    await user.click(button(/^Search/));
    await menu();
    fireEvent.change(screen.getByRole('combobox', { name: 'Search' }), { target: { value: 'drain paystack' } });
    expect(options()).toEqual([]);
    expect(page.calls('gateways.list')).toEqual([]);
  });

  test('offers what the person opened last, first before anything is typed and last among what is found', async () => {
    onTestFinished(() => window.localStorage.clear());
    page.on('me', () => ({ staffId: 'ada', access: [{ merchantId: null, permissions: ['payment:read'] }] }));
    const opened = { kind: 'payment', id: 'p-7', title: 'pay-7, NGN 5,000.00', mode: 'test', merchantId: 'm-1' } as const;
    rememberOpened('ada', opened);
    rememberOpened('ada', { ...opened, id: 'p-8', title: 'pay-8, NGN 1.00', merchantId: 'gone' });
    const user = showFrame();
    await user.click(button(/^Search/));
    await menu();
    await waitFor(() => expect(options()[0]).toBe('Payment: pay-7, NGN 5,000.00'));
    expect(options().filter((option) => option.startsWith('Payment: '))).toHaveLength(1);
    await user.type(screen.getByRole('combobox', { name: 'Search' }), 'pay');
    expect(options()[0]).toBe('Paymentsgp');
    expect(options().at(-1)).toBe('Payment: pay-7, NGN 5,000.00');
    await user.keyboard('{ArrowUp}{Enter}');
    expect(page.navigations()).toEqual(['/payments/p-7?mode=test&merchant=m-1']);
  });

  test('offers nothing that the role may not do', async () => {
    const user = showFrame();
    await user.click(button(/^Search/));
    await menu();
    fireEvent.change(screen.getByRole('combobox', { name: 'Search' }), { target: { value: 'invite' } });
    expect(options()).toEqual([]);
    await waitFor(() => expect(screen.getAllByRole('status').map(textOf)).toContain('No results for “invite”'));
  });

  test('finds what concerns any gateway by its name', async () => {
    page.allow('gateway:configure');
    const user = showFrame();
    await user.click(button(/^Search/));
    await menu();
    fireEvent.change(screen.getByRole('combobox', { name: 'Search' }), { target: { value: 'kora' } });
    await waitFor(() => expect(options()).toEqual(['Connect an account at a gateway']));
  });

  test('finds payments, says what matched, and opens them by a click', async () => {
    page.on('payments.list', () => ({
      items: [
        {
          paymentId: 'p-9',
          merchantOrderId: 'order-9',
          amount: 12_500n,
          currency: 'NGN',
          displayStatus: 'SUCCESS',
          merchantId: 'm-1',
          customerEmail: 'ada@example.com',
          matched: 'email',
        },
      ],
      next: null,
    }));
    const user = showFrame();
    await user.click(button(/^Search/));
    await menu();
    fireEvent.change(screen.getByRole('combobox', { name: 'Search' }), { target: { value: 'ada@example.com' } });
    await screen.findByText('Searching payments…');
    await user.click(await screen.findByRole('option', { name: 'order-9, NGN 12,500.00, succeeded · E-mail' }));
    expect(page.navigations()).toEqual(['/payments/p-9?mode=test&merchant=m-1']);
    expect(page.calls('payments.list')).toMatchObject([{ mode: 'test', merchantIds: ['m-1'], search: 'ada@example.com' }]);
  });

  test('shows the same page of another merchant or in the other mode', async () => {
    const user = showFrame();
    await user.click(button(/^Search/));
    await menu();
    await waitFor(() => expect(options()).toContain('Shop 2'));
    expect(options()).toEqual(expect.arrayContaining(['Live payments', 'All merchants']));
    expect(options()).not.toContain('Balogun Books');
  });

  test('lists the keys, and switches single ones off', async () => {
    onTestFinished(() => window.localStorage.clear());
    const user = showFrame();
    await user.keyboard('?');
    const list = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(list.getAllByRole('listitem').map(textOf)).toEqual(
      expect.arrayContaining(['Paymentsgp', 'SearchCtrlK', 'Next in the listj', 'CloseEsc']),
    );
    await user.click(list.getByRole('checkbox', { name: /^Single-key shortcuts/ }));
    await user.click(list.getByRole('button', { name: 'Close' }));
    await user.keyboard('gp');
    expect(page.navigations()).toEqual([]);
    await user.keyboard('{Control>}k{/Control}');
    await menu();
  });

  test('two keys go to a page, and to none that the role may not see', async () => {
    const user = showFrame();
    await user.keyboard('gh');
    await user.keyboard('gf');
    expect(page.navigations()).toEqual(['/refunds?mode=test&merchant=m-1']);
  });
});

describe('the account menu', () => {
  test('says who is signed in, and in which zone times are', async () => {
    const user = showFrame();
    await user.click(button('Account: AO'));
    const account = await screen.findByRole('dialog', { name: 'Account' });
    await within(account).findByRole('link', { name: 'Your account' });
    expect(textOf(account)).toContain('Ada Ngozi Obiada@example.comOwnerTimes in Africa/Lagos');
    expect(hrefOf('Your account')).toBe('/account?mode=test&merchant=m-1');
  });

  test('signs out once, and leaves even when the server does not answer', async () => {
    const posted: string[] = [];
    vi.stubGlobal('fetch', async (path: string) => {
      posted.push(path);
      throw new TypeError('Failed to fetch');
    });
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    onTestFinished(() => {
      assign.mockRestore();
      vi.unstubAllGlobals();
    });
    const user = showFrame();
    await user.click(button('Account: AO'));
    await user.click(await screen.findByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(assign.mock.calls).toEqual([['/sign-in']]));
    expect(posted).toEqual(['/api/auth/sign-out']);
    expect(button('Sign out').disabled).toBe(true);
  });

  test('switches between light and dark, and keeps the choice', async () => {
    onTestFinished(() => {
      window.localStorage.clear();
      document.documentElement.removeAttribute('data-colour-scheme');
    });
    const user = showFrame();
    await user.click(button('Switch between light and dark'));
    expect(document.documentElement.getAttribute('data-colour-scheme')).toBe('dark');
    await user.click(button('Switch between light and dark'));
    expect(window.localStorage.getItem('colour-scheme')).toBe('light');
  });
});

test('the zone of the person is given to the browser once', () => {
  expect(followZone(null)).toBe(false);
  expect(followZone('Africa/Nairobi')).toBe(true);
  expect(document.cookie).toContain('zone=Africa%2FNairobi');
  expect(followZone('Africa/Nairobi')).toBe(false);
  expect(followZone(null)).toBe(true);
});

test('the content is reached past the navigation', () => {
  showFrame();
  expect(hrefOf('Skip to content')).toBe('#content');
  expect(screen.getByRole('main').id).toBe('content');
});
