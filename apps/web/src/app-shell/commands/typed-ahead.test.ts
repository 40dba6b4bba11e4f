// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { holdTyped, takeTyped } from './command-store.ts';

const onCancel = vi.fn();
const onPage = vi.fn();

/** A press of a key on the page; true if the page was kept from it. */
function press(key: string, more: KeyboardEventInit & { readonly altGraph?: boolean } = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  event.getModifierState = (modifier) => modifier === 'AltGraph' && more.altGraph === true;
  document.body.dispatchEvent(event);
  return event.defaultPrevented;
}

beforeEach(() => {
  onCancel.mockReset();
  onPage.mockReset();
  window.addEventListener('keydown', onPage);
});
afterEach(() => {
  takeTyped();
  window.removeEventListener('keydown', onPage);
});

describe('keys held for a field that is not there yet', () => {
  test('are given to it in their order, and to nothing else on the page', () => {
    holdTyped(onCancel);
    expect([...'Fee 5'].map((key) => press(key))).toEqual([true, true, true, true, true]);
    expect(onPage).not.toHaveBeenCalled();
    expect(takeTyped()).toBe('Fee 5');
  });

  test('are corrected by Backspace, a letter at a time', () => {
    holdTyped(onCancel);
    for (const key of ['a', '😀', 'Backspace', 'b', 'Backspace', 'Backspace', 'Backspace', 'c']) press(key);
    expect(takeTyped()).toBe('c');
  });

  test('run nothing by Enter, and are dropped by Escape', () => {
    holdTyped(onCancel);
    expect(press('Enter')).toBe(true);
    expect(onCancel).not.toHaveBeenCalled();
    expect(press('Escape')).toBe(true);
    expect(onCancel).toHaveBeenCalledOnce();
  });

  test('are none of an input method, of a modifier, or that move', () => {
    holdTyped(onCancel);
    expect(press('a', { isComposing: true })).toBe(false);
    expect(press('Process')).toBe(false);
    expect(press('Dead')).toBe(false);
    expect(press('v', { ctrlKey: true })).toBe(false);
    expect(press('v', { metaKey: true })).toBe(false);
    expect(press('f', { altKey: true })).toBe(false);
    expect(press('Tab')).toBe(false);
    expect(takeTyped()).toBe('');
  });

  test('count letters of AltGr, which reports Control and Alt', () => {
    holdTyped(onCancel);
    expect(press('@', { ctrlKey: true, altKey: true, altGraph: true })).toBe(true);
    expect(takeTyped()).toBe('@');
  });

  test('end with the field: later ones are the page’s', () => {
    holdTyped(onCancel);
    press('a');
    expect([takeTyped(), takeTyped()]).toEqual(['a', '']);
    expect(press('b')).toBe(false);
    expect(onPage).toHaveBeenCalledOnce();
  });

  test('are at most as many as the field takes', () => {
    holdTyped(onCancel);
    for (let count = 0; count < 250; count += 1) press('x');
    expect(takeTyped()).toHaveLength(200);
  });
});
