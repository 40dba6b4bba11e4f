import { expect, test } from 'vitest';
import { shownToasts } from '../components/toasts/toast-store.ts';
import { openHookPage } from '../testing/hook-page.ts';
import { useDrain } from './use-drain.ts';

const page = openHookPage('?mode=live&merchant=m-1');
const ACCOUNT = { merchantId: 'm-1', merchantName: 'Yaba Gadget Hub', accountId: 'a-1', label: 'paystack-main' };
const open = () => page.render(() => useDrain(ACCOUNT));
const lastToast = () => shownToasts().at(-1);

test('a drain that cannot be ended says why', async () => {
  page.server().on('health.endOverride', () => {
    throw new Error('The database is unavailable.');
  });
  const { result, act } = await open();
  await act(() => result.current.endDrain({ overrideId: 'o-1', gateway: null }));
  expect(lastToast()).toMatchObject({ text: 'The database is unavailable.', tone: 'bad' });
});

test('an account that is drained offers to end that', async () => {
  page.server().on('health.setOverride', () => ({ kind: 'set', override: { id: 'o-2' } }));
  page.server().on('health.endOverride', () => ({ kind: 'ended' }));
  const { result, act } = await open();
  await act(async () => expect(await result.current.drain({ reason: 'Gateway outage', putBack: false })).toBeNull());
  expect(page.server().calls('health.setOverride')).toMatchObject([{ accountId: 'a-1', method: null, action: 'drain' }]);
  expect(lastToast()?.text).toBe('paystack-main is drained.');
  await act(() => lastToast()?.action?.run());
  expect(page.server().calls('health.endOverride')).toEqual([{ merchantId: 'm-1', overrideId: 'o-2' }]);
});

test('that an account is drained is not said any more once the drain was ended elsewhere on the page', async () => {
  page.server().on('health.setOverride', () => ({ kind: 'set', override: { id: 'o-3' } }));
  page.server().on('health.endOverride', () => ({ kind: 'ended' }));
  const { result, act } = await open();
  await act(() => result.current.drain({ reason: 'Gateway outage', putBack: false }));
  await act(() => result.current.endDrain({ overrideId: 'o-3', gateway: null }));
  expect(shownToasts().filter(({ subject }) => subject === 'o-3')).toMatchObject([
    { text: 'paystack-main takes payments again, as rules and health say.' },
  ]);
});

test('a reason that the server refuses is returned', async () => {
  const problems = [{ field: 'reason', message: 'must be shorter' }];
  page.server().on('health.setOverride', () => ({ kind: 'invalid', problems }));
  const { result, act } = await open();
  await act(async () => expect(await result.current.drain({ reason: 'x', putBack: false })).toEqual(problems));
});

test('the drain of a gateway is ended for all merchants', async () => {
  page.server().on('health.endGatewayDrain', () => ({ kind: 'ended' }));
  const { result, act } = await open();
  await act(() => result.current.endDrain({ overrideId: 'o-4', gateway: 'paystack' }));
  expect(page.server().calls('health.endGatewayDrain')).toEqual([{ overrideId: 'o-4' }]);
});
