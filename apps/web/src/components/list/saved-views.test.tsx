// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, checkbox, expectCalls, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { SaveForm } from './saved-views.tsx';

const page = openDashboard('?mode=test');
beforeEach(() => page.on('savedViews.list', () => []));
const showForm = () => page.show(<SaveForm page="payments" query="status=FAILED" onSaved={() => undefined} />);

test('a view is saved under its name, for oneself or the team', async () => {
  page.on('savedViews.save', () => ({ kind: 'saved' }));
  const user = showForm();
  await user.click(checkbox('Visible to the team'));
  await user.type(field('Save this view as'), ' Failed today {Enter}');
  await expectCalls(page, 'savedViews.save', [{ page: 'payments', query: 'status=FAILED', name: 'Failed today', shared: true }]);
  await waitFor(() => expect(page.toasts()).toEqual(['View "Failed today" was saved.']));
  expect(field('Save this view as').value).toBe('');
});

test('a view needs a name, and there is a limit of them', async () => {
  page.on('savedViews.save', () => ({ kind: 'too_many' }));
  const user = showForm();
  await user.click(button('Save view'));
  await expectProblem('textbox', 'Save this view as', 'Must not be empty.');
  expect(page.calls('savedViews.save')).toEqual([]);
  await user.type(field('Save this view as'), 'Failed{Enter}');
  await expectProblem('textbox', 'Save this view as', 'Cannot be saved: you have 50 views already.');
});

test('a view that could not be saved keeps its name', async () => {
  page.on('savedViews.save', () => {
    throw new Error('The server did not answer.');
  });
  const user = showForm();
  await user.type(field('Save this view as'), 'Failed{Enter}');
  await expectRefusal('The server did not answer.');
  expect(screen.getByDisplayValue('Failed')).toBe(field('Save this view as'));
});
