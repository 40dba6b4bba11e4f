// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openPage } from '#/testing/page.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { Popup } from './popup.tsx';

const { show } = openPage();

const views = (
  <Popup
    label="Saved views"
    align="start"
    button={{ children: 'Views' }}
    content={(close) => (
      <>
        <button type="button">First</button>
        <button type="button" onClick={close}>
          Done
        </button>
      </>
    )}
  />
);
const opener = () => screen.getByRole('button', { name: 'Views' });
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog', { name: 'Saved views' })).toBeNull());

test('the focus moves into what opens, and returns to the button at Escape', async () => {
  const user = show(views);
  await user.click(opener());
  const popup = await screen.findByRole('dialog', { name: 'Saved views' });
  await waitFor(() => expect(document.activeElement).toBe(within(popup).getByRole('button', { name: 'First' })));
  expect(opener().getAttribute('aria-expanded')).toBe('true');
  await user.keyboard('{Escape}');
  await isClosed();
  await waitFor(() => expect(document.activeElement).toBe(opener()));
  expect(opener().getAttribute('aria-expanded')).toBe('false');
});

test('it opens by the keyboard, and its content closes it', async () => {
  const user = show(views);
  await user.tab();
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog', { name: 'Saved views' });
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await isClosed();
  await waitFor(() => expect(document.activeElement).toBe(opener()));
});

test('a press beside it closes it', async () => {
  const user = show(
    <>
      {views}
      <p>Payments</p>
    </>,
  );
  await user.click(opener());
  await screen.findByRole('dialog', { name: 'Saved views' });
  await user.click(screen.getByText('Payments'));
  await isClosed();
});

test('Escape closes it, not the dialog around it', async () => {
  const onClose = vi.fn();
  const user = show(
    <Dialog title="Export" onClose={onClose}>
      {views}
    </Dialog>,
  );
  await user.click(opener());
  const popup = await screen.findByRole('dialog', { name: 'Saved views' });
  // Outside of an open dialog it could not be reached.
  expect(screen.getByRole('dialog', { name: 'Export' }).contains(popup)).toBe(true);
  await waitFor(() => expect(popup.contains(document.activeElement)).toBe(true));
  await user.keyboard('{Escape}');
  await isClosed();
  expect(onClose).not.toHaveBeenCalled();
  await waitFor(() => expect(document.activeElement).toBe(opener()));
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test('one that an address asks for opens without a press, and says when it is closed', async () => {
  const onClose = vi.fn();
  const user = show(
    <Popup
      label="Export"
      align="end"
      isAsked
      onClose={onClose}
      button={{ children: 'Formats' }}
      content={() => <a href="/csv">CSV</a>}
    />,
  );
  const popup = await screen.findByRole('dialog', { name: 'Export' });
  await waitFor(() => expect(popup.contains(document.activeElement)).toBe(true));
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Export' })).toBeNull());
  expect(onClose).toHaveBeenCalledOnce();
});
