// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { openDashboard } from '#/testing/dashboard.tsx';
import { FileDrop } from './file-drop.tsx';

const page = openDashboard('');
const onFile = vi.fn<(file: File) => void>();
beforeEach(() => onFile.mockReset());
const file = new File(['payment,amount'], 'refunds.csv', { type: 'text/csv' });

function show(disabled = false) {
  return page.show(
    <FileDrop accept="text/csv,.csv" label="Choose a file" hint="or drop it here" disabled={disabled} onFile={onFile} />,
  );
}

const hint = () => screen.getByText('or drop it here');
const chosen = () => screen.getByLabelText('Choose a file');

test('a file is chosen, also the same one again', async () => {
  const user = show();
  await user.upload(chosen(), file);
  await user.upload(chosen(), file);
  expect(onFile.mock.calls.map(([{ name }]) => name)).toEqual(['refunds.csv', 'refunds.csv']);
});

test('a file is dropped', () => {
  show();
  fireEvent.drop(hint(), { dataTransfer: { files: [file] } });
  expect(onFile.mock.calls.map(([{ name }]) => name)).toEqual(['refunds.csv']);
});

test('none is taken where that is not allowed', async () => {
  const user = show(true);
  fireEvent.drop(hint(), { dataTransfer: { files: [file] } });
  await user.upload(chosen(), file);
  expect(onFile).not.toHaveBeenCalled();
});
