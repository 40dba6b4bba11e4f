// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPage } from '#/testing/page.tsx';
import { dismissToast, shownToasts, showToast, type Toast } from './toast-store.ts';
import { Toasts } from './toasts.tsx';

// Hooks of a suite end in reverse: the toasts leave the page before the timers are real again.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  for (const { id } of shownToasts()) dismissToast(id);
  vi.useRealTimers();
});
const { show } = openPage();

const SHOWN_MS = 6_000;
const say = (toast: Toast) => act(() => void showToast(toast));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const click = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
const messages = () => screen.queryAllByRole('paragraph').map(({ textContent }) => textContent);

test('a message is announced, and disappears by itself', async () => {
  show(<Toasts />);
  say({ text: 'Key "Production" was revoked.' });
  const region = screen.getByRole('region', { name: 'Messages' });
  expect(region.getAttribute('aria-live')).toBe('polite');
  within(region).getByText('Key "Production" was revoked.');
  await pass(SHOWN_MS - 1);
  expect(messages()).toEqual(['Key "Production" was revoked.']);
  await pass(1);
  expect(messages()).toEqual([]);
});

test.each([
  ['the pointer is on it', 'pointerEnter', 'pointerLeave'],
  ['it has the focus', 'focus', 'blur'],
] as const)('a message stays while %s', async (_, arrive, leave) => {
  show(<Toasts />);
  say({ text: 'Saved.' });
  await pass(SHOWN_MS - 1);
  fireEvent[arrive](screen.getByRole('button', { name: 'Dismiss' }));
  await pass(10 * SHOWN_MS);
  expect(messages()).toEqual(['Saved.']);
  fireEvent[leave](screen.getByRole('button', { name: 'Dismiss' }));
  await pass(SHOWN_MS);
  expect(messages()).toEqual([]);
});

test('a message is dismissed by its cross', async () => {
  show(<Toasts />);
  say({ text: 'Saved.' });
  await click('Dismiss');
  expect(messages()).toEqual([]);
});

test('one that can be undone waits, and goes once it is undone', async () => {
  const run = vi.fn();
  show(<Toasts />);
  say({ text: 'Rule was deleted.', action: { label: 'Undo', run } });
  await pass(100 * SHOWN_MS);
  expect(messages()).toEqual(['Rule was deleted.']);
  await click('Undo');
  expect(run).toHaveBeenCalledOnce();
  expect(messages()).toEqual([]);
});

test('an action runs once at a time', async () => {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const run = vi.fn(() => promise);
  show(<Toasts />);
  say({ text: 'Rule was deleted.', action: { label: 'Undo', run } });
  await click('Undo');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Undo', busy: true }).disabled).toBe(true);
  await click('Undo');
  expect(run).toHaveBeenCalledOnce();
  await act(async () => finish());
  expect(messages()).toEqual([]);
});

test('an action that fails says why, and can be tried again', async () => {
  const run = vi.fn().mockRejectedValueOnce(new Error('The rule has changed.')).mockResolvedValueOnce(undefined);
  show(<Toasts />);
  say({ text: 'Rule was deleted.', action: { label: 'Undo', run } });
  await click('Undo');
  screen.getByText('The rule has changed.');
  await click('Undo');
  expect(run).toHaveBeenCalledTimes(2);
  expect(messages()).toEqual([]);
});
