import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { useRollBackTo } from './roll-back.tsx';

const page = openHookPage('?mode=test&merchant=m-1');
const ROLL_BACK = 'routing.versions.rollBack';

beforeEach(() => {
  page.server().on('routing.access', () => ({ people: [{ staffId: 'ada', name: 'Ada' }], needsApproval: false, approvers: [] }));
  page.server().on(ROLL_BACK, () => ({ kind: 'published', ruleSet: { version: 6 } }));
});

/** The question to roll back to version 2, opened while version 5 is active. */
const open = () =>
  page.render(() => {
    const [inForce, publish] = useState(5);
    return { publish, ask: useRollBackTo(2, inForce) };
  });

test('a version that is published while the question is open is not what it replaces', async () => {
  const { result, act } = await open();
  await act(() => result.current.publish(6));
  expect(result.current.ask.current).toBe(5);
  page.server().on(ROLL_BACK, () => ({ kind: 'stale_base', publishedBy: 'staff:ada', currentVersion: 6 }));
  await act(() => expect(result.current.ask.rollBack('Too many declines')).rejects.toThrow('Ada published version 6 meanwhile.'));
  expect(page.server().calls(ROLL_BACK)).toMatchObject([{ version: 2, baseVersion: 5, reason: 'Too many declines' }]);
});

test('the way back leads to the version that was replaced, from the one that replaced it', async () => {
  const { result, act } = await open();
  await act(() => result.current.ask.rollBack('Too many declines'));
  await act(() => result.current.publish(6));
  const toast = shownToasts().at(-1);
  expect(toast?.text).toBe('The rules of version 2 are active again, as version 6.');
  expect(toast?.action?.label).toBe('Back to 5');
  await act(() => toast?.action?.run());
  expect(page.server().calls(ROLL_BACK).at(-1)).toMatchObject({ version: 5, baseVersion: 6 });
});

test('a draft that waits for approval replaces nothing, and offers no way back', async () => {
  page.server().on(ROLL_BACK, () => ({ kind: 'needs_approval' }));
  const { result, act } = await open();
  await act(() => result.current.ask.rollBack('Too many declines'));
  expect(shownToasts().at(-1)).toMatchObject({ text: 'A draft of version 2 waits for approval by a second person.' });
  expect(shownToasts().at(-1)?.action).toBeUndefined();
});
