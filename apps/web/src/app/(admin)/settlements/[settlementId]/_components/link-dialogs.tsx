'use client';

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import * as z from 'zod/mini';
import { useSettlementActions } from '#/app/(admin)/settlements/_components/use-settlements.ts';
import { ENTRY_LABELS, type LinkableEntry, type SettlementLine, type WholeSettlement } from '#/copy/settlements.ts';
import { formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { done } from '#/forms/reply.ts';
import { type Answer, useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const SEARCH_MIN = 3;
const entrySchema = z.object({ text: z.string(), subject: z.pipe(z.nullable(z.string()), z.string('must be selected')) });

/** Matches a line by hand: what is missing of its amount is offered, other money is searched for. */
export function LinkDialog({ merchantId, line, onClose }: { merchantId: string; line: SettlementLine; onClose: () => void }) {
  const { lineId, amount, currency, reference, transactionId } = line;
  const trpc = useTRPC();
  const { linkLine } = useSettlementActions();
  const form = useForm({
    schema: entrySchema,
    values: { text: '', subject: null },
    async onSubmit({ subject }): Promise<Answer> {
      const entry = found.find((each) => each.subject === subject);
      if (entry === undefined) return 'Select what it is of.';
      await linkLine.mutateAsync({ merchantId, lineId, entry: { subject, paymentId: entry.paymentId } });
      return done(`Matched with ${describeEntry(entry)}.`);
    },
    onDone: onClose,
  });
  const text = useDeferredValue(form.entered.text.trim());
  const { data, isFetching } = useQuery(
    trpc.settlements.linkable.queryOptions({ lineId, text }, { enabled: text === '' || text.length >= SEARCH_MIN }),
  );
  const found = data ?? [];
  return (
    <FormDialog
      title={`Match ${formatMoney(currency, amount)}`}
      form={form}
      action="Match"
      disabled={found.length === 0}
      onClose={onClose}
    >
      <p className="text-ink-quiet text-sm">
        The gateway names it {reference ?? transactionId ?? 'by nothing'}. The amount stays as it is; only what it is of is
        recorded.
      </p>

      <form.Text
        name="text"
        label="Payment or refund"
        description="An order id, or a reference or transaction id, in full."
        autoComplete="off"
      />
      {found.length > 0 && (
        <form.Radio
          name="subject"
          label={text === '' ? 'Missing, of this amount' : 'It is of'}
          choices={found.map((entry) => ({ value: entry.subject, label: describeEntry(entry) }))}
        />
      )}
      {text.length >= SEARCH_MIN && !isFetching && found.length === 0 && (
        <p className="text-sm text-ink-quiet">This account has nothing under “{text}”.</p>
      )}
    </FormDialog>
  );
}

function describeEntry({ kind, merchantOrderId, amount, currency }: LinkableEntry): string {
  return `${ENTRY_LABELS[kind]} of ${merchantOrderId}, ${formatMoney(currency, amount)}`;
}

type BankLine = RouterOutputs['settlements']['bank']['linesFor'][number];

const bankLineSchema = z.object({ text: z.string(), bankLineId: z.pipe(z.nullable(z.string()), z.string('must be selected')) });

/** Matches a payout with a line of the bank by hand: the nearest are proposed, others are searched for. */
export function BankLineDialog({ settlement, onClose }: { settlement: WholeSettlement; onClose: () => void }) {
  const { merchantId, settlementId, currency, net } = settlement;
  const trpc = useTRPC();
  const { linkBankLine } = useSettlementActions();
  const form = useForm({
    schema: bankLineSchema,
    values: { text: '', bankLineId: null },
    async onSubmit({ bankLineId }) {
      await linkBankLine.mutateAsync({ merchantId, settlementId, bankLineId });
      return done('Matched with a line of the bank.');
    },
    onDone: onClose,
  });
  const text = useDeferredValue(form.entered.text.trim());
  const { data: lines, isFetching } = useQuery(trpc.settlements.bank.linesFor.queryOptions({ settlementId, text }));
  return (
    <FormDialog
      title={`Match ${formatMoney(currency, net)}`}
      form={form}
      action="Match"
      disabled={lines === undefined || lines.length === 0}
      onClose={onClose}
    >
      <p className="text-ink-quiet text-sm">
        A payout may have come in several lines. The match stays whatever statements are imported, until it is undone.
      </p>

      <form.Text
        name="text"
        label="Bank line"
        description="Of its text, or its amount; empty for those of about this day."
        autoComplete="off"
      />
      {lines !== undefined && lines.length > 0 && (
        <form.Radio
          name="bankLineId"
          label="It came as"
          choices={lines.map((line) => ({ value: line.bankLineId, label: describeBankLine(line) }))}
        />
      )}
      {lines?.length === 0 && !isFetching && <p className="text-sm text-ink-quiet">No line without a payout is found.</p>}
    </FormDialog>
  );
}

function describeBankLine({ bookedOn, amount, currency, text, bankAccount }: BankLine): string {
  return `${formatMoney(currency, amount)} of ${formatDay(bookedOn)}, ${text}, ${bankAccount}`;
}
