'use client';

import {
  describeSkipped,
  FileWarnings,
  MoreRows,
  PreviewSection,
  refusedSummary,
  SkippedRows,
  UnreadableCells,
} from '#/app/(admin)/settlements/_components/file-intake/preview-parts.tsx';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { FILE_STATES, type SettlementFilePreview } from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';

/** Preview of a file, and the button that takes it in; in its place the cells that cannot be read. */
export function FilePreview({
  preview,
  loading,
  onTake,
}: {
  preview: SettlementFilePreview;
  loading: boolean;
  onTake: () => void;
}) {
  const { counts, problemCount } = preview;
  const refused = refusedSummary('file', preview);
  const action = refused === null && counts.differs === 0 && counts.new > 0 && (
    <Button variant="accent" loading={loading} onClick={onTake}>
      {counts.new === 1 ? 'Import 1 settlement' : `Import ${counts.new.toLocaleString('en')} settlements`}
    </Button>
  );
  return (
    <PreviewSection summary={refused ?? <Summary preview={preview} />} action={action}>
      <FileWarnings warnings={preview.warnings} />
      {problemCount > 0 ? <UnreadableCells preview={preview} /> : <Settlements preview={preview} />}
      <SkippedRows preview={preview} />
    </PreviewSection>
  );
}

function Summary({ preview }: { preview: SettlementFilePreview }) {
  const { rows, counts } = preview;
  if (counts.differs > 0) {
    return (
      <>
        <strong>Nothing is imported:</strong> what is stored of a payout differs from this file.
      </>
    );
  }
  const known = counts.known === 0 ? '' : ` ${counts.known.toLocaleString('en')} already imported.`;
  return (
    <>
      {rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`}.{known} {describeSkipped(preview)}
    </>
  );
}

const COLUMNS = [
  { title: 'Payout' },
  { title: 'Paid out on' },
  { title: 'Lines', number: true },
  { title: 'Gross', number: true },
  { title: 'Fees', number: true },
  { title: 'Deductions', number: true },
  { title: 'Net', number: true },
  { title: 'Residue', number: true },
  { title: 'Result' },
];

function Settlements({ preview: { settlements, counts } }: { preview: SettlementFilePreview }) {
  return (
    <>
      <PlainTable label="Preview by payout" columns={COLUMNS}>
        <tbody {...roles.group}>
          {settlements.map((settlement) => {
            const { reference, settledOn, currency, lines, gross, fees, deductions, net, residue, state } = settlement;
            return (
              <tr key={reference} {...roles.row}>
                <td {...textCell('Payout')}>{reference}</td>
                <td {...textCell('Paid out on')}>{settledOn ?? '–'}</td>
                <td {...numberCell('Lines')}>{lines.toLocaleString('en')}</td>
                <td {...numberCell('Gross')}>{formatDecimal(currency, gross)}</td>
                <td {...numberCell('Fees')}>{formatDecimal(currency, fees)}</td>
                <td {...numberCell('Deductions')}>{formatDecimal(currency, deductions)}</td>
                <td {...numberCell('Net')}>{formatMoney(currency, net)}</td>
                <td {...numberCell('Residue')}>{residue === '0' ? '–' : formatDecimal(currency, residue)}</td>
                <td {...textCell('Result')}>
                  <Badge tone={FILE_STATES[state].tone}>{FILE_STATES[state].word}</Badge>
                </td>
              </tr>
            );
          })}
        </tbody>
      </PlainTable>
      <MoreRows shown={settlements.length} count={counts.new + counts.known + counts.differs} />
    </>
  );
}
