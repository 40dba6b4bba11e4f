import { useState } from 'react';
import { expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { useSearchText } from './search-field.tsx';

const page = openHookPage('');

/** A field on a page that shows the search it was given only when the test says so, as a slow page does. */
async function open() {
  let show: () => void = () => undefined;
  let wanted = '';
  const hook = await page.render(() => {
    const [value, setValue] = useState('');
    show = () => setValue(wanted);
    return useSearchText(
      value,
      (text) => {
        wanted = text;
      },
      false,
    );
  });
  return {
    text: () => hook.result.current.text,
    wanted: () => wanted,
    type: (text: string) => hook.act(() => hook.result.current.setText(text)),
    searchNow: (text: string) => hook.act(() => hook.result.current.searchNow(text)),
    show: () => hook.act(() => show()),
    /** Shows what is searched for now when it is called. */
    showLater() {
      const earlier = wanted;
      return () =>
        hook.act(() => {
          const latest = wanted;
          wanted = earlier;
          show();
          wanted = latest;
        });
    },
    goBackTo: (text: string) =>
      hook.act(() => {
        wanted = text;
        show();
      }),
  };
}

test('a key that is pressed while the page draws the results of the text before it is kept, and searched for', async () => {
  const field = await open();
  await field.type('ord');
  await page.wait(350);
  expect(field.wanted()).toBe('ord');
  await field.type('order');
  await field.show();
  expect(field.text()).toBe('order');
  await page.wait(350);
  expect(field.wanted()).toBe('order');
});

test('a page that shows an earlier search late changes nothing that was typed since', async () => {
  const field = await open();
  await field.type('ord');
  await page.wait(350);
  const showFirst = field.showLater();
  await field.type('order');
  await page.wait(350);
  await field.type('orders');
  await showFirst();
  expect(field.text()).toBe('orders');
  await field.show();
  expect(field.text()).toBe('orders');
});

test('the field follows an address that changes otherwise', async () => {
  const field = await open();
  await field.type('ord');
  await page.wait(350);
  await field.show();
  await field.goBackTo('');
  expect(field.text()).toBe('');
  await field.goBackTo('ord');
  expect(field.text()).toBe('ord');
});

test('a text that is searched for at once is not searched for again', async () => {
  const field = await open();
  await field.type('4711');
  await field.searchNow('4711');
  await field.show();
  await field.goBackTo('');
  await page.wait(1_000);
  expect([field.text(), field.wanted()]).toEqual(['', '']);
});
