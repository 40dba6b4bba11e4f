// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { button, expectCalls, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { CustomerForm } from './customer-section.tsx';
import { EraseDialog, type Preview } from './erase-dialog.tsx';

describe('customer form', () => {
  const page = openDashboard('?mode=live');
  async function showForm() {
    page.allow('customer:export', 'customer:erase');
    const user = page.show(<CustomerForm merchantId="m-1" mode="live" />);
    await screen.findByRole('button', { name: 'Export' });
    return user;
  }
  const GIVEN = { merchantId: 'm-1', mode: 'live', email: 'ada@shop.example', phone: '', customerId: '' };

  test('a customer is exported by any identifier, none is not enough', async () => {
    const files = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
    onTestFinished(() => files.mockRestore());
    page.on('privacy.exportCustomer', () => ({ kind: 'exported', json: '{}', csv: 'a', payments: 1 }));
    const user = await showForm();
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
    const user = await showForm();
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
    const user = await showForm();
    await user.type(field('Phone number'), 'x{Enter}');
    await expectProblem('textbox', 'Phone number', 'Must be a phone number.');
    await user.click(button('Preview erasure'));
    await expectRefusal('Nothing is held about this customer in live.');
    page.on('privacy.exportCustomer', () => ({ kind: 'too_many' }));
    await user.click(button('Export'));
    await expectRefusal('More than 10,000 payments. Enter a narrower identifier.');
  });
});

describe('erase dialog', () => {
  const page = openDashboard('?mode=live');
  const onDone = vi.fn();
  const SUBJECT = { merchantId: 'm-1', mode: 'live', email: 'ada@shop.example', phone: '', customerId: '' } as const;
  const PREVIEW: Preview = {
    identifiers: ['ada@shop.example'],
    firstAt: null,
    lastAt: null,
    payments: 3,
    attempts: 4,
    gatewayWebhooks: 5,
    refunds: 0,
    notes: 0,
    savedViews: 0,
    sums: [{ currency: 'NGN', amount: 7_500 }],
    blockers: [],
    confirmation: 'erase 3 payments',
  };
  const showDialog = (preview = PREVIEW) =>
    page.show(<EraseDialog subject={SUBJECT} preview={preview} onDone={onDone} onClose={() => undefined} />);
  const confirmation = () => field(/Type “erase 3 payments”/);

  test('a customer is erased once that is typed', async () => {
    page.on('privacy.eraseCustomer', () => ({ kind: 'erased', counts: { payments: 3 } }));
    const user = showDialog();
    expect(button('Erase from 3 payments').disabled).toBe(true);
    await user.type(confirmation(), 'erase 3 payments');
    await user.click(button('Erase from 3 payments'));
    await expectCalls(page, 'privacy.eraseCustomer', [{ ...SUBJECT, confirmation: 'erase 3 payments' }]);
    await waitFor(() => expect(page.toasts()).toEqual(['The customer was erased from 3 payments.']));
    expect(onDone).toHaveBeenCalledOnce();
  });

  test('another text is refused beside the field', async () => {
    page.on('privacy.eraseCustomer', () => ({ kind: 'not_confirmed', confirmation: 'erase 3 payments' }));
    const user = showDialog();
    await user.type(confirmation(), 'erase{Enter}');
    await expectProblem('textbox', /Type “erase 3 payments”/, 'Must be “erase 3 payments”.');
  });

  test('what stands against it is named, and then it cannot be done', async () => {
    page.on('privacy.eraseCustomer', () => ({ kind: 'blocked', blockers: ['A refund is processing.'] }));
    const user = showDialog();
    await user.type(confirmation(), 'erase 3 payments{Enter}');
    await screen.findByText('A refund is processing.');
    expect(screen.queryByRole('button', { name: /^Erase/ })).toBeNull();
  });
});
