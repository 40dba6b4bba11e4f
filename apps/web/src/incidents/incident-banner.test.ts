import { expect, test } from 'vitest';
import { renderHook } from '../testing/hook-page.ts';
import { openWindow } from '../testing/window.ts';
import { useDrainConfirmation } from './incident-banner.tsx';
import type { OutageAccount } from './use-attention.ts';

openWindow();

const account: OutageAccount = {
  merchantId: 'm-1',
  merchantName: 'Yaba Gadget Hub',
  accountId: 'a-1',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  label: 'paystack-main',
  state: 'down',
  since: new Date('2026-11-20T14:02:00Z'),
  why: null,
  drain: null,
};

test('a question about an account stays open when the outage ends, and says so', async () => {
  const page = await renderHook((outage: { accounts: OutageAccount[] } | null) => useDrainConfirmation(outage), {
    props: { accounts: [account] },
  });
  await page.act(() => page.result.current.ask(account));
  expect(page.result.current).toMatchObject({ asked: { accountId: 'a-1' }, isRecovered: false });
  await page.rerender({ accounts: [{ ...account, since: new Date(account.since) }] });
  expect(page.result.current.isRecovered).toBe(false);
  await page.rerender(null);
  expect(page.result.current).toMatchObject({ asked: { accountId: 'a-1' }, isRecovered: true });
  await page.act(() => page.result.current.close());
  expect(page.result.current).toMatchObject({ asked: null, isRecovered: false });
  await page.unmount();
});
