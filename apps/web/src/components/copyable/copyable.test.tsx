// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPage } from '#/testing/page.tsx';
import { Copyable, CopyButton } from './copyable.tsx';
import { JsonView } from './json-view.tsx';

const { show } = openPage();

const isCopied = (button: HTMLElement) => button.querySelector('[data-copied]')?.getAttribute('data-copied') === 'true';

test('a click on a text copies it whole, and says so for a moment', async () => {
  const user = show(<Copyable text="pay_0123456789" label="payment" />);
  const button = screen.getByRole('button', { name: 'Copy payment pay_0123456789' });
  expect(isCopied(button)).toBe(false);
  await user.click(button);
  expect(await navigator.clipboard.readText()).toBe('pay_0123456789');
  await waitFor(() => expect(isCopied(button)).toBe(true));
  await waitFor(() => expect(isCopied(button)).toBe(false));
});

test('a long id is cut in the middle, and is copied, selected and read whole', async () => {
  const id = 'LD-mwu2zmdl-1-2026-11-27-00000042';
  const user = show(<Copyable text={id} label="order" />);
  const cut = screen.getByTitle(id);
  expect(cut.textContent).toBe(id);
  expect([cut.firstChild?.textContent, cut.lastChild?.textContent]).toEqual(['LD-mwu2zmdl-1-', '00000042']);
  await user.click(screen.getByRole('button', { name: `Copy order ${id}` }));
  expect(await navigator.clipboard.readText()).toBe(id);
});

test('the keyboard copies as well', async () => {
  const user = show(<CopyButton text="a longer text" label="body" />);
  await user.tab();
  await user.keyboard('{Enter}');
  expect(await navigator.clipboard.readText()).toBe('a longer text');
  await screen.findByText('Copied');
});

test('a browser that refuses to copy is not said to have copied', async () => {
  const user = show(<CopyButton text="a longer text" label="body" />);
  const refusal = new DOMException('Write permission denied.', 'NotAllowedError');
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(refusal);
  onTestFinished(() => write.mockRestore());
  await user.click(screen.getByRole('button', { name: 'Copy body' }));
  expect(write).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: 'Copy body' }).textContent).toBe('Copy');
});

test('a body of JSON is indented, as it is copied; other text is unchanged', async () => {
  const user = show(
    <>
      <JsonView text={'{"id":"a","amounts":[1.5,null]}'} label="request" />
      <JsonView text="<html>" label="response" />
    </>,
  );
  const indented = '{\n  "id": "a",\n  "amounts": [\n    1.5,\n    null\n  ]\n}';
  expect(screen.getByRole('region', { name: 'request' }).textContent).toBe(indented);
  expect(screen.getByRole('region', { name: 'response' }).textContent).toBe('<html>');
  await user.click(screen.getByRole('button', { name: 'Copy request' }));
  expect(await navigator.clipboard.readText()).toBe(indented);
});
