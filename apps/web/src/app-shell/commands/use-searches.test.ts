import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RenderedHook, renderHook } from '#/testing/hook-page.ts';
import { openServer, type TestServer } from '#/testing/server.tsx';
import { openWindow } from '#/testing/window.ts';
import type { Command } from './commands.ts';
import { usePaymentSearch, useReferenceSearch, useRequestSearch } from './use-searches.ts';

openWindow();
afterAll(() => vi.unstubAllGlobals());

describe('use payment search', () => {
  const PAUSE_MS = 250;
  const SCOPE = { mode: 'test', merchantId: null } as const;
  const found = (merchantOrderId: string) => ({
    items: [
      {
        paymentId: `id of ${merchantOrderId}`,
        merchantOrderId,
        amount: 12_500,
        currency: 'NGN',
        displayStatus: 'SUCCESS',
        merchantId: 'm-1',
        customerEmail: 'ada@example.com',
        matched: 'order_id',
      },
    ],
    next: null,
  });

  let server: TestServer;
  let menu: RenderedHook<ReturnType<typeof usePaymentSearch>, string>;
  const wait = (ms: number) => menu.act(() => vi.advanceTimersByTimeAsync(ms));
  const labels = () => menu.result.current.payments.map(({ label }) => label);

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    server = openServer('?mode=test');
    server.on('payments.list', (input) => found(Object(input).search));
    menu = await renderHook((text) => usePaymentSearch(text, SCOPE), { props: '', wrapper: server.wrapper });
  });

  afterEach(async () => {
    await menu.unmount();
    server.close();
    vi.useRealTimers();
  });

  test('payments are searched for once typing pauses, in the scope of the page', async () => {
    for (const text of ['ord', 'orde', 'order-1']) {
      await menu.rerender(text);
      await wait(PAUSE_MS - 1);
    }
    expect(server.calls('payments.list')).toEqual([]);
    expect(menu.result.current.searching).toBe(true);
    await wait(1);
    await wait(0);
    expect(server.calls('payments.list')).toMatchObject([
      { mode: 'test', merchantIds: [], search: 'order-1', zone: 'Africa/Lagos' },
    ]);
    expect([labels(), menu.result.current.searching]).toEqual([['order-1, NGN 12,500.00, succeeded'], false]);
  });

  test('fewer than three letters are not searched for', async () => {
    await menu.rerender(' or ');
    await wait(PAUSE_MS);
    expect([server.calls('payments.list'), menu.result.current.searching]).toEqual([[], false]);
  });

  test('what another text found is not offered while typing goes on', async () => {
    await menu.rerender('order-1');
    await wait(PAUSE_MS);
    await wait(0);
    await menu.rerender('order-2');
    expect([labels(), menu.result.current.searching]).toEqual([[], true]);
  });

  test('a found payment opens its page', async () => {
    await menu.rerender('order-1');
    await wait(PAUSE_MS);
    await wait(0);
    const go = vi.fn<(path: string) => void>();
    menu.result.current.payments[0]?.run({ scope: SCOPE, go, toggleScheme: vi.fn(), showShortcuts: vi.fn(), signOut: vi.fn() });
    expect(go.mock.calls).toEqual([['/payments/id of order-1']]);
  });

  test('of what a person’s field matched, each customer of a merchant is offered once, by an address that does not name them', async () => {
    const item = (id: string, matched: string, customerEmail = 'ada@example.com', merchantId = 'm-1') => ({
      ...found(id).items[0],
      matched,
      customerEmail,
      merchantId,
    });
    server.on('payments.list', () => ({
      items: [
        item('1', 'phone'),
        item('2', 'phone', 'ADA@example.com'),
        item('3', 'email', 'ada@example.com', 'm-2'),
        item('4', 'card', 'bem@example.com'),
        item('5', 'amount', 'chi@example.com'),
      ],
      next: null,
    }));
    await menu.rerender('0803 555 0199');
    await wait(PAUSE_MS);
    await wait(0);
    const { customers, payments } = menu.result.current;
    expect(payments.map(({ label }) => label.split(' · ')[1])).toEqual(['Phone', 'Phone', 'E-mail', 'Card', 'Amount']);
    const go = vi.fn<(path: string) => void>();
    const tools = { scope: SCOPE, go, toggleScheme: vi.fn(), showShortcuts: vi.fn(), signOut: vi.fn() };
    for (const { run } of customers) run(tools);
    expect(customers.map(({ label }) => label)).toEqual(['ada@example.com', 'ada@example.com']);
    expect(go.mock.calls).toEqual([['/customers/id of 1'], ['/customers/id of 3']]);
  });
});

describe('use request search', () => {
  const SCOPE = { mode: 'test', merchantId: null } as const;
  const REQUEST_ID = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';

  let server: TestServer;
  let menu: RenderedHook<Command[], string>;

  beforeEach(async () => {
    server = openServer('?mode=test');
    server.on('me', () => ({ access: [{ merchantId: null, permissions: ['key:read'] }] }));
    server.on('requests.list', () => ({
      items: [{ apiRequestId: 'r-1', method: 'POST', path: '/v1/payments/initiate', status: 400 }],
      next: null,
    }));
    menu = await renderHook((text) => useRequestSearch(text, SCOPE), { props: '', wrapper: server.wrapper });
  });
  afterEach(async () => {
    await menu.unmount();
    server.close();
  });

  test('a request id finds its requests, and the command opens one; other text asks for none', async () => {
    await menu.rerender('order-1');
    await menu.rerender(` ${REQUEST_ID.toUpperCase()} `);
    await vi.waitFor(() => expect(menu.result.current).toHaveLength(1));
    expect(server.calls('requests.list')).toMatchObject([{ mode: 'test', merchantIds: [], requestId: REQUEST_ID }]);
    const [command] = menu.result.current;
    expect(command?.label).toBe('POST /v1/payments/initiate, HTTP 400');
    const go = vi.fn();
    const nothing = () => undefined;
    command?.run({ scope: SCOPE, go, toggleScheme: nothing, showShortcuts: nothing, signOut: nothing });
    expect(go).toHaveBeenCalledWith('/developers/requests', { q: REQUEST_ID, request: 'r-1' });
  });
});

describe('use reference search', () => {
  const SCOPE = { mode: 'test', merchantId: null } as const;
  let server: TestServer;
  let menu: RenderedHook<Command[], string>;
  const money = { currency: 'NGN', amount: '2500' };

  async function open(...permissions: readonly string[]) {
    server = openServer('?mode=test');
    server.on('me', () => ({ access: [{ merchantId: null, permissions }] }));
    server.on('refunds.list', () => ({
      items: [{ ...money, refundId: 'r-1', merchantOrderId: 'A-1', state: 'SUCCEEDED' }],
      next: null,
    }));
    server.on('disputes.list', () => ({
      items: [{ ...money, disputeId: 'd-1', gatewayDisputeId: 'dp-9', state: 'WON' }],
      next: null,
    }));
    server.on('settlements.list', () => ({
      items: [{ settlementId: 's-1', reference: 'TRF_9', currency: 'NGN', net: '2400', status: 'PAID' }],
      next: null,
    }));
    menu = await renderHook((text) => useReferenceSearch(text, SCOPE), { props: '', wrapper: server.wrapper });
  }
  afterEach(async () => {
    await menu.unmount();
    server.close();
  });

  test('a reference finds refunds, disputes and settlements, and each command opens its own', async () => {
    await open('payment:read', 'report:read');
    await menu.rerender(' TRF_9 ');
    await vi.waitFor(() => expect(menu.result.current).toHaveLength(3));
    expect(server.calls('settlements.list')).toMatchObject([{ mode: 'test', merchantIds: [], search: 'TRF_9' }]);
    expect(menu.result.current.map(({ label }) => label)).toEqual([
      'Refund of A-1, NGN 2,500.00, succeeded',
      'Dispute dp-9, NGN 2,500.00, won',
      'Settlement TRF_9, NGN 2,400.00, paid',
    ]);
    const go = vi.fn();
    const nothing = () => undefined;
    for (const { run } of menu.result.current) {
      run({ scope: SCOPE, go, toggleScheme: nothing, showShortcuts: nothing, signOut: nothing });
    }
    expect(go.mock.calls).toEqual([['/refunds', { q: 'r-1' }], ['/disputes/d-1'], ['/settlements/s-1']]);
  });

  test('words are no reference, and settlements are for those who may read them', async () => {
    await open('payment:read');
    await menu.rerender('settlements');
    await menu.rerender('TRF_9');
    await vi.waitFor(() => expect(menu.result.current).toHaveLength(2));
    expect([server.calls('settlements.list'), server.calls('refunds.list')]).toMatchObject([[], [{ search: 'TRF_9' }]]);
  });
});
