'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useShowChange } from '#/app/(admin)/refunds/_components/use-refunds.ts';
import { BackLink } from '#/components/back-link/back-link.tsx';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { FileDrop } from '#/components/file-drop/file-drop.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { formatMoney } from '#/format/amounts.ts';
import { failureText } from '#/forms/failure-text.ts';
import { hrefIn, type Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { actionOf, type BulkLine, type BulkPreview, counted, describeFate, totalsOf } from './bulk-text.ts';

const EXAMPLE = 'payment,amount,reason_code,reason\nBSF-1042,2500,wrong_item,Too small\nBSF-1043,full,cancelled,';
/** Characters that the server takes. */
const FILE_MAX = 400_000;

/** A file that was chosen, with what will become of it. */
interface Chosen {
  readonly name: string;
  readonly file: string;
  readonly preview: BulkPreview;
}

/** Refunds payments from a file: what becomes of each line is shown first, and exactly that is done. */
export function BulkPage({ merchantId, mode }: { merchantId: string; mode: Mode }) {
  const scope = { merchantId, mode };
  const trpc = useTRPC();
  const may = useCan()('payment:refund', merchantId);
  const showChange = useShowChange();
  const preview = useMutation(trpc.refunds.bulk.preview.mutationOptions());
  const refund = useMutation(trpc.refunds.bulk.refund.mutationOptions());
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function take(given: File): Promise<void> {
    setChosen(null);
    setRefusal(null);
    const { name } = given;
    const file = await given.text();
    if (file.length > FILE_MAX)
      return setRefusal(`${name} is too large: it may have ${FILE_MAX.toLocaleString('en')} characters.`);
    try {
      const outcome = await preview.mutateAsync({ ...scope, file });
      if (outcome.kind === 'preview') setChosen({ name, file, preview: outcome });
      else setRefusal(describeUnreadable(name, outcome));
    } catch (error) {
      setRefusal(failureText(error));
    }
  }

  async function run({ name, file, preview: shown }: Chosen): Promise<void> {
    setRefusal(null);
    try {
      const outcome = await refund.mutateAsync({ ...scope, file, hash: shown.hash });
      switch (outcome.kind) {
        case 'done':
          showToast({ text: doneText(outcome) });
          setChosen(null);
          await showChange();
          return;
        case 'changed':
          setChosen({ name, file, preview: outcome.preview });
          return setRefusal('Nothing was refunded: something has changed since the preview. Below is what would be done now.');
        case 'unreadable':
          return setRefusal(describeUnreadable(name, outcome));
        default:
          return outcome satisfies never;
      }
    } catch (error) {
      setRefusal(failureText(error));
    }
  }

  return (
    <>
      <BackLink href={hrefIn(scope, '/refunds')}>Refunds</BackLink>
      <PageHead title="Refund from a file" />
      <p className="max-w-[90ch] -mt-2 mb-4 text-ink-quiet">
        A CSV file with a line for each refund, at most 1,000. A preview of each line is shown before anything is refunded. A line
        that was refunded from a file before is skipped: the same file again refunds nothing.
      </p>
      {!may && <p className="max-w-[90ch] mb-4 text-ink-quiet">Your role cannot refund. Owners and finance can.</p>}
      <FileDrop
        accept="text/csv,.csv"
        label={chosen === null ? 'Choose a file' : 'Choose another file'}
        hint={preview.isPending ? 'Reading the file…' : (chosen?.name ?? 'or drop it here')}
        disabled={!may}
        onFile={(file) => void take(file)}
      />
      <Refusal message={refusal} />
      {chosen === null ? (
        <FileForm merchantId={merchantId} />
      ) : (
        <Preview chosen={chosen} scope={scope} loading={refund.isPending} onRun={() => void run(chosen)} />
      )}
    </>
  );
}

/** The columns of a file, with the merchant's reason codes. */
function FileForm({ merchantId }: { merchantId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.refunds.control.read.queryOptions({ merchantId }));
  const codes = data?.reasonCodes ?? [];
  return (
    <section aria-label="The file" className="max-w-[90ch] mt-4 text-ink-quiet text-sm leading-[1.6]">
      <p>
        The first line names the columns, in any order. <code>payment</code> is a payment’s id or the merchant’s order id.{' '}
        <code>amount</code> is in whole units, or <code>full</code> for all that is left. <code>reason_code</code>{' '}
        {codes.length === 0 ? 'is omitted, as the merchant has none' : `is one of ${codes.map(({ code }) => code).join(', ')}`}.{' '}
        <code>reason</code> is stored with the refund and sent to its gateway.
      </p>
      <pre className="mt-3 p-3 rounded-md bg-ground-quiet text-ink overflow-x-auto">{EXAMPLE}</pre>
    </section>
  );
}

function Preview({
  chosen: { preview },
  scope,
  loading,
  onRun,
}: {
  chosen: Chosen;
  scope: { merchantId: string; mode: Mode };
  loading: boolean;
  onRun: () => void;
}) {
  const totals = totalsOf(preview);
  const isNothing = totals.payments + totals.approvals === 0;
  return (
    <section aria-label="Preview" className="mt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 mb-3">
        <p className="flex-1 text-sm tabular-nums">
          {isNothing ? <strong>Nothing of this file is refunded.</strong> : <Sums totals={totals} />}
          {totals.leftOut > 0 && ` ${counted(totals.leftOut, 'line')} skipped.`}
          {totals.refused > 0 && ` ${counted(totals.refused, 'line')} refused.`}
        </p>
        {!isNothing && (
          <Button variant="danger" loading={loading} onClick={onRun}>
            {actionOf(totals)}
          </Button>
        )}
      </div>
      <PlainTable
        label="Preview by line"
        columns={[
          { title: 'Line', number: true },
          { title: 'Payment' },
          { title: 'Amount', number: true },
          { title: 'Result' },
          { title: 'Reason' },
        ]}
      >
        <tbody {...roles.group}>
          {preview.lines.map((line) => (
            <Line key={line.line} line={line} scope={scope} />
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}

function Sums({ totals: { payments, refunded, approvals, waiting } }: { totals: ReturnType<typeof totalsOf> }) {
  return (
    <>
      {payments > 0 && (
        <>
          <strong>{refunded.join(', ')}</strong> of {counted(payments, 'payment')} is returned to customers. This cannot be
          undone.{' '}
        </>
      )}
      {approvals > 0 && (
        <>
          <strong>{waiting.join(', ')}</strong> in {counted(approvals, 'refund')} waits for a second person.
        </>
      )}
    </>
  );
}

function Line({ line, scope }: { line: BulkLine; scope: { merchantId: string; mode: Mode } }) {
  const { word, tone, why } = describeFate(line);
  const { currency, fate, paymentId } = line;
  return (
    <tr {...roles.row}>
      <td {...numberCell('Line')}>{line.line}</td>
      <td {...textCell('Payment')}>
        {paymentId === null ? (
          line.payment || '–'
        ) : (
          <Link href={hrefIn(scope, `/payments/${paymentId}`)} prefetch={false}>
            {line.merchantOrderId}
          </Link>
        )}
      </td>
      <td {...numberCell('Amount')}>{'amount' in fate && currency !== null ? formatMoney(currency, fate.amount) : '–'}</td>
      <td {...textCell('Result')}>
        <Badge tone={tone}>{word}</Badge>
      </td>
      <td {...textCell('Reason')}>{why}</td>
    </tr>
  );
}

type Outcome = RouterOutputs['refunds']['bulk']['refund'];

function doneText({ refunds, approvals }: Extract<Outcome, { kind: 'done' }>): string {
  const asked =
    approvals === 0 ? '' : ` ${counted(approvals, 'refund')} ${approvals === 1 ? 'waits' : 'wait'} for a second person.`;
  return `${counted(refunds, 'refund')} requested.${asked}`;
}

function describeUnreadable(name: string, { problem }: Extract<Outcome, { kind: 'unreadable' }>): string {
  return `${name} cannot be read. Line ${problem.line}: ${problem.column} ${problem.message}.`;
}
