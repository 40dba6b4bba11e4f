'use client';

import { disputedAmount, disputeMessage } from '@switchyard/api/entered-fields';
import { useState } from 'react';
import * as z from 'zod/mini';
import { useDisputeActions } from '#/app/(admin)/disputes/_components/use-disputes.ts';
import { showToast } from '#/components/toasts/toast-store.ts';
import type { WholeDispute } from '#/copy/disputes.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { ConfirmDialog, FormDialog } from '#/forms/form-dialog.tsx';
import { reply } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { useUnsaved } from '#/leaving/unsaved.ts';
import { AddEvidence } from './evidence.tsx';

const NO_FILE = 'none';
const schema = z.object({
  action: z.enum(['CONTEST', 'ACCEPT']),
  amount: z.union([z.literal(''), disputedAmount]),
  message: disputeMessage,
  customerName: z.string().check(z.maxLength(200)),
  service: z.string().check(z.maxLength(200)),
  evidenceId: z.string(),
});
type Answer = z.output<typeof schema>;

const ACTIONS = [
  { value: 'CONTEST', label: 'Contest it', description: 'You keep the money if the bank agrees with your evidence.' },
  { value: 'ACCEPT', label: 'Accept it', description: 'The money goes back to the customer.' },
] as const;

/** Answers a dispute: entered first, then looked at a second time, since it cannot be taken back. */
export function AnswerDialog({ dispute, onClose }: { dispute: WholeDispute; onClose: () => void }) {
  const { support, evidence, currency, amount, gatewayTitle } = dispute;
  const [confirming, setConfirming] = useState<Answer | null>(null);
  // An answer that is looked at a second time is entered, and not sent yet.
  useUnsaved(confirming !== null);
  const form = useForm({
    schema,
    values: {
      action: 'CONTEST',
      amount: '',
      message: '',
      customerName: dispute.payer?.name ?? '',
      service: '',
      evidenceId: evidence.at(-1)?.evidenceId ?? NO_FILE,
    },
    onSubmit(entered) {
      setConfirming(entered);
      return null;
    },
  });
  if (confirming !== null) {
    return <Confirmation dispute={dispute} answer={confirming} onBack={() => setConfirming(null)} onClose={onClose} />;
  }
  const { action } = form.entered;
  const kind = action === 'ACCEPT' ? 'accept' : 'contest';
  const isSent = isSentFrom(dispute, kind);
  const files = [
    { value: NO_FILE, label: 'No file' },
    ...evidence.map(({ evidenceId, fileName }) => ({ value: evidenceId, label: fileName })),
  ];
  return (
    <FormDialog title="Respond to this dispute" form={form} action="Review response" onClose={onClose}>
      <form.Radio name="action" label="Response" choices={ACTIONS} />
      {!isSent && (
        <p className="text-ink-quiet">
          {support?.responses.includes(kind) === true
            ? `${gatewayTitle} asks for the customer, who is not known here. Give it on its own dashboard first; here it is recorded.`
            : `${gatewayTitle} takes this response on its own dashboard alone. Give it there first; here it is recorded.`}
        </p>
      )}
      {action === 'ACCEPT' && support?.partial === true && (
        <form.Number
          name="amount"
          label={`Amount that goes back, ${currency}`}
          decimals={2}
          description={`Empty for all: ${formatDecimal(currency, amount)}.`}
        />
      )}
      <form.Area name="message" label={isSent ? `Message to ${gatewayTitle} and the bank` : 'What was responded'} rows={4} />
      {isSent && support?.customerFor.includes(kind) === true && (
        <>
          <form.Text name="customerName" label="Name of the customer" />
          <form.Text name="service" label="What the customer bought" />
        </>
      )}
      {isSent && support?.evidenceFor.includes(kind) === true && (
        <>
          <form.Select
            name="evidenceId"
            label="Evidence to send"
            options={files}
            description="Files stay with the dispute, also when you do not respond now."
          />
          <AddEvidence dispute={dispute} onAdded={(evidenceId) => form.enter({ evidenceId })} />
        </>
      )}
    </FormDialog>
  );
}

/** True if an answer is sent from here: the gateway takes it by a call, and what it asks for is known. */
function isSentFrom({ support, payment }: WholeDispute, kind: 'accept' | 'contest'): boolean {
  if (support === null || !support.responses.includes(kind)) return false;
  return payment !== null || !support.customerFor.includes(kind);
}

/** The second look, with what follows in figures. */
function Confirmation({
  dispute,
  answer,
  onBack,
  onClose,
}: {
  dispute: WholeDispute;
  answer: Answer;
  onBack: () => void;
  onClose: () => void;
}) {
  const { answer: give } = useDisputeActions();
  const { merchantId, disputeId, currency, gatewayTitle, stage } = dispute;
  const accepts = answer.action === 'ACCEPT';
  const send = isSentFrom(dispute, accepts ? 'accept' : 'contest');
  const back = answer.amount === '' ? dispute.amount : answer.amount;
  const order = dispute.payment?.merchantOrderId ?? dispute.reference ?? dispute.gatewayDisputeId;
  const file = dispute.evidence.find(({ evidenceId }) => evidenceId === answer.evidenceId);
  async function confirm() {
    const outcome = await give.mutateAsync({
      merchantId,
      disputeId,
      action: answer.action,
      message: answer.message,
      send,
      amount: accepts && answer.amount !== '' ? answer.amount : null,
      customerName: answer.customerName.trim() || null,
      service: answer.service.trim() || null,
      evidenceId: file?.evidenceId ?? null,
      seen: { amount: dispute.amount, stage },
    });
    return reply(outcome, {
      answered: () => {
        showToast({ text: send ? `The response is on its way to ${gatewayTitle}.` : 'The response is recorded.' });
        onClose();
        return null;
      },
      refused: ({ why }) => why,
    });
  }
  return (
    <ConfirmDialog
      title={accepts ? 'Accept this dispute?' : 'Contest this dispute?'}
      action={send ? 'Send response' : 'Record response'}
      variant={accepts ? 'danger' : 'accent'}
      onConfirm={confirm}
      onClose={onBack}
    >
      <p>
        {accepts ? (
          <>
            <strong>{formatMoney(currency, back)}</strong> of order <strong>{order}</strong> goes back to{' '}
            {dispute.payment?.customerEmail ?? 'the customer'}.
          </>
        ) : (
          <>
            {gatewayTitle} is informed that <strong>{formatMoney(currency, dispute.amount)}</strong> of order{' '}
            <strong>{order}</strong> was rightly charged
            {file === undefined ? '' : `, with ${file.fileName}`}.
          </>
        )}
      </p>
      <p className="text-ink-quiet">“{answer.message}”</p>
      <p>A dispute is responded to once. {send ? 'This cannot be taken back.' : 'Nothing is sent from here.'}</p>
    </ConfirmDialog>
  );
}
