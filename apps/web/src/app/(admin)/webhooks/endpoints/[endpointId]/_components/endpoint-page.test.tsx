// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { EndpointRow } from '#/app/(admin)/webhooks/_components/endpoint-badge.tsx';
import { button, expectCalls, factsIn, hrefOf, openDashboard, tableOf, textOf, undo } from '#/testing/dashboard.tsx';
import type { DeliveryRow } from './deliveries.tsx';
import { EndpointPage } from './endpoint-page.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const KEY = { merchantId: 'm-1', endpointId: 'e-1' };
const AT = new Date('2024-11-21T13:02:00Z');
const SOON = new Date('2099-01-02T03:04:00Z');
const ENDPOINT: EndpointRow = {
  ...KEY,
  mode: 'test',
  url: 'https://shop.example/hooks',
  description: 'Orders',
  types: [],
  format: 'switchyard',
  enabled: true,
  traffic: { attempts: 1_234, delivered: 1_233, oldestWaitingAt: null, waiting: 1 },
  failingSince: null,
  lastFailedAt: null,
  lastDeliveredAt: AT,
  disabledAt: null,
  disabledReason: null,
  certificateExpiresAt: SOON,
  previousSecretEndsAt: null,
  createdAt: AT,
  updatedAt: AT,
};
const DELIVERY = {
  deliveryId: 'd-1',
  type: 'payment.succeeded',
  paymentId: '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11',
  state: 'DELIVERED',
  attempts: 1,
  lastStatus: 204,
  lastFailure: null,
  nextAttemptAt: null,
  createdAt: AT,
} as DeliveryRow;
const COUNTS = {
  all: { count: 9, more: false },
  byState: { PENDING: { count: 2, more: false }, DELIVERED: { count: 6, more: false }, FAILED: { count: 1, more: false } },
};

beforeEach(() => {
  page.allow('webhook:read');
  page.on('merchants.list', () => [{ merchantId: 'm-1', name: 'Balogun Books' }]);
  page.on('webhooks.deliveries.list', () => ({ items: [DELIVERY], next: null }));
  page.on('webhooks.deliveries.counts', () => COUNTS);
  page.on('webhooks.deliveries.resends', () => []);
});
async function show(change: Partial<EndpointRow> = {}) {
  page.on('webhooks.byId', () => ({ ...ENDPOINT, ...change }));
  const user = page.show(<EndpointPage endpointId="e-1" />);
  await screen.findByRole('heading', { level: 1, name: 'https://shop.example/hooks' });
  return user;
}
const settings = () => factsIn(screen.getByRole('region', { name: 'Settings' }));

describe('an endpoint', () => {
  test('has its success of a day, never rounded up to all, and what waits', async () => {
    await show();
    await screen.findByText('Balogun Books');
    const figures = factsIn(document.body);
    expect(figures).toMatchObject({
      'Success, 24 h': '99.9%',
      'Attempts, 24 h': '1,234',
      Pending: '2',
      'Last delivered': '21 Nov 2024, 14:02',
    });
    expect(hrefOf('Webhooks')).toBe('/webhooks?mode=test&merchant=m-1');
  });

  test.each<[string, Partial<EndpointRow>, RegExp]>([
    ['a person', { disabledReason: 'staff' }, /Disabled 21 Nov 2024, 14:02: by staff\. Nothing is sent/],
    ['an answer of 410', { disabledReason: 'gone' }, /: it responded with HTTP 410 Gone\. Nothing/],
    ['five days of failures', { disabledReason: 'failing' }, /: it failed for five days\. Nothing/],
  ])('that is off says since when and by what: %s', async (_by, change, words) => {
    await show({ enabled: false, disabledAt: AT, ...change });
    expect(textOf(screen.getByText(/^Disabled/, { selector: 'div > span' }))).toMatch(words);
    expect(screen.queryByRole('button', { name: /^Enable$|test event/ })).toBeNull();
  });

  test('without a merchant in the address is found among all', async () => {
    page.on('webhooks.byId', () => {
      throw Object.assign(new Error('There is no such endpoint.'), {});
    });
    page.show(<EndpointPage endpointId="e-1" />);
    expect((await screen.findByRole('alert')).textContent).toBe('There is no such endpoint.');
  });
});

describe('its settings', () => {
  test('name the events, the form and the secrets; a viewer changes none', async () => {
    await show({ types: ['payment.failed', 'a.new_one'], format: 'paystack' });
    expect(settings()).toMatchObject({
      Events: 'Payment failed, a.new_one',
      Format: 'Paystack',
      'Signing secret': 'One active; it was shown when it was created',
      Certificate: 'Expires 2 Jan 2099, 04:04',
    });
    screen.getByText(/Messages have Paystack's form and signature/);
    expect(
      within(screen.getByRole('region', { name: 'Settings' })).queryByRole('button', { name: /Edit|Remove|Disable/ }),
    ).toBeNull();
  });

  test.each<[string, Partial<EndpointRow>, string | undefined]>([
    ['that has ended', { certificateExpiresAt: AT }, 'Expired 21 Nov 2024, 14:02'],
    ['that is not known yet', { certificateExpiresAt: null }, 'Known after the first delivery'],
    ['that there is none of', { url: 'http://shop.example/hooks' }, undefined],
  ])('say of a certificate %s', async (_what, change, words) => {
    page.on('webhooks.byId', () => ({ ...ENDPOINT, ...change }));
    page.show(<EndpointPage endpointId="e-1" />);
    await screen.findByRole('region', { name: 'Settings' });
    expect(settings().Certificate).toBe(words);
  });

  test('end the old secret only while there is one', async () => {
    page.allow('webhook:configure');
    page.on('webhooks.endPreviousSecret', () => ({}));
    const user = await show({ previousSecretEndsAt: SOON });
    expect(settings()['Signing secret']).toBe('Two active: the old one until 2 Jan 2099, 04:04');
    await user.click(await screen.findByRole('button', { name: 'Expire the old secret now' }));
    await expectCalls(page, 'webhooks.endPreviousSecret', [KEY]);
    await waitFor(() => expect(page.toasts()).toEqual(['The old secret is no longer used.']));
  });

  test('of an old secret whose time is over have nothing to end', async () => {
    page.allow('webhook:configure');
    await show({ previousSecretEndsAt: AT });
    await screen.findByRole('button', { name: 'Edit' });
    expect(screen.queryByRole('button', { name: 'Expire the old secret now' })).toBeNull();
  });

  test('switch it off with what that does, and back on', async () => {
    page.allow('webhook:configure');
    page.on('webhooks.disable', () => ({}));
    page.on('webhooks.enable', () => ({}));
    const user = await show();
    await user.click(await screen.findByRole('button', { name: 'Disable' }));
    const dialog = await screen.findByRole('dialog', { name: 'Disable this endpoint?' });
    expect(textOf(dialog)).toContain('1 pending delivery is marked as failed.');
    await user.click(within(dialog).getByRole('button', { name: 'Disable' }));
    await expectCalls(page, 'webhooks.disable', [KEY]);
    await waitFor(() => expect(page.toasts()).toEqual(['https://shop.example/hooks was disabled.']));
    await undo();
    await expectCalls(page, 'webhooks.enable', [KEY]);
  });

  test('remove it for good, and go back to the list', async () => {
    page.allow('webhook:configure');
    page.on('webhooks.remove', () => ({}));
    const user = await show();
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove this endpoint?' });
    expect(textOf(dialog)).toContain('got 1,233 events in the last 24 hours, and 1 is pending, not to be sent.');
    await user.click(within(dialog).getByRole('button', { name: 'Remove endpoint' }));
    await expectCalls(page, 'webhooks.remove', [KEY]);
    await waitFor(() => expect(page.navigations()).toEqual(['/webhooks?mode=test&merchant=m-1']));
  });

  test('stay as they are where removing was refused', async () => {
    page.allow('webhook:configure');
    page.on('webhooks.remove', () => {
      throw new Error('It is being sent to.');
    });
    const user = await show();
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    await user.click(await screen.findByRole('button', { name: 'Remove endpoint' }));
    await screen.findByText('It is being sent to.');
    expect(page.navigations()).toEqual([]);
  });
});

describe('a test event', () => {
  test('is sent by those who may, and opens beside the list', async () => {
    page.allow('webhook:resend');
    page.on('webhooks.sendTest', () => ({ kind: 'queued', deliveryId: 'd-9' }));
    page.on('webhooks.deliveries.byId', () => new Promise(() => undefined));
    const user = await show();
    await user.click(await screen.findByRole('button', { name: 'Send test event' }));
    await screen.findByRole('status', { name: 'Loading the delivery' });
    expect(page.search()).toContain('delivery=d-9');
  });

  test('to an endpoint that was switched off meanwhile is refused in the corner', async () => {
    page.allow('webhook:resend');
    page.on('webhooks.sendTest', () => ({ kind: 'switched_off' }));
    const user = await show();
    await user.click(await screen.findByRole('button', { name: 'Send test event' }));
    await waitFor(() => expect(page.toasts()).toEqual(['Nothing is sent to a disabled endpoint.']));
  });

  test('is not offered while the endpoint is off', async () => {
    page.allow('webhook:resend', 'webhook:configure');
    await show({ enabled: false, disabledReason: 'staff' });
    await screen.findByRole('button', { name: 'Enable' });
    expect(screen.queryByRole('button', { name: 'Send test event' })).toBeNull();
  });
});

describe('deliveries', () => {
  test('have their event in words, their payment and what was answered', async () => {
    page.on('webhooks.deliveries.list', () => ({
      items: [
        DELIVERY,
        { ...DELIVERY, deliveryId: 'd-2', state: 'FAILED', attempts: 8, lastStatus: 302 },
        {
          ...DELIVERY,
          deliveryId: 'd-3',
          type: 'a.new_one',
          paymentId: null,
          state: 'PENDING',
          lastStatus: null,
          lastFailure: 'timeout',
          nextAttemptAt: SOON,
        },
        { ...DELIVERY, deliveryId: 'd-4', state: 'PENDING', attempts: 0, lastStatus: null },
      ],
      next: null,
    }));
    await show();
    const [header, ...rows] = await tableOf('Deliveries');
    expect(header).toEqual(['Event', 'Payment', 'Status', 'Last response', 'Attempts', 'Next attempt', 'Created']);
    const at = '21 Nov 2024, 14:02';
    expect(rows).toEqual([
      ['Payment succeeded', '…2b6d5a7c9e11', 'Delivered', 'HTTP 204', '1', '–', at],
      ['Payment succeeded', '…2b6d5a7c9e11', 'Failed', 'HTTP 302, a redirect, which is not followed', '8', '–', at],
      ['a.new_one', '–', 'Pending', 'No response within 15 seconds', '1', '2 Jan 2099, 04:04', at],
      ['Payment succeeded', '…2b6d5a7c9e11', 'Pending', '–', '0', '–', at],
    ]);
  });

  test('are filtered by state and sorted by the server; the numbers are those of every state', async () => {
    const user = await show();
    const states = within(screen.getByRole('group', { name: 'Status' }));
    await waitFor(() => expect(states.getAllByRole('button').map(textOf)).toEqual(['All9', 'Pending2', 'Delivered6', 'Failed1']));
    await user.click(states.getByRole('button', { name: /^Failed/ }));
    await user.click(button('Attempts'));
    await waitFor(() =>
      expect(page.calls('webhooks.deliveries.list').at(-1)).toMatchObject({
        ...KEY,
        states: ['FAILED'],
        sort: { by: 'attempts', descending: true },
      }),
    );
    expect(page.calls('webhooks.deliveries.counts').at(-1)).toMatchObject({ ...KEY, states: [] });
  });

  test('that are none say what to do: of the endpoint, or of the filters', async () => {
    page.on('webhooks.deliveries.list', () => ({ items: [], next: null }));
    const user = await show();
    await screen.findByText(/No deliveries yet\. Send a test event/);
    await user.click(within(screen.getByRole('group', { name: 'Status' })).getByRole('button', { name: /^Failed/ }));
    await screen.findByText(/No deliveries match these filters/);
  });

  test('that could not be read say why', async () => {
    page.on('webhooks.deliveries.list', () => {
      throw new Error('The database is unavailable.');
    });
    await show();
    await screen.findByText('The database is unavailable.');
  });

  test('are exported with the filters of the list', async () => {
    page.allow('report:export');
    const user = await show();
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    await screen.findByRole('dialog', { name: 'Export' });
    const url = new URL(hrefOf(/^CSV/) ?? '', 'https://x.example');
    expect(JSON.parse(url.searchParams.get('filter') ?? '')).toEqual({
      merchantIds: ['m-1'],
      mode: 'test',
      endpointId: 'e-1',
      states: [],
      about: null,
      createdFrom: null,
      createdTo: null,
    });
  });
});

describe('a delivery', () => {
  const DETAIL = {
    deliveryId: 'd-1',
    state: 'FAILED',
    eventId: 'evt-1',
    type: 'payment.succeeded',
    paymentId: 'p-1',
    nextAttemptAt: null,
    happenedAt: AT,
    deliveredAt: null,
    body: '{"id":"evt-1"}',
    attemptLog: [
      {
        number: 1,
        delivered: false,
        status: 500,
        failure: null,
        startedAt: AT,
        durationMs: 1_500,
        answer: 'Oops',
        url: 'https://old.example/hooks',
      },
      {
        number: 2,
        delivered: false,
        status: null,
        failure: 'certificate',
        startedAt: AT,
        durationMs: 20,
        answer: null,
        url: ENDPOINT.url,
      },
    ],
  };
  async function open(change: object, endpoint: Partial<EndpointRow> = {}) {
    page.on('webhooks.deliveries.byId', () => ({ ...DETAIL, ...change }));
    const user = await show(endpoint);
    await user.click(await screen.findByRole('button', { name: 'Payment succeeded' }));
    const panel = await screen.findByRole('complementary', { name: 'Delivery' });
    await within(panel).findByRole('region', { name: 'Attempts' });
    return { user, panel };
  }

  test('has each attempt with its answer, and where it was sent if that was elsewhere', async () => {
    const { panel } = await open({});
    expect(within(panel).getAllByRole('listitem').map(textOf)).toEqual([
      'HTTP 50021 Nov 2024, 14:02, took 2 sOopsSent to https://old.example/hooks',
      'The certificate was not accepted21 Nov 2024, 14:02, took 20 ms',
    ]);
    expect(factsIn(panel)).toMatchObject({ Payment: 'p-1', Happened: '21 Nov 2024, 14:02' });
    expect(factsIn(panel)).not.toHaveProperty('Delivered');
    expect(hrefOf('p-1')).toBe('/payments/p-1?mode=test&merchant=m-1');
    expect(screen.getByRole('region', { name: 'the payload' }).textContent).toBe('{\n  "id": "evt-1"\n}');
    expect(within(panel).queryByRole('button', { name: 'Resend' })).toBeNull();
  });

  test('that waits says when it is tried, and is tried now by those who may', async () => {
    page.allow('webhook:resend');
    page.on('webhooks.deliveries.resend', () => ({ kind: 'queued' }));
    const { user, panel } = await open({ state: 'PENDING', nextAttemptAt: SOON, attemptLog: [] });
    expect(textOf(panel)).toContain('First attempt 2 Jan 2099, 04:04');
    within(panel).getByText('Nothing has been sent yet.');
    await user.click(await within(panel).findByRole('button', { name: 'Retry now' }));
    await expectCalls(page, 'webhooks.deliveries.resend', [{ merchantId: 'm-1', deliveryId: 'd-1' }]);
  });

  test('is not sent to an endpoint that is off', async () => {
    page.allow('webhook:resend');
    const { panel } = await open({}, { enabled: false });
    expect(within(panel).queryByRole('button', { name: 'Resend' })).toBeNull();
  });
});

test('periods that were sent again have their progress, the latest three', async () => {
  const resend = {
    id: 's-1',
    fromAt: AT,
    toAt: AT,
    total: 1_200,
    queued: 900,
    delivered: 800,
    failed: 40,
    waiting: 60,
    finishedAt: null,
    createdAt: AT,
  };
  page.on('webhooks.deliveries.resends', () => [
    resend,
    { ...resend, id: 's-2', total: 0, delivered: 0, failed: 0, waiting: 0, finishedAt: AT },
    { ...resend, id: 's-3' },
    { ...resend, id: 's-4' },
  ]);
  await show();
  const region = await screen.findByRole('region', { name: 'Resends' });
  const entries = within(region).getAllByRole('listitem').map(textOf);
  expect(entries).toHaveLength(3);
  expect(entries[0]).toContain('800 of 1,200 delivered, 40 failed, 60 waiting, 900 in the queue so far; requested 21 Nov');
  expect(entries[1]).toContain('0 of 0 delivered; requested');
  const [bar] = within(region).getAllByRole<HTMLProgressElement>('progressbar', { name: 'Events processed' });
  expect([bar?.value, bar?.max]).toEqual([840, 1_200]);
});
