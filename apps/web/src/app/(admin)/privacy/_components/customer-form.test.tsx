// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { button, expectCalls, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { CustomerForm } from './customer-form.tsx';

const page = openDashboard('?mode=live');
const showForm = () => page.show(<CustomerForm merchantId="m-1" mode="live" />);
const GIVEN = { merchantId: 'm-1', mode: 'live', email: 'ada@shop.example', phone: '', customerId: '' };

test('a customer is exported by any identifier, none is not enough', async () => {
  const files = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  onTestFinished(() => files.mockRestore());
  page.on('privacy.exportCustomer', () => ({ kind: 'exported', json: '{}', csv: 'a', payments: 1 }));
  const user = showForm();
  expect([button('Export').disabled, button('Preview erasure').disabled]).toEqual([true, true]);
  await user.type(field('E-mail address'), 'ada@shop.example{Enter}');
  await expectCalls(page, 'privacy.exportCustomer', [GIVEN]);
  await vi.waitFor(() => expect(page.toasts()).toEqual(['Two files were created, of 1 payment.']));
  expect(files).toHaveBeenCalledTimes(2);
});

test('an erasure is previewed before it is asked for', async () => {
  const preview = {
    identifiers: ['ada@shop.example'],
    payments: 3,
    savedViews: 0,
    sums: [],
    blockers: [],
    confirmation: 'erase',
  };
  page.on('privacy.previewErasure', () => ({ kind: 'found', preview }));
  const user = showForm();
  await user.type(field('E-mail address'), 'ada@shop.example');
  await user.click(button('Preview erasure'));
  await screen.findByRole('dialog', { name: 'Erase this customer?' });
  expect(page.calls('privacy.previewErasure')).toEqual([GIVEN]);
  expect(page.calls('privacy.exportCustomer')).toEqual([]);
});

test('a refusal is beside its field or at the form', async () => {
  page.on('privacy.exportCustomer', () => ({
    kind: 'invalid',
    problems: [{ field: 'phone', message: 'must be a phone number' }],
  }));
  page.on('privacy.previewErasure', () => ({ kind: 'nothing_found' }));
  const user = showForm();
  await user.type(field('Phone number'), 'x{Enter}');
  await expectProblem('textbox', 'Phone number', 'Must be a phone number.');
  await user.click(button('Preview erasure'));
  await expectRefusal('Nothing is held about this customer in live.');
  page.on('privacy.exportCustomer', () => ({ kind: 'too_many' }));
  await user.click(button('Export'));
  await expectRefusal('More than 10,000 payments. Enter a narrower identifier.');
});
