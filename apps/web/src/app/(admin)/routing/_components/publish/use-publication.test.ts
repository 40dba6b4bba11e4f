import { useQuery } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useRollBack, useRollBackWithToast } from './use-publication.ts';

const page = openHookPage('?mode=test&merchant=m-1');
const COMMAND = { version: 2, baseVersion: 5, reason: 'Too many declines' };

beforeEach(() => {
  page.server().on('routing.access', () => ({ people: [{ staffId: 'ada', name: 'Ada' }], needsApproval: false, approvers: [] }));
});

test('a rollback names the version it was decided on, and refreshes the active rules', async () => {
  page.server().on('routing.live', () => ({ version: 5 }));
  page.server().on('routing.versions.rollBack', () => ({ kind: 'published', version: 6 }));
  const { result, act } = await page.render(() => {
    const live = useQuery(useTRPC().routing.live.queryOptions({ merchantId: 'm-1', mode: 'test' }));
    return { live, rollBack: useRollBack() };
  });
  await act(async () => expect(await result.current.rollBack(COMMAND)).toMatchObject({ kind: 'published' }));
  expect(page.server().calls('routing.versions.rollBack')).toEqual([{ merchantId: 'm-1', mode: 'test', ...COMMAND }]);
  expect(page.server().calls('routing.live')).toHaveLength(2);
});

test('a rollback that waits for approval is no error', async () => {
  page.server().on('routing.versions.rollBack', () => ({ kind: 'needs_approval' }));
  const { result, act } = await page.render(useRollBack);
  await act(async () => expect(await result.current(COMMAND)).toEqual({ kind: 'needs_approval' }));
});

test.each([
  [{ kind: 'needs_approval' }, 'A draft of version 2 waits for approval by a second person.'],
  [{ kind: 'published', ruleSet: { version: 6 } }, 'The rules of version 2 are active again, as version 6.'],
])('a rollback from a message says what came of it: %j', async (outcome, text) => {
  page.server().on('routing.versions.rollBack', () => outcome);
  const { result, act } = await page.render(useRollBackWithToast);
  await act(() => result.current(COMMAND));
  expect(shownToasts().at(-1)?.text).toBe(text);
});

test.each([
  [{ kind: 'accounts_gone' }, 'These rules name accounts that no longer exist.'],
  [{ kind: 'already_in_force' }, 'It is already active.'],
  [{ kind: 'unknown_version' }, 'This version no longer exists.'],
  [{ kind: 'stale_base', publishedBy: 'staff:ada', currentVersion: 6 }, 'Ada published version 6 meanwhile.'],
  [{ kind: 'broken_expectations', broken: [{ message: 'Small cards went to kora-main.' }] }, 'Small cards went to kora-main.'],
  [{ kind: 'invalid', problems: [{ field: 'rules.0', message: 'must have a name' }] }, 'rules.0 must have a name'],
  [{ kind: 'not_found' }, 'This merchant no longer exists.'],
])('a refused rollback throws its reason: %j', async (outcome, reason) => {
  page.server().on('routing.versions.rollBack', () => outcome);
  const { result, act } = await page.render(useRollBack);
  await act(() => expect(result.current(COMMAND)).rejects.toThrow(reason));
});
