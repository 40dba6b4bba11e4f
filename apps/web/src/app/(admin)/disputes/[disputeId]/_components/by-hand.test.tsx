// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { UnknownStatus } from '#/components/unknown-status/unknown-status.tsx';
import type { DisputeResponse, WholeDispute } from '#/copy/disputes.ts';
import { button, expectCalls, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { RecordDialog, SettleDialog } from './by-hand.tsx';
import { EvidenceSection } from './evidence.tsx';

const page = openDashboard('?mode=live&merchant=m-1', '/disputes/d-1');
const DISPUTE = {
  merchantId: 'm-1',
  disputeId: 'd-1',
  gatewayTitle: 'Kora',
  state: 'NEEDS_RESPONSE',
  currency: 'NGN',
  fee: null,
  manual: true,
  unrecognised: null,
  payer: null,
  evidence: [{ evidenceId: 'e-1', fileName: 'receipt.pdf', sizeBytes: 2_048, createdAt: new Date('2026-11-25T09:00:00Z') }],
} as WholeDispute;

test('what became of a dispute is recorded with its fee; of one that the gateway reports, the fee alone', async () => {
  page.on('disputes.record', () => ({ kind: 'recorded' }));
  const onClose = vi.fn();
  const user = page.show(<RecordDialog dispute={DISPUTE} onClose={onClose} />);
  await user.click(await screen.findByRole('combobox', { name: /^Status at the gateway/ }));
  await user.click(await screen.findByRole('option', { name: 'Lost' }));
  await user.type(field('Dispute fee, NGN'), '1500.5');
  await user.click(button('Record'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  await expectCalls(page, 'disputes.record', [{ merchantId: 'm-1', disputeId: 'd-1', state: 'LOST', fee: '1500.5' }]);
});

test('what became of a dispute with an unknown status is recorded, and of what it says the record is shown', async () => {
  page.on('disputes.record', () => ({ kind: 'recorded' }));
  const unrecognised = 'Paystack reports a status that its documentation does not list: escalated.';
  const onClose = vi.fn();
  const user = page.show(
    <>
      <UnknownStatus message={unrecognised} record='{"status":"escalated"}'>
        See the dashboard.
      </UnknownStatus>
      <RecordDialog dispute={{ ...DISPUTE, manual: false, unrecognised }} onClose={onClose} />
    </>,
  );
  expect(screen.getByText(unrecognised)).toBeDefined();
  expect(screen.getByText(/escalated"/)).toBeDefined();
  await user.click(await screen.findByRole('combobox', { name: /^Status at the gateway/ }));
  await user.click(await screen.findByRole('option', { name: 'Under review' }));
  await user.click(button('Record'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  await expectCalls(page, 'disputes.record', [{ merchantId: 'm-1', disputeId: 'd-1', state: 'UNDER_REVIEW', fee: null }]);
});

test('of a dispute that the gateway reports only the fee is recorded', async () => {
  page.on('disputes.record', () => ({ kind: 'refused', why: 'The dispute is closed.' }));
  const user = page.show(<RecordDialog dispute={{ ...DISPUTE, manual: false }} onClose={() => undefined} />);
  expect(screen.queryByRole('combobox', { name: /^Status at the gateway/ })).toBeNull();
  await user.type(field('Dispute fee, NGN'), '20');
  await user.click(button('Record'));
  await expectRefusal('The dispute is closed.');
  await expectCalls(page, 'disputes.record', [{ merchantId: 'm-1', disputeId: 'd-1', state: null, fee: '20' }]);
});

test('an answer without a confirmation is settled as the gateway shows it', async () => {
  page.on('disputes.settleResponse', () => ({ kind: 'settled' }));
  const onClose = vi.fn();
  const response = { responseId: 'r-1' } as DisputeResponse;
  const user = page.show(<SettleDialog dispute={DISPUTE} response={response} onClose={onClose} />);
  await user.click(radio(/^It has no response/));
  await user.click(button('Record'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const settled = { merchantId: 'm-1', disputeId: 'd-1', responseId: 'r-1', arrived: false };
  await expectCalls(page, 'disputes.settleResponse', [settled]);
});

test('a file is added as its bytes, and one that is too large is refused before it is read', async () => {
  page.on('disputes.addEvidence', () => ({ kind: 'added' }));
  const user = page.show(<EvidenceSection dispute={DISPUTE} mayAct />);
  const input = screen.getByLabelText<HTMLInputElement>(/^Add a file/);
  await user.upload(input, new File(['%PDF'], 'proof.pdf', { type: 'application/pdf' }));
  const added = { merchantId: 'm-1', disputeId: 'd-1', fileName: 'proof.pdf', content: btoa('%PDF') };
  await expectCalls(page, 'disputes.addEvidence', [added]);
  await user.upload(input, new File([new Uint8Array(5 * 1_048_576 + 1)], 'large.pdf', { type: 'application/pdf' }));
  await expectRefusal('The file is larger than 5 MB.');
  await expectCalls(page, 'disputes.addEvidence', [added]);
});

test('who may not act sees the files, and adds none', () => {
  page.show(<EvidenceSection dispute={DISPUTE} mayAct={false} />);
  expect(button('Download receipt.pdf')).toBeTruthy();
  expect(screen.queryByLabelText(/^Add a file/)).toBeNull();
});
