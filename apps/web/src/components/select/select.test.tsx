// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { Controlled, openPage } from '#/testing/page.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { findOptions } from './long-select.tsx';
import { Select, type SelectProps } from './select.tsx';

function Chosen({ onChange, ...props }: Omit<SelectProps, 'label' | 'onChange'> & { onChange?: (value: string) => void }) {
  return (
    <Controlled initial={props.value}>
      {(value, change) => (
        <Select
          {...props}
          label="Paid in"
          value={value}
          onChange={(next) => {
            change(next);
            onChange?.(next);
          }}
        />
      )}
    </Controlled>
  );
}

describe('select', () => {
  const { show } = openPage();

  const SHORT = ['Naira', 'Cedi', 'Rand'].map((label) => ({ value: label.toLowerCase(), label }));
  const LONG = Array.from({ length: 120 }, (_, index) => ({
    value: `merchant-${index}`,
    label: `Merchant ${index}`,
    note: `no. ${1_000 + index}`,
  }));
  const LISTS = [
    ['a short list', SHORT, 'Naira', 'Cedi', 'cedi'],
    ['a list with a search', LONG, 'Merchant 0', 'Merchant 1', 'merchant-1'],
  ] as const;

  const control = (shown: string) => screen.findByRole('combobox', { name: `Paid in ${shown}` });
  const option = (label: string) => screen.findByRole('option', { name: new RegExp(`^${label}\\s*(no\\.|$)`) });
  const isReached = async (label: string) => {
    const reached = await option(label);
    await waitFor(() => expect(reached.hasAttribute('data-highlighted')).toBe(true));
  };
  const isClosed = () => waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());

  test.each(LISTS)('%s opens by a click, and a click chooses', async (_, options, first, second, value) => {
    const onChange = vi.fn();
    const user = show(<Chosen options={options} value={options[0]?.value ?? null} onChange={onChange} />);
    await user.click(await control(first));
    expect((await option(first)).getAttribute('aria-selected')).toBe('true');
    await user.click(await option(second));
    await isClosed();
    expect(onChange.mock.calls).toEqual([[value]]);
    await control(second);
  });

  test.each(LISTS)('%s opens by the arrow down, and the keyboard chooses', async (_, options, first, second, value) => {
    const onChange = vi.fn();
    const user = show(<Chosen options={options} value={options[0]?.value ?? null} onChange={onChange} />);
    const closed = await control(first);
    await user.tab();
    expect(document.activeElement).toBe(closed);
    await user.keyboard('{ArrowDown}');
    await option(second);
    await isReached(first);
    await user.keyboard('{ArrowDown}');
    await isReached(second);
    await user.keyboard('{Enter}');
    await isClosed();
    expect(onChange.mock.calls).toEqual([[value]]);
    await waitFor(async () => expect(document.activeElement).toBe(await control(second)));
  });

  test('the search finds by label and note, chooses the first by Enter, and says when nothing matches', async () => {
    const onChange = vi.fn();
    const user = show(<Chosen options={LONG} value={null} onChange={onChange} />);
    await user.click(await control('Select'));
    const search = await screen.findByRole('combobox', { name: 'Search Paid in' });
    await waitFor(() => expect(document.activeElement).toBe(search));
    expect(screen.getAllByRole('option')).toHaveLength(100);
    screen.getByText('100 of 120. Type to find others.');
    await user.keyboard('nobody');
    await screen.findByText('No match');
    expect(screen.queryAllByRole('option')).toEqual([]);
    await user.clear(search);
    await user.keyboard('1117');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
    await user.keyboard('{Enter}');
    await isClosed();
    expect(onChange.mock.calls).toEqual([['merchant-117']]);
  });

  test.each(LISTS)('Escape closes %s, not the dialog around it, and changes nothing', async (_, options, first) => {
    const onClose = vi.fn();
    const onChange = vi.fn();
    const user = show(
      <Dialog title="New rule" onClose={onClose}>
        <Chosen options={options} value={options[0]?.value ?? null} onChange={onChange} />
      </Dialog>,
    );
    await user.click(await control(first));
    const list = await screen.findByRole('listbox');
    // Outside of an open dialog it could not be reached.
    expect(within(screen.getByRole('dialog', { name: 'New rule' })).getByRole('listbox')).toBe(list);
    await user.keyboard('{Escape}');
    await isClosed();
    expect(onClose).not.toHaveBeenCalled();
    await waitFor(async () => expect(document.activeElement).toBe(await control(first)));
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
    expect(onChange).not.toHaveBeenCalled();
  });

  test.each(LISTS)('%s says what is wrong, in place of its description', async (_, options) => {
    show(<Chosen options={options} value={null} description="The customer's currency" error="must not be empty" />);
    const wrong = await screen.findByRole('combobox', { name: 'Paid in Select', description: 'Must not be empty.' });
    expect(wrong.getAttribute('aria-invalid')).toBe('true');
    expect(screen.queryByText("The customer's currency")).toBeNull();
  });

  test.each(LISTS)('%s describes itself while nothing is wrong', async (_, options) => {
    show(<Chosen options={options} value={null} description="The customer's currency" />);
    const right = await screen.findByRole('combobox', { name: 'Paid in Select', description: "The customer's currency" });
    expect(right.getAttribute('aria-invalid')).toBe('false');
  });

  test.each(LISTS)('%s that is disabled does not open', async (_, options, first) => {
    const user = show(<Chosen options={options} value={options[0]?.value ?? null} disabled />);
    await user.click(await control(first));
    await user.tab();
    await user.keyboard('{ArrowDown}');
    expect(screen.queryByRole('listbox')).toBeNull();
  });
});

const options = [
  { value: 'a', label: 'Ade Stores', note: 'M-0007' },
  { value: 'b', label: 'Café Lagos' },
  { value: 'c', label: 'America/Sao_Paulo', note: 'UTC-3' },
  { value: 'd', label: 'Lagos Island Books' },
];
const labels = (text: string) => findOptions(options, text).map(({ value }) => value);

test('an empty search keeps every option in its order', () => {
  expect(labels('  ')).toEqual(['a', 'b', 'c', 'd']);
});

test('every word is found in label or note, whatever its accents and separators', () => {
  expect(labels('sao paulo')).toEqual(['c']);
  expect(labels('cafe')).toEqual(['b']);
  expect(labels('0007 stores')).toEqual(['a']);
  expect(labels('nowhere')).toEqual([]);
});

test('options that begin with the text come first', () => {
  expect(labels('lagos')).toEqual(['d', 'b']);
});
