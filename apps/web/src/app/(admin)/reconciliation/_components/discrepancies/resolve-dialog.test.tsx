// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { button, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';
import type { BulkChange } from './use-discrepancy-actions.ts';

const page = openDashboard('?mode=live');
const onApply = vi.fn<(change: BulkChange) => Promise<void>>();
const SELECTED = [
  { merchantId: 'm-1', discrepancyId: 'd-1' },
  { merchantId: 'm-1', discrepancyId: 'd-2' },
];

function showDialog(accept = false) {
  onApply.mockReset();
  onApply.mockResolvedValue(undefined);
  return page.show(<ResolveDialog selected={SELECTED} accept={accept} onApply={onApply} onClose={() => undefined} />);
}

test('the selected ones are closed with one reason, not without', async () => {
  const user = showDialog();
  await user.click(radio(/Explained/));
  await user.click(button('Resolve'));
  await expectProblem('textbox', 'Reason', 'Must not be empty.');
  expect(onApply).not.toHaveBeenCalled();
  await user.type(field('Reason'), ' Bank fee ');
  await user.click(button('Resolve'));
  await waitFor(() => expect(onApply.mock.calls).toEqual([[{ kind: 'resolve', as: 'EXPLAINED', why: 'Bank fee' }]]));
});

test('those within the tolerance of their merchant are accepted, which is named', async () => {
  page.on('reconciliation.tolerances', () => [
    { merchantId: 'm-1', merchantName: 'Balogun Books', tolerance: '50.5', updatedAt: null },
    { merchantId: 'm-2', merchantName: 'Yaba Gadgets', tolerance: '1', updatedAt: null },
  ]);
  const user = showDialog(true);
  await screen.findByText(/Balogun Books 50.5\. The others/);
  await user.type(field('Reason'), 'Bank fee');
  await user.click(button('Accept'));
  await waitFor(() => expect(onApply.mock.calls).toEqual([[{ kind: 'accept', why: 'Bank fee' }]]));
});

test('a failed call is said at the form, and the reason stays', async () => {
  const user = showDialog();
  onApply.mockRejectedValue(new Error('The server did not answer.'));
  await user.type(field('Reason'), 'Bank fee');
  await user.click(button('Resolve'));
  await expectRefusal('The server did not answer.');
  expect(field('Reason').value).toBe('Bank fee');
});
