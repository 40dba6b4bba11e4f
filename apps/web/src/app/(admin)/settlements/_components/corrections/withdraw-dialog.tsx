'use client';

import { correctionReason } from '@switchyard/api/entered-fields';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { useSettlementActions } from '#/app/(admin)/settlements/_components/use-settlements.ts';
import { roles } from '#/components/list/table-roles.ts';
import { Refusal } from '#/components/page/refusal.tsx';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { countLines } from '#/copy/settlements.ts';
import { formatMoney } from '#/format/amounts.ts';
import { failureText } from '#/forms/failure-text.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { done } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { EffectSection } from './effect-section.tsx';

type Preview = RouterOutputs['settlements']['withdrawals']['preview'];

/** The payout, file or statement that is withdrawn. */
export interface WithdrawnTarget {
  readonly merchantId: string;
  readonly what: 'settlement' | 'file' | 'statement';
  readonly id: string;
}

const schema = z.object({ reason: correctionReason });
const NOUNS = { settlement: 'payout', file: 'file', statement: 'statement' } as const;

/** Withdraws what was recorded by mistake: what goes and what follows from it are shown first, and a reason is asked for. */
export function WithdrawDialog({ target, name, onClose }: { target: WithdrawnTarget; name: string; onClose: () => void }) {
  const { withdrawals } = useTRPC().settlements;
  const queries = useQueryClient();
  const { withdraw } = useSettlementActions();
  const options = { staleTime: 0, retry: false, refetchOnWindowFocus: false };
  const preview = useQuery(withdrawals.preview.queryOptions(target, options));
  const effect = useQuery(withdrawals.effect.queryOptions(target, options));
  const noun = NOUNS[target.what];
  const form = useForm({
    schema,
    values: { reason: '' },
    async onSubmit({ reason }) {
      if (preview.data === undefined) return 'What goes is not known yet.';
      const outcome = await withdraw.mutateAsync({ ...target, hash: preview.data.hash, reason });
      if (outcome.kind === 'changed') {
        await queries.invalidateQueries(withdrawals.pathFilter());
        return 'Nothing was withdrawn: something has changed since. Review it again.';
      }
      return done(`The ${noun} ${name} is withdrawn.`);
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Withdraw ${noun} ${name}`}
      form={form}
      action={`Withdraw ${noun}`}
      variant="danger"
      disabled={preview.data === undefined || effect.data === undefined}
      onClose={onClose}
    >
      <p className="text-ink-quiet text-sm">
        It counts nowhere any more, and can be imported again. What it was stays in the audit log.
      </p>
      {preview.error !== null && <Refusal message={failureText(preview.error)} />}
      {preview.data !== undefined && (
        <>
          <Gone preview={preview.data} />
          <EffectSection effect={effect} />
          <form.Area name="reason" label="Reason" description="Saved with your name." maxLength={1_000} />
        </>
      )}
    </FormDialog>
  );
}

function Gone({ preview }: { preview: Preview }) {
  return 'accounts' in preview ? <StatementGone preview={preview} /> : <PayoutsGone preview={preview} />;
}

function PayoutsGone({ preview: { payouts, count, lines } }: { preview: Exclude<Preview, { accounts: unknown }> }) {
  return (
    <section aria-label="What goes" className="grid gap-2">
      <p className="text-sm">
        {count === 1 ? '1 payout' : `${count.toLocaleString('en')} payouts`} with {countLines(lines)}.
      </p>
      {count > 0 && (
        <PlainTable label="Payouts that are withdrawn" columns={PAYOUT_COLUMNS}>
          <tbody {...roles.group}>
            {payouts.map(({ settlementId, reference, before, after }) => (
              <tr key={settlementId} {...roles.row}>
                <td {...textCell('Payout')}>{reference}</td>
                <td {...numberCell('Lines')}>{before.lines.toLocaleString('en')}</td>
                <td {...numberCell('Net')}>{formatMoney(before.currency, before.net)}</td>
                <td {...textCell('Left of it')}>
                  {after === null ? 'Nothing' : `${formatMoney(after.currency, after.net)}, ${countLines(after.lines)}`}
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </section>
  );
}

function StatementGone({ preview: { accounts, kept, payouts } }: { preview: Extract<Preview, { accounts: unknown }> }) {
  return (
    <section aria-label="What goes" className="grid gap-2">
      {accounts.length > 0 && (
        <PlainTable label="Lines that are withdrawn" columns={STATEMENT_COLUMNS}>
          <tbody {...roles.group}>
            {accounts.map(({ bankAccount, currency, lines, credits, debits }) => (
              <tr key={`${bankAccount} ${currency}`} {...roles.row}>
                <td {...textCell('Bank account')}>{bankAccount}</td>
                <td {...numberCell('Lines')}>{lines.toLocaleString('en')}</td>
                <td {...numberCell('Credits')}>{formatMoney(currency, credits)}</td>
                <td {...numberCell('Debits')}>{formatMoney(currency, debits)}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      <p className="text-sm">
        {payouts === 1 ? '1 payout loses' : `${payouts.toLocaleString('en')} payouts lose`} money at the bank.
        {kept > 0 &&
          ` ${countLines(kept)} ${kept === 1 ? 'stays: other statements have it' : 'stay: other statements have them'} too.`}
      </p>
    </section>
  );
}

const PAYOUT_COLUMNS = [
  { title: 'Payout' },
  { title: 'Lines', number: true },
  { title: 'Net', number: true },
  { title: 'Left of it' },
];

const STATEMENT_COLUMNS = [
  { title: 'Bank account' },
  { title: 'Lines', number: true },
  { title: 'Credits', number: true },
  { title: 'Debits', number: true },
];
