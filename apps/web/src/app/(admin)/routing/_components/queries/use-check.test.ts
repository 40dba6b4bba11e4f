import { expect, test, vi } from 'vitest';
import { openHookPage, renderHook } from '#/testing/hook-page.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import { useCheck } from './use-check.ts';

const page = openHookPage('?mode=test&merchant=m-1');

const NO_TAKEOVERS = {
  kind: 'compared',
  takeovers: [],
  overlaps: [],
  decided: [],
  unmet: [],
  payments: 0,
  liveVersion: 1,
  cut: false,
};

/** The fields of an edited draft that its check reads. */
function edited(revision: number, kind: 'saved' | 'waiting' = 'saved'): EditedDraft {
  return Object({ draft: { draftId: 'd-1', revision }, saved: { kind } });
}

async function open() {
  page.server().on('routing.validate', () => ({ kind: 'checked', problems: [], findings: [], expectations: [], compared: null }));
  page.server().on('routing.takeovers', () => NO_TAKEOVERS);
  const { wrapper } = page.server();
  const hook = await renderHook((draft: EditedDraft) => useCheck(draft, []), { props: edited(1), wrapper });
  const shown = () => hook.act(() => vi.advanceTimersByTimeAsync(1));
  await shown();
  return { ...hook, shown };
}

test('each stored revision is checked once, its takeovers included', async () => {
  const { rerender, shown, unmount } = await open();
  await rerender(edited(1));
  expect(page.server().calls('routing.validate')).toHaveLength(1);
  await rerender(edited(2));
  await shown();
  expect(page.server().calls('routing.validate')).toHaveLength(2);
  expect(page.server().calls('routing.takeovers')).toHaveLength(2);
  await unmount();
});

test('the check is behind while a change is not stored, or its check has not come', async () => {
  const { result, rerender, shown, unmount } = await open();
  expect([result.current.isBehind, result.current.check?.kind]).toEqual([false, 'checked']);
  await rerender(edited(1, 'waiting'));
  expect(result.current.isBehind).toBe(true);
  page.server().on('routing.validate', () => new Promise(() => undefined));
  await rerender(edited(2));
  await shown();
  expect(result.current.isBehind).toBe(true);
  await unmount();
});

test('a draft that cannot be checked has no check, and an empty list of notes', async () => {
  const { wrapper } = page.server();
  page.server().on('routing.validate', () => ({ kind: 'not_found' }));
  page.server().on('routing.takeovers', () => ({ kind: 'not_found' }));
  const { result, unmount } = await renderHook((draft: EditedDraft) => useCheck(draft, []), { props: edited(1), wrapper });
  expect([result.current.check, result.current.takeovers, result.current.notes.ofAll]).toEqual([null, null, []]);
  await unmount();
});
