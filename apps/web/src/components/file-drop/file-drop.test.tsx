// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openDashboard } from '#/testing/dashboard.tsx';
import { FileDrop } from './file-drop.tsx';

const page = openDashboard('');
const onFile = vi.fn<(file: File) => void>();
beforeEach(() => onFile.mockReset());
const file = new File(['payment,amount'], 'refunds.csv', { type: 'text/csv' });

function show(disabled: boolean) {
  page.show(<FileDrop accept="text/csv,.csv" label="Choose a file" hint="or drop it here" disabled={disabled} onFile={onFile} />);
  return screen.getByText('or drop it here');
}

test('a file is chosen, also the same one again', async () => {
  show(false);
  await userEvent.upload(screen.getByLabelText('Choose a file'), file);
  await userEvent.upload(screen.getByLabelText('Choose a file'), file);
  expect(onFile.mock.calls.map(([{ name }]) => name)).toEqual(['refunds.csv', 'refunds.csv']);
});

test('a file is dropped', () => {
  fireEvent.drop(show(false), { dataTransfer: { files: [file] } });
  expect(onFile.mock.calls.map(([{ name }]) => name)).toEqual(['refunds.csv']);
});

test('none is taken where that is not allowed', async () => {
  const hint = show(true);
  fireEvent.drop(hint, { dataTransfer: { files: [file] } });
  await userEvent.upload(screen.getByLabelText('Choose a file'), file);
  expect(onFile).not.toHaveBeenCalled();
});
