import { expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { pathInOtherScope } from '../scope/path-in-other-scope.ts';
import { scopeCommands } from './scope-commands.ts';

const page = openHookPage('');
const merchants = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    merchantId: `m-${index}`,
    name: `Merchant ${index}`,
    merchantNumber: `M-${index}`,
  }));
const labels = (...of: Parameters<typeof scopeCommands>) => scopeCommands(...of).map(({ label }) => label);
const TOOLS = Object({});

test('the other mode is offered, and every merchant but the one shown', () => {
  expect(labels({ mode: 'live', merchantId: 'm-0' }, merchants(2), false)).toEqual([
    'Test payments',
    'Merchant 1',
    'All merchants',
  ]);
  expect(labels({ mode: 'test', merchantId: null }, merchants(2), false)).toEqual(['Live payments', 'Merchant 0', 'Merchant 1']);
});

test('of many merchants none is listed before something is typed', () => {
  const scope = { mode: 'test', merchantId: null } as const;
  expect(labels(scope, merchants(6), false)).toEqual(['Live payments']);
  expect(labels(scope, merchants(6), true)).toHaveLength(7);
});

test('another merchant shows the list of this page: what is open may not exist there', () => {
  Object.assign(page.window.location, { pathname: '/payments/p-1' });
  const [, other] = scopeCommands({ mode: 'live', merchantId: null }, merchants(1), false);
  other?.run(TOOLS);
  expect(page.window.location.assign).toHaveBeenLastCalledWith('/payments?mode=live&merchant=m-0');
});

test('another mode keeps the merchant, and is remembered for the next visit', () => {
  Object.assign(page.window.location, { pathname: '/routing/drafts/d-1' });
  const [mode] = scopeCommands({ mode: 'live', merchantId: 'm-0' }, [], false);
  mode?.run(TOOLS);
  expect(page.window.location.assign).toHaveBeenLastCalledWith('/routing?mode=test&merchant=m-0');
  expect(Reflect.get(page.window.document, 'cookie')).toMatch(/^mode=test; path=\/; max-age=\d+; samesite=lax$/);
});

test.each([
  ['/payments/p-1', '/payments'],
  ['/customers/p-1', '/payments'],
  ['/', '/'],
  ['/overview', '/overview'],
])('%s leads to %s', (pathname, path) => {
  expect(pathInOtherScope(pathname)).toBe(path);
});
