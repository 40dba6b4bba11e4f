import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeMerchant } from '#/copy/audit.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { loadAuditPage } from '../filters.ts';
import { useAudit, useChains } from './use-audit.ts';

const page = openHookPage('?mode=test&merchant=m-1');

describe('use audit', () => {
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
});

describe('use chains', () => {
  const AUTOMATIC_MAX = 20_000;
  const inputSchema = z.object({ merchantId: z.string().nullable(), from: z.object({ position: z.number() }).nullable() });
  const INTACT = { kind: 'intact', position: 2_000, hash: 'ff' };
  const verifications = () => page.server().calls('audit.verify');

  function chainsOf(...lengths: number[]): void {
    page
      .server()
      .on('audit.chains', () =>
        lengths.map((position, index) => ({ merchantId: index === 0 ? null : `m-${index}`, position, hash: 'ff' })),
      );
  }

  test('short chains are verified when the page opens, each to its end, page after page', async () => {
    chainsOf(2_000);
    page.server().on('audit.verify', (input) => {
      const at = inputSchema.parse(input).from?.position ?? 0;
      return at < 1_500 ? { kind: 'continues', to: { position: at + 500, hash: String(at) } } : INTACT;
    });
    const { result } = await page.render(useChains);
    await page.wait();
    expect(verifications().map((input) => inputSchema.parse(input).from?.position ?? null)).toEqual([null, 500, 1_000, 1_500]);
    expect(result.current).toMatchObject({ running: false, message: null, chains: [{ verified: INTACT }] });
  });

  test('long chains wait for a request, and count as not verified until then', async () => {
    chainsOf(AUTOMATIC_MAX, 1);
    page.server().on('audit.verify', () => INTACT);
    const { result, act } = await page.render(useChains);
    expect([verifications().length, result.current.running, result.current.entries]).toEqual([0, false, AUTOMATIC_MAX + 1]);
    expect(result.current.chains?.map(({ verified }) => verified)).toEqual([null, null]);
    await act(() => result.current.verify((result.current.chains ?? []).slice(1)));
    await page.wait();
    expect(result.current.chains?.map(({ verified }) => verified)).toEqual([null, INTACT]);
  });

  test('a saved head is compared with the chain', async () => {
    chainsOf(AUTOMATIC_MAX + 1);
    page.server().on('audit.verify', () => ({ kind: 'broken', position: 7 }));
    const { result, act } = await page.render(useChains);
    const kept = { position: 12, hash: 'aa' };
    await act(() => result.current.verify(result.current.chains ?? [], kept));
    expect(verifications()).toMatchObject([{ merchantId: null, from: null, kept }]);
    expect(result.current.chains?.[0]?.verified).toEqual({ kind: 'broken', position: 7 });
  });

  test('a failed verification is shown and leaves no chain verified', async () => {
    chainsOf(10);
    page.server().on('audit.verify', () => {
      throw new Error('The database is unavailable.');
    });
    const { result } = await page.render(useChains);
    await page.wait();
    expect(result.current).toMatchObject({
      running: false,
      message: 'The database is unavailable.',
      chains: [{ verified: null }],
    });
  });

  test('a chain that never ends is given up after 500 pages', async () => {
    chainsOf(10);
    page.server().on('audit.verify', () => ({ kind: 'continues', to: { position: verifications().length, hash: 'ff' } }));
    const { result } = await page.render(useChains);
    await page.wait();
    expect([verifications().length, result.current.message]).toEqual([500, 'The log is too long to be verified here.']);
  });
});
