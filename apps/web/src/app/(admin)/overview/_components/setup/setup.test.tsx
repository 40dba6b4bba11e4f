// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectCalls, hrefOf, openDashboard, textOf, undo } from '#/testing/dashboard.tsx';
import { SetUp } from './setup.tsx';
import type { Setup } from './setup-checklist.tsx';

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
