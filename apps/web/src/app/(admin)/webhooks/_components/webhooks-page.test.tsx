// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { button, hrefOf, openDashboard, tableOf, textOf } from '#/testing/dashboard.tsx';
import type { EndpointRow } from './endpoint-badge.tsx';
import { WebhooksPage } from './webhooks-page.tsx';

const page = openDashboard('?mode=live', '/webhooks');

const AT = new Date('2024-11-21T13:02:00Z');
const ENDPOINT: EndpointRow = {
  endpointId: 'e-1',
  merchantId: 'm-1',
  mode: 'live',
  url: 'https://b.example/hooks',
  description: '',
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
  previousSecretEndsAt: null,
  createdAt: AT,
  updatedAt: AT,
};
const FAILING: EndpointRow = {
  ...ENDPOINT,
  endpointId: 'e-2',
  url: 'https://a.example/hooks',
  description: 'Accounting',
  types: ['payment.failed'],
  traffic: { attempts: 2_000, delivered: 1_999, oldestWaitingAt: AT, waiting: 1_234 },
  failingSince: AT,
  lastDeliveredAt: AT,
};
const OFF: EndpointRow = {
  ...ENDPOINT,
  endpointId: 'e-3',
  url: 'https://c.example/hooks',
  types: ['payment.failed', 'payment.succeeded'],
  enabled: false,
  traffic: { attempts: 11, delivered: 3, oldestWaitingAt: null, waiting: 0 },
  disabledAt: AT,
  disabledReason: 'gone',
};

beforeEach(() => {
  page.allow('webhook:read');
  page.on('merchants.list', () => [{ merchantId: 'm-1', name: 'Balogun Books' }]);
  page.on('webhooks.list', () => [ENDPOINT, FAILING, OFF]);
});
const showPage = () => page.show(<WebhooksPage />);
const addresses = async () => (await tableOf('Webhook endpoints')).slice(1).map((row) => row[0]?.slice(8, 9));

describe('endpoints', () => {
  test('have their state, events, success and what waits; without traffic there is no share', async () => {
    showPage();
    await screen.findAllByText('Balogun Books');
    const [header, ...rows] = await tableOf('Webhook endpoints');
    expect(header).toEqual(['Address', 'Status', 'Merchant', 'Events', 'Success, 24 h', 'Pending', 'Last delivered']);
    expect(rows).toEqual([
      [
        'https://a.example/hooksAccounting',
        'Failing, 21 Nov 2024, 14:02',
        'Balogun Books',
        'payment.failed',
        '99.9%',
        '1,234',
        '21 Nov 2024, 14:02',
      ],
      ['https://b.example/hooks', 'Active', 'Balogun Books', 'All', '–', '0', 'never'],
      ['https://c.example/hooks', 'Disabled', 'Balogun Books', '2 types', '3 of 11', '0', 'never'],
    ]);
    expect(hrefOf(/a\.example/)).toBe('/webhooks/endpoints/e-2?mode=live&merchant=m-1');
    screen.getByTitle('Disabled: it responded with HTTP 410 Gone');
  });

  test('are sorted here: the worst share first, those without traffic last', async () => {
    const user = showPage();
    await tableOf('Webhook endpoints');
    await user.click(button('Success, 24 h'));
    expect(await addresses()).toEqual(['c', 'a', 'b']);
    await user.click(button('Pending'));
    expect((await addresses())[0]).toBe('a');
    await user.click(button('Last delivered'));
    expect((await addresses())[0]).toBe('a');
    expect(page.search()).toContain('sort=-last');
  });

  test('are counted and listed by state; those that failed, by themselves or now, are said to', async () => {
    const user = showPage();
    await screen.findByText('2 are failing.');
    const states = within(screen.getByRole('group', { name: 'Status' }));
    expect(states.getAllByRole('button').map(textOf)).toEqual(['All3', 'Active1', 'Failing1', 'Disabled1']);
    await user.click(states.getByRole('button', { name: /^Disabled/ }));
    expect(await addresses()).toEqual(['c']);
    screen.getByText('1 endpoint');
    expect(page.search()).toContain('state=off');
  });

  test('that a person switched off do not count as failing', async () => {
    page.on('webhooks.list', () => [{ ...OFF, disabledReason: 'staff' }, FAILING]);
    showPage();
    await screen.findByText('1 is failing.');
    screen.getByTitle('Disabled: by staff');
  });
});

describe('without endpoints', () => {
  test('a viewer reads who can add one', async () => {
    page.on('webhooks.list', () => []);
    showPage();
    await screen.findByRole('heading', { name: 'No live endpoints yet' });
    screen.getByText('Only operators and owners can add one.');
    expect(screen.queryByRole('button', { name: 'Add an endpoint' })).toBeNull();
  });

  test('who may add one is offered it, and the address keeps the dialog', async () => {
    page.allow('webhook:configure');
    page.on('webhooks.list', () => []);
    page.on('webhooks.formats', () => ({}));
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: 'Add an endpoint' }));
    expect(page.search()).toContain('do=create');
    expect(screen.queryByText('Only operators and owners can add one.')).toBeNull();
    await screen.findByRole('dialog');
  });

  test('that could not be read, the page says why and tries again', async () => {
    page.on('webhooks.list', () => {
      throw new Error('The database is unavailable.');
    });
    const user = showPage();
    await screen.findByText('The database is unavailable.');
    page.on('webhooks.list', () => [ENDPOINT]);
    await user.click(button('Try again'));
    await waitFor(async () => expect(await addresses()).toEqual(['b']));
  });
});
