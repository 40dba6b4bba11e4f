// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectRefusal, openDashboard } from '#/testing/dashboard.tsx';
import { ConfirmDialog } from './form-dialog.tsx';
import type { Answer } from './use-form.ts';

const page = openDashboard('?mode=test');
const onClose = vi.fn();
const onConfirm = vi.fn<() => Promise<Answer>>();
beforeEach(() => {
  onClose.mockReset();
  onConfirm.mockReset();
});

function ask(props: { disabled?: boolean; variant?: 'danger' } = {}) {
  return page.show(
    <ConfirmDialog title="Revoke “Till”?" action="Revoke" onConfirm={onConfirm} onClose={onClose} {...props}>
      <p>It is refused everywhere.</p>
    </ConfirmDialog>,
  );
}

test('what is asked is done once, and closes the question', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  onConfirm.mockReturnValue(promise);
  const user = ask();
  screen.getByRole('dialog', { name: 'Revoke “Till”?' });
  expect(document.activeElement).toBe(button('Revoke'));
  await user.click(button('Revoke'));
  await user.click(await screen.findByRole('button', { name: 'Revoke', busy: true }));
  expect(onClose).not.toHaveBeenCalled();
  resolve(null);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(onConfirm).toHaveBeenCalledOnce();
});

test.each([
  ['a refusal', async () => 'It has ended meanwhile.', 'It has ended meanwhile.'],
  ['a failed call', () => Promise.reject(new Error('The server did not answer.')), 'The server did not answer.'],
])('%s is said, and the question stays open', async (_, answer, sentence) => {
  onConfirm.mockImplementation(answer);
  const user = ask();
  await user.click(button('Revoke'));
  await expectRefusal(sentence);
  expect(onClose).not.toHaveBeenCalled();
  await user.click(button('Cancel'));
  expect(onClose).toHaveBeenCalledOnce();
});

test('in a question about what cannot be undone cancelling has the focus', () => {
  ask({ variant: 'danger' });
  expect(document.activeElement).toBe(button('Cancel'));
});

test('what can no longer be done is not', async () => {
  const user = ask({ disabled: true });
  await user.click(button('Revoke'));
  expect(onConfirm).not.toHaveBeenCalled();
});
