// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { button, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { DismissDialog } from './dismiss-dialog.tsx';

const page = openDashboard('?mode=test');
const onDismiss = vi.fn<(note: string) => Promise<string | null>>();

function showDialog() {
  onDismiss.mockReset();
  return page.show(
    <DismissDialog
      title="Dismiss duplicate payment"
      lead="Order A-1 was paid twice."
      consequence="No money is returned."
      action="Dismiss NGN 500.00"
      onDismiss={onDismiss}
      onClose={() => undefined}
    />,
  );
}

test('it is dismissed with the reason, not without one', async () => {
  const user = showDialog();
  onDismiss.mockResolvedValue(null);
  await user.click(button('Dismiss NGN 500.00'));
  await expectProblem('textbox', 'Reason', 'Must not be empty.');
  expect(onDismiss).not.toHaveBeenCalled();
  await user.type(field('Reason'), ' Paid by another card ');
  await user.click(button('Dismiss NGN 500.00'));
  await waitFor(() => expect(onDismiss.mock.calls).toEqual([['Paid by another card']]));
});

test('a refusal is said at the form, and the reason stays', async () => {
  const user = showDialog();
  onDismiss.mockResolvedValue('Already resolved.');
  await user.type(field('Reason'), 'Paid');
  await user.click(button('Dismiss NGN 500.00'));
  await expectRefusal('Already resolved.');
  expect(field('Reason').value).toBe('Paid');
});
