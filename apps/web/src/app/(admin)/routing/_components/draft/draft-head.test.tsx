// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectCalls, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { DraftHead } from './draft-head.tsx';
import type { EditedDraft } from './use-draft.ts';

const page = openDashboard('?mode=test&merchant=m-1');
const rename = vi.fn<(name: string) => Promise<void>>();
const EDITED: EditedDraft = Object({
  draft: {
    draftId: 'd-1',
    name: 'Cheaper cards',
    state: 'DRAFT',
    baseVersion: 4,
    restoredVersion: null,
    createdBy: 'staff:ada',
    createdAt: new Date(0),
    editors: [],
    approval: { state: 'none' },
    publishAt: null,
    scheduleRefusal: null,
  },
  document: { rules: [], defaultOrder: [] },
  saved: { kind: 'saved' },
  undo: null,
  redo: null,
  flush: async () => true,
  storedRevision: () => 7,
  rename,
});

beforeEach(() => {
  rename.mockReset();
  rename.mockResolvedValue();
  page.on('routing.access', () => ({ people: [{ staffId: 'ada', name: 'Ada' }], needsApproval: false, approvers: [] }));
});
const show = () => page.show(<DraftHead edited={EDITED} mayWrite may />);
const name = () => field('Name of the draft');

test('the name is stored as it is left, once, and only if it was changed', async () => {
  const user = show();
  await user.click(name());
  await user.tab();
  expect(rename).not.toHaveBeenCalled();
  await user.clear(name());
  await user.type(name(), ' Small cards {Enter}');
  await waitFor(() => expect(rename.mock.calls).toEqual([[' Small cards ']]));
  expect(document.activeElement).not.toBe(name());
});

test('why a name was not stored is said, and it stays as typed', async () => {
  rename.mockRejectedValue(new Error('Another person saved this draft meanwhile. Enter the name again.'));
  const user = show();
  await user.type(name(), '!');
  await user.tab();
  await waitFor(() => expect(page.toasts()).toEqual(['Another person saved this draft meanwhile. Enter the name again.']));
  expect(name().value).toBe('Cheaper cards!');
});

test('the draft is discarded as it is stored; why it is not is said in the question', async () => {
  page.on('routing.drafts.discard', () => ({ kind: 'stale' }));
  const user = show();
  await user.click(button('More'));
  await user.click(await screen.findByRole('button', { name: 'Discard draft' }));
  await screen.findByRole('dialog', { name: 'Discard Cheaper cards?' });
  await user.click(screen.getAllByRole('button', { name: 'Discard draft' }).at(-1) ?? button('Cancel'));
  await expectCalls(page, 'routing.drafts.discard', [{ merchantId: 'm-1', draftId: 'd-1', revision: 7 }]);
  await expectRefusal('Another person has just saved this draft. Review the changes first.');
});
