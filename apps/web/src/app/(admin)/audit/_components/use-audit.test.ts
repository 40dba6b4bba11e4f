import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { describeMerchant } from '#/copy/audit.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { loadAuditPage } from '../filters.ts';
import { useAudit } from './use-audit.ts';

const page = openHookPage('?mode=test&merchant=m-1');
const inputSchema = z.object({ cursor: z.number().optional() });
const calls = () => page.server().calls('audit.list');

async function open() {
  const filters = await loadAuditPage({});
  return page.render(() => useAudit(filters));
}

beforeEach(() => {
  page.server().on('audit.list', (input) => {
    const number = inputSchema.parse(input).cursor ?? 1;
    return { items: [{ entryId: `e-${number}` }], next: number < 2 ? number + 1 : null };
  });
});

test('entries are listed page after page, without a gap or a repetition', async () => {
  const { result, act } = await open();
  await act(() => result.current.more());
  await page.wait();
  await act(() => result.current.more());
  await page.wait();
  expect(result.current.rows.map(({ entryId }) => entryId)).toEqual(['e-1', 'e-2']);
  expect(calls()).toHaveLength(2);
});

test('new entries appear every 20 seconds while one page is shown, and the list stands still once more are', async () => {
  const { result, act } = await open();
  await page.wait(20_000);
  expect(calls()).toHaveLength(2);
  await act(() => result.current.more());
  await page.wait();
  const before = calls().length;
  await page.wait(60_000);
  expect(calls()).toHaveLength(before);
});

test('without an answer the state is failed', async () => {
  page.server().on('audit.list', () => {
    throw new Error('No network.');
  });
  const { result } = await open();
  expect([result.current.state, result.current.error?.message]).toEqual(['failed', 'No network.']);
});

test.each([
  ['m-1', 'Yaba Gadget Hub', 'Yaba Gadget Hub'],
  [null, null, 'Workspace'],
  ['m-2', null, 'Unknown merchant'],
])('an entry of merchant %s is of %s', (merchantId, name, shown) => {
  expect(describeMerchant(merchantId, name)).toBe(shown);
});
