// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, test, vi } from 'vitest';
import { Controlled, openPage } from '#/testing/page.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { SidePanel } from './side-panel.tsx';

const { show } = openPage();

const IDS = ['newest', 'middle', 'oldest'];
const panel = () => screen.getByRole('complementary', { name: 'Payment' });
const noChange = () => undefined;

/** Shows a panel on a list, which opens what its steps reach. */
function showSteps(opened: string) {
  const onOpen = vi.fn<(id: string) => void>();
  const user = show(
    <Controlled initial={opened}>
      {(id, open) => (
        <SidePanel
          key={id}
          label="Payment"
          title={`Payment ${id}`}
          steps={{
            id,
            ids: IDS,
            words: ['Newer payment', 'Older payment'],
            onOpen: (next) => {
              open(next);
              onOpen(next);
            },
          }}
          onClose={noChange}
        >
          Content
        </SidePanel>
      )}
    </Controlled>,
  );
  return { user, onOpen };
}

test('it takes the focus when it opens, and has its title as heading', () => {
  show(
    <SidePanel label="Payment" title="Payment 4711" onClose={noChange}>
      Content
    </SidePanel>,
  );
  expect(document.activeElement).toBe(panel());
  screen.getByRole('heading', { name: 'Payment 4711' });
});

test('j and k go through the list and stop at its ends', async () => {
  const { user, onOpen } = showSteps('newest');
  await user.keyboard('k');
  expect(onOpen).not.toHaveBeenCalled();
  await user.keyboard('j');
  screen.getByRole('heading', { name: 'Payment middle' });
  expect(document.activeElement).toBe(panel());
  await user.keyboard('jj');
  screen.getByRole('heading', { name: 'Payment oldest' });
  await user.keyboard('k');
  expect(onOpen.mock.calls.flat()).toEqual(['middle', 'oldest', 'middle']);
});

test('the buttons go through the list as well, and are disabled at its ends', async () => {
  const { user, onOpen } = showSteps('middle');
  const newer = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Newer payment (k)' });
  const older = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Older payment (j)' });
  await user.click(newer());
  expect([newer().disabled, older().disabled]).toEqual([true, false]);
  await user.click(older());
  await user.click(older());
  expect([newer().disabled, older().disabled]).toEqual([false, true]);
  expect(onOpen.mock.calls.flat()).toEqual(['newest', 'middle', 'oldest']);
});

test('one that is not in the list has no neighbours', async () => {
  const { user, onOpen } = showSteps('elsewhere');
  await user.keyboard('jk');
  expect(onOpen).not.toHaveBeenCalled();
});

test.each([
  ['Escape', (user: ReturnType<typeof show>) => user.keyboard('{Escape}')],
  ['the cross', (user: ReturnType<typeof show>) => user.click(screen.getByRole('button', { name: 'Close (Esc)' }))],
])('%s closes it, and the focus goes back to what it was opened with', async (_, close) => {
  const user = show(
    <Controlled initial={true}>
      {(open, setOpen) => (
        <>
          <button type="button" data-payment="pay_1">
            Open
          </button>
          {open && (
            <SidePanel label="Payment" from={['data-payment', 'pay_1']} onClose={() => setOpen(false)}>
              Content
            </SidePanel>
          )}
        </>
      )}
    </Controlled>,
  );
  expect(document.activeElement).toBe(panel());
  await close(user);
  expect(screen.queryByRole('complementary')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' })));
});

/** A panel that counts what its keys do. */
function showKeys(children: ComponentProps<typeof SidePanel>['children']) {
  const onClose = vi.fn();
  const refund = vi.fn();
  const user = show(
    <SidePanel label="Payment" keys={{ r: refund }} onClose={onClose}>
      {children}
    </SidePanel>,
  );
  return { user, onClose, refund };
}

test('keys of its own act, alone and not with a modifier', async () => {
  const { user, refund } = showKeys('Content');
  await user.keyboard('{Control>}r{/Control}{Alt>}r{/Alt}{Meta>}r{/Meta}');
  expect(refund).not.toHaveBeenCalled();
  await user.keyboard('r');
  expect(refund).toHaveBeenCalledOnce();
});

test('nothing acts while a person types; a checkbox is not typed in', async () => {
  const { user, refund, onClose } = showKeys(
    <>
      <input aria-label="Reason" />
      <textarea aria-label="Note" />
      <input type="checkbox" aria-label="Full amount" />
    </>,
  );
  for (const name of ['Reason', 'Note']) {
    await user.click(screen.getByRole('textbox', { name }));
    await user.keyboard('r{Escape}');
  }
  expect(refund).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('checkbox'));
  await user.keyboard('r');
  expect(refund).toHaveBeenCalledOnce();
});

test('nothing acts while a dialog is open over it', async () => {
  const { user, refund, onClose } = showKeys(
    <Dialog title="Refund" onClose={noChange}>
      <button type="button">Refund now</button>
    </Dialog>,
  );
  screen.getByRole('button', { name: 'Refund now' }).focus();
  await user.keyboard('r{Escape}');
  expect(refund).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
});
