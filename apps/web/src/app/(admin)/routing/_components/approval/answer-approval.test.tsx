// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectCalls, field, openDashboard } from '#/testing/dashboard.tsx';
import { AnswerApproval } from './answer-approval.tsx';
import { useApprovalActions } from './use-approval-actions.ts';

const page = openDashboard('?mode=test&merchant=m-1');
const DRAFT = { draftId: 'd-1', revision: 7 };
const SEEN = { merchantId: 'm-1', ...DRAFT };

function Answer() {
  return <AnswerApproval acts={useApprovalActions(DRAFT, () => undefined)} to="Ada" />;
}

beforeEach(() => {
  page.on('routing.drafts.approve', () => ({ kind: 'approved', draft: DRAFT }));
  page.on('routing.drafts.reject', () => ({ kind: 'rejected', draft: DRAFT }));
});

test('approving takes no reason', async () => {
  const user = page.show(<Answer />);
  await user.click(button('Approve'));
  await expectCalls(page, 'routing.drafts.approve', [SEEN]);
  expect(page.calls('routing.drafts.reject')).toEqual([]);
});

test.each([
  [' Too broad ', 'Too broad'],
  [' ', null],
])('declining carries the reason: %j', async (typed, reason) => {
  const user = page.show(<Answer />);
  await user.type(field(/^Reason if you decline/), typed);
  await user.click(button('Decline'));
  await expectCalls(page, 'routing.drafts.reject', [{ ...SEEN, reason }]);
});

test('a refusal is said in a message, since the request may leave the page with it', async () => {
  page.on('routing.drafts.reject', () => ({ kind: 'not_requested' }));
  const user = page.show(<Answer />);
  await user.click(button('Decline'));
  await waitFor(() => expect(page.toasts()).toEqual(['The request was answered by another person or withdrawn.']));
});
