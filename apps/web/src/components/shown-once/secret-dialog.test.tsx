// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Controlled, openPage } from '#/testing/page.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { SecretHost } from './secret-host.tsx';
import { shownSecret } from './secret-store.ts';

const { show } = openPage();

// A secret that a test leaves would be on the next page.
afterEach(() => expect(shownSecret()).toBeNull());

const dialog = () => screen.getByRole('dialog', { name: 'New key' });
const store = () => screen.getByRole('button', { name: 'I have stored it' });

function showSecret({ onClose = vi.fn(), onStored }: { onClose?: () => void; onStored?: () => void } = {}) {
  return show(
    <>
      <SecretHost />
      <Controlled initial={true}>
        {(open, setOpen) => (
          <>
            <button type="button" onClick={() => setOpen(false)}>
              Leave the page
            </button>
            {open && (
              <SecretDialog
                title="New key"
                secret="sk_live_1"
                label="Secret key"
                advice="Keep it on your server."
                onClose={onClose}
                {...(onStored !== undefined && { onStored })}
              />
            )}
          </>
        )}
      </Controlled>
    </>,
  );
}

test('the secret is shown with its advice and copied whole', async () => {
  const user = showSecret();
  expect(within(dialog()).getByRole('region', { name: 'Secret key' }).textContent).toBe('sk_live_1');
  within(dialog()).getByText('Keep it on your server.');
  await user.click(screen.getByRole('button', { name: 'Copy Secret key' }));
  expect(await navigator.clipboard.readText()).toBe('sk_live_1');
  await user.click(store());
});

test('Escape leaves it; its button closes it', async () => {
  const onClose = vi.fn();
  const user = showSecret({ onClose });
  await user.keyboard('{Escape}');
  dialog();
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  await user.click(store());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(onClose).toHaveBeenCalledOnce();
});

test('once it is stored, the person goes on elsewhere where that is said', async () => {
  const onClose = vi.fn();
  const onStored = vi.fn();
  const user = showSecret({ onClose, onStored });
  await user.click(store());
  expect(onStored).toHaveBeenCalledOnce();
  expect(onClose).not.toHaveBeenCalled();
});

test('it stays when the page that made it goes, which is then told nothing', async () => {
  const onClose = vi.fn();
  const user = showSecret({ onClose });
  await user.click(screen.getByRole('button', { name: 'Leave the page' }));
  within(dialog()).getByText('sk_live_1');
  await user.click(store());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});

test('the window does not close with it unasked', async () => {
  const user = showSecret();
  const closing = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(closing()).toBe(true);
  await user.click(store());
  expect(closing()).toBe(false);
});
