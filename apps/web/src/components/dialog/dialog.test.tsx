// @vitest-environment happy-dom
import { act, createEvent, fireEvent, screen, within } from '@testing-library/react';
import { type ReactNode, use } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LeaveGuardContext, useReportUnsaved } from '#/leaving/leave-guard.tsx';
import { openPage } from '#/testing/page.tsx';
import { Button } from '../button/button.tsx';
import { TextField } from '../field/field.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

const { show } = openPage();

function showDialog(children: ReactNode, behaviour: { locked?: boolean } = {}) {
  const onClose = vi.fn();
  const user = show(
    <Dialog title="Revoke the key" onClose={onClose} {...behaviour}>
      {children}
    </Dialog>,
  );
  return { user, onClose, dialog: screen.getByRole<HTMLDialogElement>('dialog', { name: 'Revoke the key' }) };
}

/** State of a form in the dialog, as the form reports it. */
function Unsaved({ is = true }: { is?: boolean }) {
  const guard = use(LeaveGuardContext);
  if (guard === null) throw new Error('The dialog guards nothing.');
  useReportUnsaved(guard, is);
  return <TextField label="Reason" />;
}
const button = (name: string) => screen.getByRole('button', { name });

test('it is modal, and closes by its cross', async () => {
  const modal = vi.spyOn(HTMLDialogElement.prototype, 'showModal');
  onTestFinished(() => modal.mockRestore());
  const { user, onClose, dialog } = showDialog(<p>It ends at once.</p>);
  expect(modal).toHaveBeenCalledOnce();
  expect(dialog.open).toBe(true);
  await user.click(button('Close'));
  expect(onClose).toHaveBeenCalledOnce();
});

test('the first field has the focus', () => {
  showDialog(
    <>
      <TextField label="Reason" />
      <DialogActions onCancel={() => undefined}>
        <Button>Save</Button>
      </DialogActions>
    </>,
  );
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Reason' }));
});

test('without a field the action has the focus, so that Enter confirms', async () => {
  const onConfirm = vi.fn();
  const { user } = showDialog(
    <DialogActions onCancel={() => undefined}>
      <Button variant="accent" onClick={onConfirm}>
        Publish
      </Button>
    </DialogActions>,
  );
  expect(document.activeElement).toBe(button('Publish'));
  await user.keyboard('{Enter}');
  expect(onConfirm).toHaveBeenCalledOnce();
});

test('in one that destroys something, cancelling has the focus', async () => {
  const onCancel = vi.fn();
  const onDestroy = vi.fn();
  const { user } = showDialog(
    <DialogActions onCancel={onCancel}>
      <Button variant="danger" onClick={onDestroy}>
        Revoke
      </Button>
    </DialogActions>,
  );
  expect(document.activeElement).toBe(button('Cancel'));
  await user.keyboard('{Enter}');
  expect(onCancel).toHaveBeenCalledOnce();
  expect(onDestroy).not.toHaveBeenCalled();
});

test('a field that asked for the focus keeps it', () => {
  showDialog(
    <>
      <TextField label="Name" />
      <TextField label="Reason" autoFocus />
    </>,
  );
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Reason' }));
});

test('Escape and a click beside it close it; a click in it does not', async () => {
  const { user, onClose, dialog } = showDialog(
    <>
      <p>It ends at once.</p>
      <TextField label="Reason" />
    </>,
  );
  await user.click(screen.getByText('It ends at once.'));
  expect(onClose).not.toHaveBeenCalled();
  await user.type(screen.getByRole('textbox'), '{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
  await user.click(dialog);
  expect(onClose).toHaveBeenCalledTimes(2);
});

test('Escape that something within has taken does not close it', async () => {
  const { user, onClose } = showDialog(<TextField label="Reason" onKeyDown={(event) => event.preventDefault()} />);
  await user.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
});

test.each([
  ['Escape', (user: ReturnType<typeof show>) => user.type(screen.getByRole('textbox'), '{Escape}')],
  ['the cross', (user: ReturnType<typeof show>) => user.click(button('Close'))],
  ['a click beside it', (user: ReturnType<typeof show>) => user.click(screen.getByRole('dialog'))],
  ['Cancel', (user: ReturnType<typeof show>) => user.click(button('Cancel'))],
  ['a link in it', (user: ReturnType<typeof show>) => user.click(screen.getByRole('link', { name: 'Its payment' }))],
])('with unsaved input, %s asks first, and the answer counts', async (_, leave) => {
  const left = vi.fn();
  const { user, onClose } = showDialog(
    <>
      <Unsaved />
      <a
        href="/payments/p-1"
        onClick={(event) => {
          event.preventDefault();
          left();
        }}
      >
        Its payment
      </a>
      <DialogActions onCancel={left}>{null}</DialogActions>
    </>,
  );
  onClose.mockImplementation(left);
  await leave(user);
  within(screen.getByRole('alert')).getByText('What you entered is not saved.');
  expect(left).not.toHaveBeenCalled();
  await user.click(button('Keep editing'));
  expect(screen.queryByRole('alert')).toBeNull();
  await leave(user);
  await leave(user);
  expect(left).not.toHaveBeenCalled();
  await user.click(button('Discard'));
  expect(left).toHaveBeenCalledOnce();
});

test('with unsaved input, one that the browser closes is opened again and asks', () => {
  const { onClose, dialog } = showDialog(<Unsaved />);
  act(() => dialog.close());
  expect(dialog.open).toBe(true);
  screen.getByText('What you entered is not saved.');
  expect(onClose).not.toHaveBeenCalled();
});

test('of several forms, one that is saved does not speak for another that is not', async () => {
  const { user, onClose } = showDialog(
    <>
      <Unsaved />
      <Unsaved is={false} />
    </>,
  );
  await user.click(button('Close'));
  screen.getByText('What you entered is not saved.');
  expect(onClose).not.toHaveBeenCalled();
});

test('a locked one closes by nothing but its own button, and opens again when the browser closes it', async () => {
  const onStored = vi.fn();
  const { user, onClose, dialog } = showDialog(<Button onClick={onStored}>I have stored it</Button>, { locked: true });
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  await user.click(button('I have stored it'));
  expect(onStored).toHaveBeenCalledOnce();
  await user.keyboard('{Escape}');
  await user.click(dialog);
  dialog.close();
  expect(dialog.open).toBe(true);
  expect(onClose).not.toHaveBeenCalled();
});

test("the browser's own wish to close it, as by the back gesture, is one to leave it", () => {
  const { onClose, dialog } = showDialog(<Unsaved />);
  const cancel = createEvent('cancel', dialog, { cancelable: true });
  fireEvent(dialog, cancel);
  expect(cancel.defaultPrevented).toBe(true);
  screen.getByRole('alert');
  expect(onClose).not.toHaveBeenCalled();
});

test('one that the browser closes is closed for the page', () => {
  const { onClose, dialog } = showDialog(<p>It ends at once.</p>);
  dialog.close();
  expect(onClose).toHaveBeenCalledOnce();
});
