'use client';

import {
  describeSkipped,
  FileWarnings,
  PreviewSection,
  refusedSummary,
  SkippedRows,
  UnreadableCells,
} from '#/app/(admin)/settlements/_components/file-intake/preview-parts.tsx';
import { Button } from '#/components/button/button.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { countLines } from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type Preview = RouterOutputs['settlements']['bank']['preview'];

const COLUMNS = [
  { title: 'Bank account' },
  { title: 'Days' },
  { title: 'Credits', number: true },
  { title: 'Debits', number: true },
  { title: 'New lines', number: true },
  { title: 'Already imported', number: true },
];

/** Preview of a statement, and the button that takes it in; in its place the cells that cannot be read. */
export function StatementPreview({ preview, loading, onTake }: { preview: Preview; loading: boolean; onTake: () => void }) {
  const { accounts } = preview;
  const fresh = accounts.reduce((sum, account) => sum + account.fresh, 0);
  const refused = refusedSummary('statement', preview);
  const action = refused === null && (
    <Button variant="accent" loading={loading} onClick={onTake}>
      Import {countLines(fresh)}
    </Button>
  );
  return (
    <PreviewSection
      summary={refused ?? `${countLines(fresh)} of ${preview.format.toUpperCase()} to import. ${describeSkipped(preview)}`}
      action={action}
    >
      <FileWarnings warnings={preview.warnings} />
      {preview.problemCount > 0 ? (
        <UnreadableCells preview={preview} />
      ) : (
        <PlainTable label="Preview of the statement" columns={COLUMNS}>
          <tbody {...roles.group}>
            {accounts.map(({ bankAccount, currency, from, to, credits, debits, fresh: added, known }) => (
              <tr key={`${bankAccount} ${currency}`} {...roles.row}>
                <td {...textCell('Bank account')}>{bankAccount}</td>
                <td {...textCell('Days')}>
                  {formatDay(from)} – {formatDay(to)}
                </td>
                <td {...numberCell('Credits')}>{formatMoney(currency, credits)}</td>
                <td {...numberCell('Debits')}>{formatDecimal(currency, debits)}</td>
                <td {...numberCell('New lines')}>{added.toLocaleString('en')}</td>
                <td {...numberCell('Already imported')}>{known.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      <SkippedRows preview={preview} />
    </PreviewSection>
  );
}
