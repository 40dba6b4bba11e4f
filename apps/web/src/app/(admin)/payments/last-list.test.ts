import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { openWindow } from '#/testing/window.ts';
import { lastListHref, rememberList } from './last-list.ts';

const window = openWindow();
afterAll(() => vi.unstubAllGlobals());

const MERCHANT = { mode: 'test', merchantId: 'm1' } as const;
const ALL = { mode: 'test', merchantId: null } as const;

beforeEach(() => {
  window.sessionStorage.isBlocked = false;
  window.sessionStorage.removeItem('payments-list');
});

test('the way back from a payment is the last list with its filters, and the payment open beside it', () => {
  rememberList('?mode=test&merchant=m1&status=FAILED&payment=p0');
  expect(lastListHref(MERCHANT, 'p1')).toBe('/payments?mode=test&merchant=m1&status=FAILED&payment=p1');
});

test('a list of another mode or merchant is no way back', () => {
  rememberList('?mode=test&merchant=m1');
  expect([
    lastListHref({ ...MERCHANT, mode: 'live' }, 'p1'),
    lastListHref({ ...MERCHANT, merchantId: 'm2' }, 'p1'),
    lastListHref(ALL, 'p1'),
  ]).toEqual([null, null, null]);
  rememberList('?mode=test');
  expect(lastListHref(ALL, 'p1')).toBe('/payments?mode=test&payment=p1');
});

test('without a list before, or where the browser keeps nothing, there is none', () => {
  expect(lastListHref(ALL, 'p1')).toBeNull();
  window.sessionStorage.isBlocked = true;
  rememberList('?mode=test');
  expect(lastListHref(ALL, 'p1')).toBeNull();
});
