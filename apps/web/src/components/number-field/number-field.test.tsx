// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { Controlled, openPage } from '#/testing/page.tsx';
import { NumberField, readNumber, showNumber, stepNumber } from './number-field.tsx';

describe('number field', () => {
  const { show } = openPage();

  const onChange = vi.fn<(value: string) => void>();

  function showField(props: Partial<ComponentProps<typeof NumberField>>) {
    onChange.mockClear();
    const user = show(
      <Controlled initial={props.value ?? ''}>
        {(value, change) => (
          <NumberField
            label="Amount"
            {...props}
            value={value}
            onChange={(next) => {
              change(next);
              onChange(next);
            }}
          />
        )}
      </Controlled>,
    );
    return { user, field: screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount' }) };
  }

  test('it shows separators, hides them while a person types, and gives a plain decimal', async () => {
    const { user, field } = showField({ value: '12500.5', decimals: 2 });
    expect(field.value).toBe('12,500.5');
    await user.clear(field);
    await user.type(field, '1250000.75');
    expect(field.value).toBe('1250000.75');
    await user.tab();
    expect(field.value).toBe('1,250,000.75');
    expect(onChange).toHaveBeenLastCalledWith('1250000.75');
  });

  test('the fraction of a whole number is given as it was typed, for the caller to refuse', async () => {
    const { user, field } = showField({});
    await user.type(field, '50000.50');
    expect([field.value, onChange.mock.lastCall]).toEqual(['50000.50', ['50000.50']]);
  });

  test('separators that are pasted are read', async () => {
    const { user, field } = showField({ decimals: 2 });
    await user.click(field);
    await user.paste('NGN 1,250,000.75');
    expect(onChange.mock.calls).toEqual([['1250000.75']]);
  });

  test('the focus changes nothing, so that a selection of the whole text stays one', async () => {
    const { user, field } = showField({ value: '12500' });
    await user.click(field);
    expect(field.value).toBe('12,500');
    await user.tab();
    expect(onChange).not.toHaveBeenCalled();
  });

  test('amounts that floating-point numbers do not hold stay exact', async () => {
    const { user, field } = showField({ decimals: 2 });
    await user.type(field, '9007199254740993.01');
    await user.tab();
    expect(field.value).toBe('9,007,199,254,740,993.01');
    await user.type(field, '{ArrowUp}');
    expect(onChange).toHaveBeenLastCalledWith('9007199254740994.01');
  });

  test('the arrow keys step exactly and stop at the limits', async () => {
    const { user, field } = showField({ value: '0.1', decimals: 1, step: 0.2, min: 0, max: 0.4 });
    await user.type(field, '{ArrowUp}');
    await user.type(field, '{ArrowUp}');
    await user.type(field, '{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(onChange.mock.calls.flat()).toEqual(['0.3', '0.4', '0.2', '0', '0']);
  });

  test('a number out of range that is typed is not corrected', async () => {
    const { user, field } = showField({ max: 100 });
    await user.type(field, '250');
    await user.tab();
    expect(field.value).toBe('250');
    expect(onChange).toHaveBeenLastCalledWith('250');
  });

  test('no more decimals are taken than there are', async () => {
    const { user, field } = showField({ decimals: 2 });
    await user.type(field, '1.239');
    await user.tab();
    expect(field.value).toBe('1.23');
  });

  test('an error describes it in place of its description', () => {
    const { field } = showField({ error: 'must be at most 100', description: 'In percent' });
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('textbox', { description: 'Must be at most 100.' })).toBe(field);
    expect(screen.queryByText('In percent')).toBeNull();
  });
});

test.each([
  ['12,500', 0, '12500'],
  ['12 500.75', 2, '12500.75'],
  ['12.345', 2, '12.34'],
  ['12.9', 0, '12.9'],
  ['50,000.50', 0, '50000.50'],
  ['.5', 1, '0.5'],
  ['-3', 0, '-3'],
  ['NGN 40', 0, '40'],
  ['', 0, ''],
])('%j with %i decimals is read as %j', (text, decimals, value) => {
  expect(readNumber(text, decimals)).toBe(value);
});

test('numbers are shown with separators, and read back the same', () => {
  expect(showNumber('1234567.5')).toBe('1,234,567.5');
  expect(showNumber('-1200')).toBe('-1,200');
  expect(showNumber('')).toBe('');
  expect(readNumber(showNumber('90071992547409931'), 0)).toBe('90071992547409931');
});

test.each([
  ['12500', 500, {}, '13000'],
  ['', 1, {}, '1'],
  ['1', -1, { min: 1 }, '1'],
  ['99.5', 1, { max: 100 }, '100'],
  ['0.1', 0.2, {}, '0.3'],
  ['0.5', -1, {}, '-0.5'],
  ['90071992547409931', 1, {}, '90071992547409932'],
])('%j stepped by %d within %j is %j', (value, step, limits, next) => {
  expect(stepNumber(value, step, limits)).toBe(next);
});
