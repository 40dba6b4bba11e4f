'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useWithdrawal } from '#/app/(admin)/settlements/_components/corrections/use-withdrawal.tsx';
import {
  FileIntakeSection,
  PlaceFields,
  type Taking,
  useFileIntake,
} from '#/app/(admin)/settlements/_components/file-intake/file-intake.tsx';
import { useSettlementAccounts } from '#/app/(admin)/settlements/_components/use-settlements.ts';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { wholeList } from '#/components/list/use-noun-list.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Select } from '#/components/select/select.tsx';
import { countLines, type SettlementAccount, type SettlementFilePreview } from '#/copy/settlements.ts';
import { hrefIn, type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { type FileCorrections, UNDECIDED } from './file-corrections.ts';
import type { FileColumns, MappedFile } from './mapping-form.tsx';

const MappingForm = dynamic(() => import('./mapping-form.tsx').then((module) => module.MappingForm));
const FilePreview = dynamic(() => import('./file-preview.tsx').then((module) => module.FilePreview));

/** Takes in settlements from a gateway's file: its columns are named once, what becomes of it is shown, and exactly that is done. */
export function FilesPage({ scope, accountId }: { scope: Scope; accountId: string | null }) {
  const can = useCan();
  const accounts = useSettlementAccounts()
    .rows.filter(({ merchantId }) => can('reconciliation:resolve', merchantId))
    .toSorted((a, b) => Number(b.road === 'FILE') - Number(a.road === 'FILE'));
  const [selected, setSelected] = useState(accountId);
  const account = accounts.find((each) => each.accountId === selected) ?? null;
  return (
    <>
      <BackLink href={hrefIn(scope, '/settlements', { view: 'accounts' })}>Settlements</BackLink>
      <PageHead title="Settlement files" />
      <p className="max-w-[90ch] -mt-2 mb-4 text-ink-quiet">
        Some gateways list their payouts nowhere. Import the file that you download on the gateway’s dashboard, CSV or XLSX: its
        columns are named once for each account. The same file again changes nothing; what is stored is corrected by another file,
        after a look at what that changes.
      </p>
      {accounts.length > 0 && (
        <div className="max-w-[420px] mb-3">
          <Select
            label="Account"
            options={accounts.map((each) => ({ value: each.accountId, label: each.accountLabel, note: noteOf(each) }))}
            value={account?.accountId ?? null}
            placeholder="Select the account that the file is of"
            onChange={setSelected}
          />
        </div>
      )}
      {account !== null && <Intake key={account.accountId} account={account} />}
      <FilesTable scope={scope} />
    </>
  );
}

function noteOf({ gatewayTitle, merchantName }: SettlementAccount): string {
  return `${gatewayTitle}, ${merchantName}`;
}

function Intake({ account: { merchantId, accountId } }: { account: SettlementAccount }) {
  const { files } = useTRPC().settlements;
  const inspect = useMutation(files.inspect.mutationOptions());
  const preview = useMutation(files.preview.mutationOptions());
  const effect = useMutation(files.effect.mutationOptions());
  const take = useMutation(files.take.mutationOptions());
  const of = { merchantId, accountId };
  const intake = useFileIntake<FileColumns, CorrectedFile, SettlementFilePreview>({
    noun: 'file',
    inspect: (content, place) => inspect.mutateAsync({ ...of, content, ...place }),
    mappedOf: () => undefined,
    preview: ({ name, content }, mapped) => preview.mutateAsync({ ...of, name, content, ...mapped }),
    async take({ name, content }, mapped, confirmed) {
      return heardOf(await take.mutateAsync({ ...of, name, content, ...mapped, ...confirmed }));
    },
  });
  return (
    <FileIntakeSection noun="file" accept="text/csv,.csv,.txt,.xlsx" reading={inspect.isPending} intake={intake}>
      {(chosen) => {
        const { name, content, previewed } = chosen;
        return (
          <>
            <PlaceFields place={chosen.columns} onPlace={(place) => void intake.look(chosen, place)} />
            <MappingForm
              key={`${chosen.columns.sheet} ${chosen.columns.titlesLine} ${content}`}
              columns={chosen.columns}
              onPreview={(mapped) => intake.show(chosen, { ...mapped, ...UNDECIDED })}
            />
            {previewed !== null && (
              <FilePreview
                preview={previewed.preview}
                corrections={previewed.mapped}
                progress={intake.progress}
                onCorrect={(corrections) => intake.show(chosen, { ...previewed.mapped, ...corrections })}
                onTake={(reason) => intake.run(chosen, reason)}
                readEffect={() => effect.mutateAsync({ ...of, name, content, ...previewed.mapped })}
              />
            )}
          </>
        );
      }}
    </FileIntakeSection>
  );
}

/** A file as it is read, with what becomes of payouts that are stored otherwise. */
type CorrectedFile = MappedFile & FileCorrections;

type TakingFile = RouterOutputs['settlements']['files']['take'];

async function* heardOf(taking: TakingFile): AsyncGenerator<Taking<SettlementFilePreview>> {
  for await (const heard of taking) {
    if (heard.kind === 'progress') yield heard;
    else yield heard.outcome.kind === 'taken' ? { kind: 'taken', text: takenText(heard.outcome) } : heard.outcome;
  }
}

function takenText({
  settlements,
  lines,
  replaced,
  extended,
}: {
  readonly settlements: number;
  readonly lines: number;
  readonly replaced: number;
  readonly extended: number;
}): string {
  return [
    ...(settlements > 0 ? [`${countSettlements(settlements)} with ${countLines(lines)} imported.`] : []),
    ...(replaced > 0 ? [`${countSettlements(replaced)} replaced.`] : []),
    ...(extended > 0 ? [`Lines added to ${countSettlements(extended)}.`] : []),
  ].join(' ');
}

function countSettlements(count: number): string {
  return count === 1 ? '1 settlement' : `${count.toLocaleString('en')} settlements`;
}

type SettlementFile = RouterOutputs['settlements']['files']['list'][number];

/** The files that were imported, the newest first. */
function FilesTable({ scope }: { scope: Scope }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.settlements.files.list.queryOptions(scopeFilter(scope)));
  const withdrawal = useWithdrawal('file', idOf, ON_CARD);
  return (
    <>
      <NounTable
        label="Files"
        name="settlement-files"
        list={wholeList(query, query.data)}
        columns={[...COLUMNS, withdrawal.column]}
        rowKey={idOf}
        noun={['file', 'files']}
        empty={
          <EmptyState title="No file yet">
            Imported files are listed here, with who imported them and what they contain.
          </EmptyState>
        }
      />
      {withdrawal.dialog}
    </>
  );
}

const idOf = ({ fileId }: SettlementFile) => fileId;
const ON_CARD = { labelled: true } as const;

const COLUMNS: readonly DataColumn<SettlementFile>[] = [
  {
    id: 'file',
    header: 'File',
    fixed: true,
    card: 'main',
    cell: ({ name, hash }) => <span title={`SHA-256 ${hash}`}>{name}</span>,
  },
  {
    id: 'account',
    header: 'Account',
    card: 'second',
    cell: ({ accountLabel, merchantName }) => (
      <>
        {accountLabel} <span className="text-ink-quiet">· {merchantName}</span>
      </>
    ),
  },
  {
    id: 'rows',
    header: 'Rows',
    look: 'number',
    priority: 2,
    cell: ({ rows }) => rows.toLocaleString('en'),
  },
  {
    id: 'settlements',
    header: 'Settlements',
    look: 'number',
    priority: 3,
    cell: ({ settlements, replaced, extended }) => (
      <>
        {settlements.toLocaleString('en')}
        {replaced > 0 && <span className="text-ink-quiet"> · {replaced.toLocaleString('en')} replaced</span>}
        {extended > 0 && <span className="text-ink-quiet"> · {extended.toLocaleString('en')} added to</span>}
      </>
    ),
  },
  {
    id: 'lines',
    header: 'Lines',
    look: 'number',
    card: 'aside',
    cell: ({ lines }) => (
      <>
        {lines.toLocaleString('en')}
        <span className="hidden card:inline"> lines</span>
      </>
    ),
  },
  {
    id: 'who',
    header: 'Imported by',
    look: 'quiet',
    priority: 4,
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
