'use client';

import * as z from 'zod/mini';
import type { IntakeProgress } from '#/app/(admin)/settlements/_components/file-intake/file-intake.tsx';
import {
  describeSkipped,
  FileWarnings,
  IntakeProgressBar,
  PreviewSection,
  refusedSummary,
  SkippedRows,
  UnreadableCells,
} from '#/app/(admin)/settlements/_components/file-intake/preview-parts.tsx';
import { Button } from '#/components/button/button.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { countLines } from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { Form } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { describeDays } from './covered-days.tsx';

type Preview = RouterOutputs['settlements']['bank']['preview'];

const COLUMNS = [
  { title: 'Bank account' },
  { title: 'Days covered' },
  { title: 'Credits', number: true },
  { title: 'Debits', number: true },
  { title: 'New lines', number: true },
  { title: 'Already imported', number: true },
];

/** Preview of a statement, and the button that takes it in; in its place the cells that cannot be read. */
export function StatementPreview({
  preview,
  progress,
  onTake,
  onDays,
}: {
  preview: Preview;
  progress: IntakeProgress | null;
  onTake: () => void;
  /** Shows the preview with the days that a person enters; null where the statement names its own. */
  onDays: ((days: { from: string; to: string }) => Promise<void>) | null;
}) {
  const { accounts, takenBefore, readOtherwise, problemCount } = preview;
  const fresh = accounts.reduce((sum, account) => sum + account.fresh, 0);
  const refused =
    readOtherwise && takenBefore !== null ? (
      <ReadOtherwise takenBefore={takenBefore} />
    ) : (
      refusedSummary('statement', { storedSince: takenBefore, problemCount })
    );
  const action = refused === null && (
    <Button variant="accent" onClick={onTake}>
      Import {countLines(fresh)}
    </Button>
  );
  return (
    <PreviewSection
      summary={refused ?? `${countLines(fresh)} of ${preview.format.toUpperCase()} to import. ${describeSkipped(preview)}`}
      action={progress === null ? action : <IntakeProgressBar progress={progress} />}
    >
      <FileWarnings warnings={preview.warnings} />
      {problemCount > 0 ? (
        <UnreadableCells preview={preview} />
      ) : (
        <>
          <PlainTable label="Preview of the statement" columns={COLUMNS}>
            <tbody {...roles.group}>
              {accounts.map(({ bankAccount, currency, days, credits, debits, fresh: added, known }) => (
                <tr key={`${bankAccount} ${currency}`} {...roles.row}>
                  <td {...textCell('Bank account')}>{bankAccount}</td>
                  <td {...textCell('Days covered')}>{days.map(describeDays).join(', ')}</td>
                  <td {...numberCell('Credits')}>{formatMoney(currency, credits)}</td>
                  <td {...numberCell('Debits')}>{formatDecimal(currency, debits)}</td>
                  <td {...numberCell('New lines')}>{added.toLocaleString('en')}</td>
                  <td {...numberCell('Already imported')}>{known.toLocaleString('en')}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
          {onDays !== null && accounts[0] !== undefined && refused === null && (
            <DaysForm key={preview.hash} days={accounts[0].days} onDays={onDays} />
          )}
        </>
      )}
      <SkippedRows preview={preview} />
    </PreviewSection>
  );
}

function ReadOtherwise({ takenBefore }: { takenBefore: Date }) {
  return (
    <>
      <strong>This statement was imported otherwise</strong>, <Moment value={takenBefore} />: by other columns or days, or for
      another bank account. Withdraw that import first.
    </>
  );
}

const schema = z.object({ from: z.iso.date('must be a day'), to: z.iso.date('must be a day') });

/** The days that a CSV statement is of: its own words for them, or its first and last line, unless a person knows better. */
function DaysForm({
  days,
  onDays,
}: {
  days: readonly { readonly from: string; readonly to: string }[];
  onDays: (days: { from: string; to: string }) => Promise<void>;
}) {
  const form = useForm({
    schema,
    values: { from: days[0]?.from ?? '', to: days.at(-1)?.to ?? '' },
    async onSubmit(entered) {
      if (entered.from > entered.to) return [{ field: 'to', message: 'must not be before the first day' }];
      await onDays(entered);
      return null;
    },
  });
  return (
    <Form form={form} label="Days of the statement" className="mt-4" warns={false}>
      <p className="max-w-[80ch] mb-2 text-sm text-ink-quiet">
        Payouts can be missing on the days covered alone. Where the statement is of more days than its lines, enter them.
      </p>
      <div className="flex flex-wrap gap-4 items-end">
        <form.Date name="from" label="First day" />
        <form.Date name="to" label="Last day" />
        <Button type="submit" loading={form.isSubmitting}>
          Use these days
        </Button>
      </div>
    </Form>
  );
}
