import { useState } from 'react';
import { expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { useOverrideEnd } from './overrides.tsx';

const page = openHookPage('?mode=live&merchant=m-1');
const KEPT = { overrideId: 'o-1' };

/** The dialog of the override on an account that live messages change. */
async function open(overrides: string[], planned: string[]) {
  let show: (account: ReturnType<typeof accountOf>) => void = () => undefined;
  const hook = await page.render(() => {
    const [account, setAccount] = useState(accountOf(overrides, planned));
    show = setAccount;
    return useOverrideEnd(account, KEPT);
  });
  return {
    dialog: () => hook.result.current,
    act: hook.act,
    live: (...now: Parameters<typeof accountOf>) => hook.act(() => show(accountOf(...now))),
  };
}

function accountOf(overrides: string[], planned: string[]) {
  const listed = (ids: string[]) => ids.map((overrideId) => ({ overrideId, startsAt: new Date() }));
  return { merchantId: 'm-1', overrides: listed(overrides), planned: listed(planned) };
}

test('a planned override that another person cancels is over, and was never in force', async () => {
  const { dialog, live } = await open([], ['o-1']);
  expect(dialog()).toMatchObject({ isPlanned: true, isOver: false });
  await live([], ['o-1', 'o-2']);
  expect(dialog()).toMatchObject({ isPlanned: true, isOver: false });
  await live([], ['o-2']);
  expect(dialog()).toMatchObject({ isPlanned: true, isOver: true });
});

test('a planned override that begins is one to end', async () => {
  const { dialog, live } = await open([], ['o-1']);
  await live(['o-1'], []);
  expect(dialog()).toMatchObject({ isPlanned: false, isOver: false });
  await live([], []);
  expect(dialog()).toMatchObject({ isPlanned: false, isOver: true });
});

test('while it is being ended here, live data that is ahead of the answer changes no word', async () => {
  let answer: (outcome: object) => void = () => undefined;
  page.server().on(
    'health.endOverride',
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const { dialog, act, live } = await open(['o-1'], []);
  await act(() => void dialog().end());
  await page.wait();
  await live([], []);
  expect(dialog()).toMatchObject({ isOver: false });
  await act(() => answer({ kind: 'ended' }));
});
