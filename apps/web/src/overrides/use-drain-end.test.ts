import { expect, test } from 'vitest';
import { shownToasts } from '../components/toasts/toast-store.ts';
import { openHookPage } from '../testing/hook-page.ts';
import { useDrainEnd } from './use-drain-end.ts';

const page = openHookPage('?mode=live&merchant=m-1');
const ACCOUNT = { merchantId: 'm-1', merchantName: 'Yaba Gadget Hub', accountId: 'a-1', label: 'paystack-main' };
const open = () => page.render(() => useDrainEnd(ACCOUNT));
const lastToast = () => shownToasts().at(-1);

test('a drain that cannot be ended says why', async () => {
  page.server().on('health.endOverride', () => {
    throw new Error('The database is unavailable.');
  });
  const { result, act } = await open();
  await act(() => result.current.endDrain({ overrideId: 'o-1', gateway: null }));
  expect(lastToast()).toMatchObject({ text: 'The database is unavailable.', tone: 'bad' });
});

test('the end of a drain is said', async () => {
  page.server().on('health.endOverride', () => ({ kind: 'ended' }));
  const { result, act } = await open();
  await act(() => result.current.endDrain({ overrideId: 'o-3', gateway: null }));
  expect(page.server().calls('health.endOverride')).toEqual([{ merchantId: 'm-1', overrideId: 'o-3' }]);
  expect(lastToast()).toMatchObject({ text: 'paystack-main takes payments again, as rules and health say.', subject: 'o-3' });
});

test('the drain of a gateway is ended for all merchants', async () => {
  page.server().on('health.endGatewayDrain', () => ({ kind: 'ended' }));
  const { result, act } = await open();
  await act(() => result.current.endDrain({ overrideId: 'o-4', gateway: 'paystack' }));
  expect(page.server().calls('health.endGatewayDrain')).toEqual([{ overrideId: 'o-4' }]);
});
