'use client';

import { useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { DownloadForm } from '#/app/(admin)/journal/_components/download-form.tsx';
import { Button } from '#/components/button/button.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import type { JournalSummary, Month } from '#/copy/accounting.ts';
import { formatMoney } from '#/format/amounts.ts';
import { describeMonth, formatDay } from '#/format/calendar.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { useMonthChanges } from './use-month-changes.ts';

const ConfirmDialog = dynamic(() => import('#/forms/form-dialog.tsx').then((module) => module.ConfirmDialog));

type Close = NonNullable<Month['close']>;
type LateJournal = Close['lateJournals'][number];

const COLUMNS = [
  { title: 'Journal' },
  { title: 'Posted on' },
  { title: 'Made by' },
  { title: 'Posted', number: true },
  { title: 'File' },
];

/** Journals of what arrived after the month was closed: those that were made, and what none of them has yet. */
export function LateArrivalsSection({ month, close: { late, lateJournals } }: { month: Month; close: Close }) {
  const can = useCan();
  const [isAsking, setIsAsking] = useState(false);
  const [downloaded, setDownloaded] = useState<LateJournal | null>(null);
  const { merchantId } = month;
  if (late.length === 0 && lateJournals.length === 0) return null;
  return (
    <section aria-label="Late arrivals" className="mb-8 max-w-[720px]">
      <h2 className="mb-1 text-base font-semibold">Late arrivals</h2>
      <p className="mb-2 text-sm text-ink-quiet">
        The journal of the month stays as it was frozen. What changed since is posted by journals of its own, on the day they are
        made.
      </p>
      {late.length > 0 && (
        <p className="flex flex-wrap gap-3 items-center mb-3">
          <span>In no journal yet: {late.map(posted).join(', ')}</span>
          {can('month:close', merchantId) && <Button onClick={() => setIsAsking(true)}>Make journal…</Button>}
        </p>
      )}
      {lateJournals.length > 0 && (
        <PlainTable label="Journals of late arrivals" columns={COLUMNS}>
          <tbody {...roles.group}>
            {lateJournals.map((journal) => (
              <tr key={journal.journalId} {...roles.row}>
                <td {...textCell('Journal')}>Late journal {journal.number}</td>
                <td {...textCell('Posted on')}>{formatDay(journal.postedOn)}</td>
                <td {...textCell('Made by')}>{journal.madeByName ?? 'A colleague'}</td>
                <td {...numberCell('Posted')}>{journal.summaries.map(posted).join(', ')}</td>
                <td {...textCell('File')}>
                  {can('report:export', merchantId) && (
                    <Button aria-label={`Download late journal ${journal.number}`} onClick={() => setDownloaded(journal)}>
                      Download…
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      {isAsking && <MakeDialog month={month} late={late} onClose={() => setIsAsking(false)} />}
      {downloaded !== null && <DownloadDialog month={month} journal={downloaded} onClose={() => setDownloaded(null)} />}
    </section>
  );
}

/** The sum of the debits, which equals that of the credits: `NGN 2,500.00`. */
function posted({ currency, debit }: Pick<JournalSummary, 'currency' | 'debit'>): string {
  return formatMoney(currency, debit);
}

function MakeDialog({ month, late, onClose }: { month: Month; late: readonly JournalSummary[]; onClose: () => void }) {
  const { makeLateJournal } = useMonthChanges();
  const { merchantId, mode, merchantName } = month;
  const name = describeMonth(month.month);
  return (
    <ConfirmDialog
      title="Make a journal of late arrivals"
      action="Make journal"
      onClose={onClose}
      onConfirm={async () => {
        const { number } = await makeLateJournal.mutateAsync({ merchantId, mode, month: month.month });
        showToast({ text: `Late journal ${number} of ${merchantName} is made.` });
        return null;
      }}
    >
      <p className="mb-3">
        What has changed of {name} and is in no journal yet is posted on today’s date: {late.map(posted).join(', ')} in debits and
        credits. The journal does not change afterwards; what arrives later is in the next one.
      </p>
    </ConfirmDialog>
  );
}

function DownloadDialog({ month, journal, onClose }: { month: Month; journal: LateJournal; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { merchantId, mode } = month;
  const { journalId, number, summaries } = journal;
  return (
    <Dialog title={`Late journal ${number}`} onClose={onClose}>
      <DownloadForm
        currencies={summaries.map(({ currency }) => currency)}
        onFetch={(wanted) =>
          queries.fetchQuery(trpc.monthClose.lateFiles.queryOptions({ merchantId, mode, journalId, ...wanted }))
        }
      />
    </Dialog>
  );
}
