import { expect, test } from 'vitest';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import { useShadowActions } from './use-shadow.ts';

const page = openHookPage('?mode=test&merchant=m-1');

function edited(isSaved = true): EditedDraft {
  return Object({ draft: { draftId: 'd-1', revision: 4 }, flush: () => Promise.resolve(isSaved) });
}

test('a run is started on the revision that was stored last', async () => {
  page.server().on('routing.drafts.shadow.start', () => ({ kind: 'started', endsAt: new Date() }));
  const { result, act } = await page.render(() => useShadowActions(edited()));
  await act(() => result.current.start(24));
  expect(page.server().calls('routing.drafts.shadow.start')).toEqual([
    { merchantId: 'm-1', draftId: 'd-1', revision: 4, hours: 24 },
  ]);
});

test('nothing is started while the draft cannot be stored', async () => {
  page.server().on('routing.drafts.shadow.start', () => ({ kind: 'started', endsAt: new Date() }));
  const { result, act } = await page.render(() => useShadowActions(edited(false)));
  await act(async () => expect(await result.current.start(24)).toBe('The draft could not be saved first. Try again.'));
  expect(page.server().calls('routing.drafts.shadow.start')).toEqual([]);
});

test('a refusal is shown with its reason', async () => {
  page.server().on('routing.drafts.shadow.start', () => ({ kind: 'too_many', limit: 3 }));
  page.server().on('routing.drafts.shadow.stop', () => ({ kind: 'not_running' }));
  const { result, act } = await page.render(() => useShadowActions(edited()));
  const reason = '3 drafts run in shadow already. Stop one of them first.';
  await act(async () => expect(await result.current.start(1)).toBe(reason));
  await act(() => result.current.stop());
  expect(shownToasts().at(-1)).toMatchObject({ tone: 'bad', text: 'The shadow run had ended already.' });
});
