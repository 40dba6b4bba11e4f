import { describe, expect, test } from 'vitest';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { isOwnWork, useApprovalActions } from './use-approval-actions.ts';

const page = openHookPage('?mode=test&merchant=m-1');
const DRAFT = { draftId: 'd-1', revision: 7 };

async function open() {
  const drafts: unknown[] = [];
  const hook = await page.render(() => useApprovalActions(DRAFT, (draft) => drafts.push(draft)));
  return { ...hook, drafts };
}

test.each([
  ['request', 'routing.drafts.requestApproval', 'requested'],
  ['approve', 'routing.drafts.approve', 'approved'],
] as const)('%s is for exactly the revision on the screen', async (action, procedure, kind) => {
  const after = { draftId: 'd-1', revision: 8 };
  page.server().on(procedure, () => ({ kind, draft: after }));
  const { result, act, drafts } = await open();
  await act(async () => expect(await result.current[action]()).toBe(true));
  expect(page.server().calls(procedure)).toEqual([{ merchantId: 'm-1', ...DRAFT }]);
  expect(drafts).toEqual([after]);
});

test('declining carries the reason', async () => {
  page.server().on('routing.drafts.reject', () => ({ kind: 'rejected', draft: DRAFT }));
  const { result, act } = await open();
  await act(async () => expect(await result.current.decline('Too broad')).toBe(true));
  expect(page.server().calls('routing.drafts.reject')).toEqual([{ merchantId: 'm-1', ...DRAFT, reason: 'Too broad' }]);
});

test('a draft that was saved meanwhile is not approved, and the new one is shown', async () => {
  const newer = { draftId: 'd-1', revision: 9 };
  page.server().on('routing.drafts.approve', () => ({ kind: 'stale', draft: newer }));
  const { result, act, drafts } = await open();
  await act(async () => expect(await result.current.approve()).toBe(false));
  expect([drafts, shownToasts().at(-1)?.text]).toEqual([[newer], 'The draft was saved meanwhile. Review it again.']);
});

test.each([
  [{ kind: 'own_work' }, /another person has to approve it/],
  [{ kind: 'not_requested' }, /answered by another person or withdrawn/],
  [{ kind: 'not_a_person' }, /Only people approve/],
  [{ kind: 'stale_base', currentVersion: 4 }, /Version 4 was published meanwhile/],
  [{ kind: 'broken_expectations', broken: [{ message: 'Small cards went to kora-main.' }] }, /Small cards went to kora-main/],
  [{ kind: 'invalid', problems: [{ field: 'rules.0', message: 'must have a name' }] }, /rules\.0 must have a name/],
  [{ kind: 'not_a_draft' }, /no longer a draft/],
  [{ kind: 'not_found' }, /The draft no longer exists/],
])('a refusal is shown with its reason: %j', async (outcome, reason) => {
  page.server().on('routing.drafts.approve', () => outcome);
  const { result, act, drafts } = await open();
  await act(async () => expect(await result.current.approve()).toBe(false));
  expect(shownToasts().at(-1)).toMatchObject({ tone: 'bad', text: expect.stringMatching(reason) });
  expect(drafts).toEqual([]);
});

test('a failed call is shown and changes nothing', async () => {
  page.server().on('routing.drafts.approve', () => {
    throw new Error('The database is unavailable.');
  });
  const { result, act, drafts } = await open();
  await act(async () => expect(await result.current.approve()).toBe(false));
  expect([drafts, shownToasts().at(-1)?.text]).toEqual([[], 'The database is unavailable.']);
});

describe('own work is a draft that the person', () => {
  const others = { createdBy: 'staff:bola', editors: ['staff:chi'], approval: { state: 'none' } } as const;
  const requested = { state: 'requested', requestedBy: 'staff:ada', requestedAt: new Date(0) } as const;
  test.each([
    ['created', { ...others, createdBy: 'staff:ada' }, true],
    ['edited', { ...others, editors: ['staff:chi', 'staff:ada'] }, true],
    ['requested approval of', { ...others, approval: requested }, true],
    ['did not touch', others, false],
  ])('%s', (_what, draft, own) => {
    expect(isOwnWork(draft, 'ada')).toBe(own);
  });
});
