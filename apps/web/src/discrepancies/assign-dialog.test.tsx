// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectProblem, expectRefusal, openDashboard, radio } from '#/testing/dashboard.tsx';
import { AssignDialog } from './assign-dialog.tsx';

const page = openDashboard('?mode=live');
const onApply = vi.fn<(change: object) => Promise<void>>();
beforeEach(() => {
  onApply.mockReset();
  onApply.mockResolvedValue(undefined);
  page.on('me', () => ({ staffId: 's-1' }));
  page.on('reconciliation.owners', () => [
    { staffId: 's-1', name: 'Ada', merchantIds: ['m-1', 'm-2'] },
    { staffId: 's-2', name: 'Chidi', merchantIds: ['m-1'] },
  ]);
});

async function showDialog() {
  const selected = ['m-1', 'm-2'].map((merchantId) => ({ merchantId, discrepancyId: `d-${merchantId}` }));
  const user = page.show(<AssignDialog selected={selected} onApply={onApply} onClose={() => undefined} />);
  await screen.findByRole('radio', { name: 'Ada (you)' });
  return user;
}

test('they are assigned to a person who may resolve all of them', async () => {
  const user = await showDialog();
  expect(screen.queryByRole('radio', { name: 'Chidi' })).toBeNull();
  await user.click(radio('Ada (you)'));
  await user.click(button('Assign'));
  await waitFor(() => expect(onApply.mock.calls).toEqual([[{ kind: 'assign', ownerId: 's-1' }]]));
});

test('no owner is a choice; none chosen is a problem beside the choices', async () => {
  const user = await showDialog();
  await user.click(button('Assign'));
  await expectProblem('group', 'Owner', 'Must be selected.');
  await user.click(radio('No owner'));
  await user.click(button('Assign'));
  await waitFor(() => expect(onApply.mock.calls).toEqual([[{ kind: 'assign', ownerId: null }]]));
});

test('a failed call is said at the form', async () => {
  onApply.mockRejectedValue(new Error('The server did not answer.'));
  const user = await showDialog();
  await user.click(radio('No owner'));
  await user.click(button('Assign'));
  await expectRefusal('The server did not answer.');
});
