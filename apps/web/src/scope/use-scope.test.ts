import { describe, expect, test } from 'vitest';
import { openHookPage } from '../testing/hook-page.ts';
import { hrefIn, scopeFilter } from './scope.ts';
import { useScope } from './use-scope.ts';

const page = openHookPage('?mode=live&merchant=m-1');

test('the scope of a page is the mode and the merchant of its address', async () => {
  const { result } = await page.render(useScope);
  expect(result.current).toEqual({ mode: 'live', merchantId: 'm-1' });
});

test('an address without a valid mode shows test payments of every merchant, never live ones', async () => {
  page.goTo('?mode=production');
  const { result } = await page.render(useScope);
  expect(result.current).toEqual({ mode: 'test', merchantId: null });
});

test('an address whose merchant is empty shows every merchant', async () => {
  page.goTo('?mode=test&merchant=');
  const { result } = await page.render(useScope);
  expect(result.current).toEqual({ mode: 'test', merchantId: null });
});

describe('an address in a scope', () => {
  test('keeps mode and merchant, encodes the query, and leaves out what is null', () => {
    const scope = { mode: 'live', merchantId: 'm-1' } as const;
    expect(hrefIn(scope, '/payments', { q: 'a&b', gateway: null })).toBe('/payments?mode=live&merchant=m-1&q=a%26b');
    expect(hrefIn({ mode: 'test', merchantId: null }, '/payments')).toBe('/payments?mode=test');
  });

  test('filters lists by its merchant, or by none where every merchant is shown', () => {
    expect(scopeFilter({ mode: 'live', merchantId: 'm-1' })).toEqual({ mode: 'live', merchantIds: ['m-1'] });
    expect(scopeFilter({ mode: 'test', merchantId: null })).toEqual({ mode: 'test', merchantIds: [] });
  });
});
