'use client';

import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import * as z from 'zod/mini';
import { useSettlementActions } from '#/app/(admin)/settlements/_components/use-settlements.ts';
import type { OpenBankLine } from '#/copy/settlements.ts';
import { formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { done } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type Payout = RouterOutputs['settlements']['bank']['payoutsFor'][number];

const schema = z.object({ text: z.string(), settlementId: z.pipe(z.nullable(z.string()), z.string('must be selected')) });

/** Matches a line of the bank with a payout by hand: the nearest are proposed, others are searched for. */
export function PayoutDialog({ line, onClose }: { line: OpenBankLine; onClose: () => void }) {
  const { merchantId, bankLineId, amount, currency, bookedOn, text: said } = line;
  const trpc = useTRPC();
  const { linkBankLine } = useSettlementActions();
  const form = useForm({
    schema,
    values: { text: '', settlementId: null },
    async onSubmit({ settlementId }) {
      await linkBankLine.mutateAsync({ merchantId, bankLineId, settlementId });
      return done(`Matched ${formatMoney(currency, amount)} with a payout.`);
    },
    onDone: onClose,
  });
  const text = useDeferredValue(form.entered.text.trim());
  const { data: payouts, isFetching } = useQuery(trpc.settlements.bank.payoutsFor.queryOptions({ bankLineId, text }));
  return (
    <FormDialog
      title={`Match ${formatMoney(currency, amount)}`}
      form={form}
      action="Match"
      disabled={payouts === undefined || payouts.length === 0}
      onClose={onClose}
    >
      <p className="text-ink-quiet text-sm">
        Booked {formatDay(bookedOn)}: {said}. The match stays whatever statements are imported, until it is undone.
      </p>

      <form.Text
        name="text"
        label="Payout"
        description="Its reference or amount; empty for those of about this day."
        autoComplete="off"
      />
      {payouts !== undefined && payouts.length > 0 && (
        <form.Radio
          name="settlementId"
          label="It is of"
          choices={payouts.map((payout) => ({ value: payout.settlementId, label: describe(payout) }))}
        />
      )}
      {payouts?.length === 0 && !isFetching && <p className="text-sm text-ink-quiet">No payout is found.</p>}
    </FormDialog>
  );
}

function describe({ reference, accountLabel, settledOn, net, currency, isMatched }: Payout): string {
  const arrived = isMatched ? ', matched in part or whole' : '';
  return `${formatMoney(currency, net)} of ${formatDay(settledOn)}, ${reference}, ${accountLabel}${arrived}`;
}
