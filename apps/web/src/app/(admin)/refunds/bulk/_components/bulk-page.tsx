'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useShowChange } from '#/app/(admin)/refunds/_components/use-refunds.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { FileDrop } from '#/components/file-drop/file-drop.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { STATUS_LABELS, type Tone } from '#/copy/payment-status.ts';
import { APPROVAL_LABELS, type ApprovalState, REFUND_LABELS, type RefundState } from '#/copy/refunds.ts';
import { formatMoney } from '#/format/amounts.ts';
import { failureText } from '#/forms/failure-text.ts';
import { hrefIn, type Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';

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

/** A file that is accepted where a merchant has these reason codes: with one of them in each line, or without their column. */
export function exampleFor([first, second = first]: readonly string[]): string {
  if (first === undefined) return 'payment,amount,reason\nBSF-1042,2500,Too small\nBSF-1043,full,';
  return `payment,amount,reason_code,reason\nBSF-1042,2500,${first},Too small\nBSF-1043,full,${second},`;
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
      <pre className="mt-3 p-3 rounded-md bg-ground-quiet text-ink overflow-x-auto">
        {exampleFor(codes.map(({ code }) => code))}
      </pre>
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

/** The preview of a file. */
type BulkPreview = Extract<RouterOutputs['refunds']['bulk']['preview'], { kind: 'preview' }>;

/** A line of a file with what becomes of it. */
type BulkLine = BulkPreview['lines'][number];

/** The outcome of a line as people read it: one word, and why. */
interface FateText {
  readonly word: string;
  readonly tone: Tone;
  readonly why: string;
}

const LABELS: Readonly<Record<RefundState | ApprovalState, { readonly word: string }>> = { ...APPROVAL_LABELS, ...REFUND_LABELS };

/** The outcome of a line, in words. */
function describeFate({ fate, currency }: BulkLine): FateText {
  const money = (amount: bigint) => (currency === null ? String(amount) : formatMoney(currency, amount));
  const refused = (why: string): FateText => ({ word: 'Refused', tone: 'bad', why });
  switch (fate.kind) {
    case 'refund':
      return { word: 'Refund', tone: 'good', why: `${money(fate.amount)} is returned to the customer.` };
    case 'needs_approval':
      return { word: 'Second person', tone: 'wait', why: `${money(fate.amount)} waits for another person’s approval.` };
    case 'known':
      return { word: 'Skipped', tone: 'over', why: `The same line came before: ${LABELS[fate.state].word.toLowerCase()}.` };
    case 'repeated':
      return { word: 'Skipped', tone: 'over', why: `The same as line ${fate.line}.` };
    case 'unreadable':
      return { word: 'Invalid', tone: 'bad', why: `${fate.column} ${fate.message}.` };
    case 'not_found':
      return refused('No payment of this merchant and mode has this id or order id.');
    case 'not_paid':
      return refused(`Only what was paid can be refunded; the payment is ${STATUS_LABELS[fate.status].word.toLowerCase()}.`);
    case 'too_much':
      return refused(
        fate.refundable === 0n ? 'Nothing of the payment is left to refund.' : `Only ${money(fate.refundable)} is left.`,
      );
    case 'needs_reason_code':
      return refused('reason_code must be one of the merchant’s reason codes.');
    case 'over_daily_limit':
      return refused(`Your daily limit of ${money(fate.limit)} leaves ${fate.left === 0n ? 'nothing' : money(fate.left)}.`);
    default:
      return fate satisfies never;
  }
}

/** Sums of a preview: how many payments are refunded with how much, and how many lines come to what else. */
interface BulkTotals {
  readonly payments: number;
  /** By currency. */
  readonly refunded: readonly string[];
  readonly approvals: number;
  readonly waiting: readonly string[];
  readonly leftOut: number;
  readonly refused: number;
}

/** Adds a preview up. */
function totalsOf({ lines }: BulkPreview): BulkTotals {
  const of = (kind: 'refund' | 'needs_approval') => lines.filter(({ fate }) => fate.kind === kind);
  const leftOut = lines.filter(({ fate }) => fate.kind === 'known' || fate.kind === 'repeated').length;
  const [refunds, approvals] = [of('refund'), of('needs_approval')];
  return {
    payments: new Set(refunds.map(({ paymentId }) => paymentId)).size,
    refunded: sumsOf(refunds),
    approvals: approvals.length,
    waiting: sumsOf(approvals),
    leftOut,
    refused: lines.length - refunds.length - approvals.length - leftOut,
  };
}

function sumsOf(lines: readonly BulkLine[]): string[] {
  const sums = new Map<string, bigint>();
  for (const { currency, fate } of lines) {
    if (currency !== null && 'amount' in fate) sums.set(currency, (sums.get(currency) ?? 0n) + fate.amount);
  }
  return [...sums].map(([currency, sum]) => formatMoney(currency, sum));
}

/** The button that does what a preview says: `Refund 12 payments`. */
function actionOf({ payments, approvals }: BulkTotals): string {
  const refund = `Refund ${counted(payments, 'payment')}`;
  if (approvals === 0) return refund;
  const ask = `equest approval of ${counted(approvals, 'refund')}`;
  return payments === 0 ? `R${ask}` : `${refund} and r${ask}`;
}

/** `1 payment`, `2 payments` */
function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;
}
