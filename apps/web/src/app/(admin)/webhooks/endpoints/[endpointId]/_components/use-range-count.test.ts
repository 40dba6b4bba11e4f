import { useState } from 'react';
import { expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { useRangeCount } from './dialogs.tsx';

const page = openHookPage('?mode=live&merchant=m-1');
const PROCEDURE = 'webhooks.deliveries.countRange';

async function open() {
  let choose: (onlyUndelivered: boolean) => void = () => undefined;
  const hook = await page.render(() => {
    const [onlyUndelivered, setOnly] = useState(true);
    choose = setOnly;
    return useRangeCount({ merchantId: 'm-1', endpointId: 'e-1', from: new Date(0), to: new Date(1), onlyUndelivered });
  });
  return { now: () => hook.result.current, choose: (only: boolean) => hook.act(() => choose(only)) };
}

test('while another range is counted, the number of the one before is not offered', async () => {
  page.server().on(PROCEDURE, () => ({ kind: 'counted', total: 3 }));
  const count = await open();
  expect(count.now()).toMatchObject({ total: 3, failure: null });
  page.server().on(PROCEDURE, () => ({ kind: 'counted', total: 4_000 }));
  await count.choose(false);
  expect(count.now()).toMatchObject({ counted: undefined, total: 0 });
  await page.wait();
  expect(count.now().total).toBe(4_000);
});

test('why events could not be counted is shown, and none is offered', async () => {
  page.server().on(PROCEDURE, () => {
    throw new Error('The database is unavailable.');
  });
  expect((await open()).now()).toMatchObject({ counted: undefined, total: 0, failure: 'The database is unavailable.' });
});
