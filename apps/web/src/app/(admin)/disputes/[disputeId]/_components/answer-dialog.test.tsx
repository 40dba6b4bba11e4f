// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { WholeDispute } from '#/copy/disputes.ts';
import { button, expectCalls, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { AnswerDialog } from './answer-dialog.tsx';

const page = openDashboard('?mode=live');
const onClose = vi.fn();
const AT = new Date('2026-11-20T08:00:00Z');
const DISPUTE: WholeDispute = {
  disputeId: 'd-1',
  merchantId: 'm-1',
  merchantName: 'Balogun',
  mode: 'live',
  paymentId: 'p-1',
  accountId: 'a-1',
  accountLabel: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  gatewayDisputeId: '358950',
  reference: 'sy-1',
  transactionId: '896467688',
  state: 'NEEDS_RESPONSE',
  category: 'chargeback',
  stage: null,
  amount: '2500',
  takenBack: '0',
  fee: null,
  currency: 'NGN',
  dueAt: AT,
  dueSource: 'GATEWAY',
  manual: false,
  unrecognised: null,
  unrecognisedRecord: null,
  openedAt: AT,
  closedAt: null,
  history: [],
  responses: [],
  people: new Map(),
  support: {
    answerWithin: null,
    unanswered: 'accepted',
    source: null,
    partial: true,
    responses: ['accept', 'contest'],
    evidenceFor: ['accept', 'contest'],
    customerFor: ['contest'],
  },
  payment: {
    merchantOrderId: 'A-1',
    amount: '2500',
    status: 'SUCCESS',
    paidAt: AT,
    customerEmail: 'ada@example.com',
    reversedAmount: '0',
  },
  payer: null,
  evidence: [
    {
      evidenceId: 'e-1',
      fileName: 'receipt.pdf',
      mediaType: 'application/pdf',
      sizeBytes: 9,
      uploadedBy: 'staff:a',
      createdAt: AT,
    },
  ],
};

test('an answer is looked at a second time, with what goes back, and then sent once with what was seen', async () => {
  page.on('disputes.answer', () => ({ kind: 'answered', responseId: 'r-1' }));
  const user = page.show(<AnswerDialog dispute={DISPUTE} onClose={onClose} />);
  await user.click(radio(/Accept it/));
  await user.type(field('Amount that goes back, NGN'), '1000');
  await user.type(field('Message to Paystack and the bank'), 'Out of stock');
  await user.click(button('Review response'));
  expect(await screen.findByText(/goes back to ada@example.com/)).toHaveProperty(
    'textContent',
    expect.stringContaining('NGN 1,000.00'),
  );
  expect(page.calls('disputes.answer')).toEqual([]);
  await user.click(button('Send response'));
  await expectCalls(page, 'disputes.answer', [
    {
      merchantId: 'm-1',
      disputeId: 'd-1',
      action: 'ACCEPT',
      message: 'Out of stock',
      send: true,
      amount: '1000',
      customerName: null,
      service: null,
      evidenceId: 'e-1',
      seen: { amount: '2500', stage: null },
    },
  ]);
});

test('an answer says something, and a refusal stays in sight', async () => {
  page.on('disputes.answer', () => ({ kind: 'refused', field: null, why: 'It has a response already.' }));
  const user = page.show(<AnswerDialog dispute={DISPUTE} onClose={onClose} />);
  await user.click(button('Review response'));
  await expectProblem('textbox', 'Message to Paystack and the bank', 'Must not be empty.');
  await user.type(field('Message to Paystack and the bank'), 'Delivered');
  await user.click(button('Review response'));
  await user.click(button('Send response'));
  await expectRefusal('It has a response already.');
});

test('of a payment that is not in the ledger one is contested at the gateway and recorded, and accepted from here', async () => {
  page.on('disputes.answer', () => ({ kind: 'answered', responseId: 'r-1' }));
  const foreign = { ...DISPUTE, paymentId: null, payment: null, reference: 'POS-1' };
  const user = page.show(<AnswerDialog dispute={foreign} onClose={onClose} />);
  expect(screen.getByText(/asks for the customer, who is not known here/)).toBeTruthy();
  await user.type(field('What was responded'), 'Delivered');
  await user.click(button('Review response'));
  await user.click(button('Record response'));
  await expectCalls(page, 'disputes.answer', [expect.objectContaining({ action: 'CONTEST', send: false, customerName: null })]);
  await user.click(radio(/Accept it/));
  expect(field('Message to Paystack and the bank')).toBeTruthy();
});

test('where the gateway takes no answer by a call, it is recorded and nothing is sent', async () => {
  page.on('disputes.answer', () => ({ kind: 'answered', responseId: 'r-1' }));
  const support = { ...DISPUTE.support, responses: [], evidenceFor: [], customerFor: [] } as WholeDispute['support'];
  const user = page.show(<AnswerDialog dispute={{ ...DISPUTE, gatewayTitle: 'Kora', support }} onClose={onClose} />);
  await user.type(field('What was responded'), 'Declined with the receipt');
  await user.click(button('Review response'));
  expect(await screen.findByText(/Nothing is sent from here/)).toBeTruthy();
  await user.click(button('Record response'));
  await expectCalls(page, 'disputes.answer', [expect.objectContaining({ action: 'CONTEST', send: false })]);
});

test('a file is added where the answer is written, and is the one that is sent', async () => {
  page.on('disputes.addEvidence', () => ({ kind: 'added', evidenceId: 'e-2' }));
  page.on('disputes.answer', () => ({ kind: 'answered', responseId: 'r-1' }));
  const user = page.show(<AnswerDialog dispute={DISPUTE} onClose={onClose} />);
  await user.type(field('Message to Paystack and the bank'), 'Delivered');
  const photo = new File(['signed'], 'delivery.png', { type: 'image/png' });
  await user.upload(screen.getByLabelText('Add a file'), photo);
  await expectCalls(page, 'disputes.addEvidence', [
    { merchantId: 'm-1', disputeId: 'd-1', fileName: 'delivery.png', content: btoa('signed') },
  ]);
  expect(field('Message to Paystack and the bank').value).toBe('Delivered');
});

test('an answer that was begun is not lost by Cancel without a question', async () => {
  onClose.mockReset();
  const user = page.show(<AnswerDialog dispute={DISPUTE} onClose={onClose} />);
  await user.type(field('Message to Paystack and the bank'), 'Delivered');
  await user.click(button('Cancel'));
  await expectRefusal('What you entered is not saved.');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(button('Discard'));
  expect(onClose).toHaveBeenCalledOnce();
});
