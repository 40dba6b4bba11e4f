import { expect, test } from 'vitest';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { useCreateDraft } from './use-create-draft.ts';

const page = openHookPage('?mode=live&merchant=m-1');
const created = { kind: 'created', draft: { draftId: 'd-1' } };

test('a draft is begun in the scope of the page, and its page opened with the query', async () => {
  page.server().on('routing.drafts.create', () => created);
  const { result, act } = await page.render(useCreateDraft);
  await act(() => result.current.begin({ kind: 'version', version: 4 }, { tab: 'publish' }));
  const from = { kind: 'version', version: 4 };
  expect(page.server().calls('routing.drafts.create')).toEqual([{ merchantId: 'm-1', mode: 'live', from }]);
  expect(page.navigations()).toEqual([{ how: 'push', href: '/routing/drafts/d-1?mode=live&merchant=m-1&tab=publish' }]);
});

test('with `instead`, going back does not lead to the page that began it', async () => {
  page.server().on('routing.drafts.create', () => created);
  const { result, act } = await page.render(useCreateDraft);
  await act(() => result.current.begin({ kind: 'published' }, {}, { instead: true }));
  expect(page.navigations()).toMatchObject([{ how: 'replace' }]);
});

test.each([
  [{ kind: 'too_many_drafts', limit: 50 }, 'There are already 50 drafts. Discard one first.'],
  [{ kind: 'unknown_version' }, 'This version no longer exists.'],
  [{ kind: 'not_found' }, 'This merchant no longer exists.'],
])('a refusal stays on the page and names the reason: %j', async (outcome, text) => {
  page.server().on('routing.drafts.create', () => outcome);
  const { result, act } = await page.render(useCreateDraft);
  await act(async () => expect(await result.current.begin({ kind: 'empty' })).toEqual(outcome));
  expect(shownToasts().at(-1)).toMatchObject({ text, tone: 'bad' });
  expect(page.navigations()).toEqual([]);
});

test('an invalid file is left to the caller, who shows its problems', async () => {
  const invalid = { kind: 'invalid', problems: [{ field: 'rules', message: 'must be a list' }] };
  page.server().on('routing.drafts.create', () => invalid);
  const { result, act } = await page.render(useCreateDraft);
  const before = shownToasts();
  await act(async () => expect(await result.current.begin({ kind: 'file', file: {} })).toEqual(invalid));
  expect(shownToasts()).toBe(before);
});

test('without an answer the outcome is null and the failure shown', async () => {
  page.server().on('routing.drafts.create', () => {
    throw new Error('The database is unavailable.');
  });
  const { result, act } = await page.render(useCreateDraft);
  await act(async () => expect(await result.current.begin({ kind: 'empty' })).toBeNull());
  expect(shownToasts().at(-1)).toMatchObject({ text: 'The database is unavailable.', tone: 'bad' });
});
