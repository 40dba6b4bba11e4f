'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useWithdrawal } from '#/app/(admin)/settlements/_components/corrections/use-withdrawal.tsx';
import {
  FileIntakeSection,
  PlaceFields,
  type Taking,
  useFileIntake,
} from '#/app/(admin)/settlements/_components/file-intake/file-intake.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { wholeList } from '#/components/list/use-noun-list.ts';
import { countLines } from '#/copy/settlements.ts';
import { type Mode, type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { StatementCsv } from './statement-form.tsx';

/** A CSV statement as it is read, with the days that a person entered; null where the statement says all by itself. */
type Mapped = (StatementCsv & { readonly days?: { readonly from: string; readonly to: string } }) | null;

type Columns = Exclude<RouterOutputs['settlements']['bank']['inspect'], { kind: 'unreadable' }>;
type Preview = RouterOutputs['settlements']['bank']['preview'];

const StatementForm = dynamic(() => import('./statement-form.tsx').then((module) => module.StatementForm));
const StatementPreview = dynamic(() => import('./statement-preview.tsx').then((module) => module.StatementPreview));

/** Takes in a bank statement: what becomes of it is shown first, and exactly that is done. */
export function StatementIntake({ merchantId, mode }: { merchantId: string; mode: Mode }) {
  const { bank } = useTRPC().settlements;
  const inspect = useMutation(bank.inspect.mutationOptions());
  const preview = useMutation(bank.preview.mutationOptions());
  const take = useMutation(bank.take.mutationOptions());
  const of = { merchantId, mode };
  const intake = useFileIntake<Columns, Mapped, Preview>({
    noun: 'statement',
    inspect: (content, place) => inspect.mutateAsync({ ...of, content, ...place }),
    mappedOf: ({ kind }): Mapped | undefined => (kind === 'complete' ? null : undefined),
    preview: ({ name, content }, csv) => preview.mutateAsync({ ...of, name, content, csv }),
    async take({ name, content }, csv, { hash }) {
      return heardOf(await take.mutateAsync({ ...of, name, content, csv, hash }));
    },
  });
  return (
    <FileIntakeSection
      noun="statement"
      accept=".csv,.txt,.xlsx,.sta,.mt940,.940,.xml,text/csv,text/xml"
      reading={inspect.isPending}
      intake={intake}
    >
      {(chosen) => (
        <>
          {chosen.columns.kind === 'columns' && (
            <>
              <PlaceFields place={chosen.columns} onPlace={(place) => void intake.look(chosen, place)} />
              <StatementForm
                key={`${chosen.columns.sheet} ${chosen.columns.titlesLine} ${chosen.content}`}
                columns={chosen.columns}
                onPreview={(csv) => intake.show(chosen, csv)}
              />
            </>
          )}
          {chosen.previewed !== null && (
            <StatementPreview
              preview={chosen.previewed.preview}
              progress={intake.progress}
              onTake={() => void intake.run(chosen)}
              onDays={daysEntered(chosen.previewed.mapped, (csv) => intake.show(chosen, csv))}
            />
          )}
        </>
      )}
    </FileIntakeSection>
  );
}

type TakingStatement = RouterOutputs['settlements']['bank']['take'];

async function* heardOf(taking: TakingStatement): AsyncGenerator<Taking<Preview>> {
  for await (const heard of taking) {
    if (heard.kind === 'progress') yield heard;
    else if (heard.outcome.kind !== 'taken') yield heard.outcome;
    else yield { kind: 'taken', text: `${countLines(heard.outcome.lines)} imported. Payouts are matched within a minute.` };
  }
}

function daysEntered(csv: Mapped, show: (csv: Mapped) => Promise<void>) {
  return csv === null ? null : (days: { from: string; to: string }) => show({ ...csv, days });
}

type Statement = RouterOutputs['settlements']['bank']['statements'][number];

/** The statements that were imported, the newest first. */
export function StatementsTable({ scope }: { scope: Scope }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.settlements.bank.statements.queryOptions(scopeFilter(scope)));
  const withdrawal = useWithdrawal('statement', idOf, ON_CARD);
  return (
    <div className="mt-8">
      <h2 className="mb-2 text-base font-semibold">Statements</h2>
      <NounTable
        label="Statements"
        name="bank-statements"
        list={wholeList(query, query.data)}
        columns={[...COLUMNS, withdrawal.column]}
        rowKey={idOf}
        noun={['statement', 'statements']}
        empty={<p className="text-ink-faint text-sm">No statement was imported yet.</p>}
      />
      {withdrawal.dialog}
    </div>
  );
}

const idOf = ({ statementId }: Statement) => statementId;
const ON_CARD = { card: 'line' } as const;

const COLUMNS: readonly DataColumn<Statement>[] = [
  {
    id: 'statement',
    header: 'Statement',
    fixed: true,
    card: 'main',
    cell: ({ name, hash }) => <span title={`SHA-256 ${hash}`}>{name}</span>,
  },
  { id: 'form', header: 'Form', card: 'second', cell: ({ format }) => format.toUpperCase() },
  {
    id: 'lines',
    header: 'New lines',
    look: 'number',
    card: 'aside',
    cell: ({ lines }) => (
      <>
        {lines.toLocaleString('en')}
        <span className="hidden card:inline"> new</span>
      </>
    ),
  },
  {
    id: 'known',
    header: 'Already imported',
    look: 'number',
    priority: 2,
    card: 'hidden',
    count: ({ known }) => known,
  },
  {
    id: 'who',
    header: 'Imported by',
    look: 'quiet',
    priority: 3,
    card: 'hidden',
    cell: ({ takenByName }) => takenByName ?? '–',
  },
  {
    id: 'when',
    header: 'Imported',
    look: 'quiet',
    card: 'third',
    moment: ({ takenAt }) => takenAt,
  },
];
