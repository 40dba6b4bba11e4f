// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectCalls, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { NoteForm } from './payment-notes.tsx';

const page = openDashboard('?mode=test');
beforeEach(() => page.on('payments.notes', () => []));

test('a note is saved without blanks around it, and the field is empty for the next', async () => {
  page.on('payments.addNote', () => ({ kind: 'added' }));
  const user = page.show(<NoteForm paymentId="p-1" />);
  expect(button('Save note').disabled).toBe(true);
  await user.type(field('Add a note'), ' The customer called. ');
  await user.click(button('Save note'));
  await expectCalls(page, 'payments.addNote', [{ paymentId: 'p-1', text: 'The customer called.' }]);
  await waitFor(() => expect(field('Add a note').value).toBe(''));
});

test('a note that could not be saved stays', async () => {
  page.on('payments.addNote', () => {
    throw new Error('The server did not answer.');
  });
  const user = page.show(<NoteForm paymentId="p-1" />);
  await user.type(field('Add a note'), 'The customer called.');
  await user.click(button('Save note'));
  await expectRefusal('The server did not answer.');
  expect(screen.getByDisplayValue('The customer called.')).toBe(field('Add a note'));
});
