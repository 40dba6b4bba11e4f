'use client';

import { MoreRows } from '#/app/(admin)/settlements/_components/file-intake/preview-parts.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import {
  CORRECTIONS,
  countLines,
  DIFFERENCES,
  type FileCorrection,
  type FilePayout,
  type SettlementFilePreview,
} from '#/copy/settlements.ts';
import { formatMoney } from '#/format/amounts.ts';
import type { FileCorrections } from './file-corrections.ts';

const ALL: readonly FileCorrection[] = ['keep', 'replace', 'add'];

/** Payouts that are stored otherwise, how they differ, and what becomes of each: each choice shows its preview. */
export function DifferingPayouts({
  preview: { settlements, counts },
  corrections,
  onCorrect,
}: {
  preview: SettlementFilePreview;
  corrections: FileCorrections;
  onCorrect: (corrections: FileCorrections) => Promise<void>;
}) {
  const differing = settlements.filter(({ state }) => state === 'differs');
  return (
    <section aria-label="Stored otherwise">
      <h2 className="text-sm font-semibold">Stored otherwise</h2>
      <p className="mb-2 max-w-[90ch] text-ink-quiet text-sm">
        Keep what is stored, replace it by the file, or add the file’s lines to it as a further page. A payout that the gateway
        itself reported is kept.
      </p>
      {counts.differs > 1 && (
        <div className="flex flex-wrap items-center gap-2 mb-2 text-sm">
          All {counts.differs.toLocaleString('en')}:
          <SegmentedControl
            label="All that differ"
            choices={ALL.map((value) => ({ value, label: CORRECTIONS[value] }))}
            value={corrections.otherwise ?? null}
            onChange={(otherwise) => void onCorrect({ corrections: {}, otherwise })}
          />
        </div>
      )}
      <PlainTable label="Payouts stored otherwise" columns={COLUMNS}>
        <tbody {...roles.group}>
          {differing.map((payout) => (
            <tr key={payout.reference} {...roles.row}>
              <td {...textCell('Payout')}>{payout.reference}</td>
              <td {...textCell('Differs in')}>{payout.difference?.parts.map((part) => DIFFERENCES[part]).join(', ')}</td>
              <td {...textCell('Stored')}>{payout.difference !== null && describeAmounts(payout.difference.stored)}</td>
              <td {...textCell('In the file')}>
                {describeAmounts({ ...payout, lines: payout.lines })}
                <Changes payout={payout} />
              </td>
              <td {...textCell('Correction')}>
                <SegmentedControl
                  label={`Correction of ${payout.reference}`}
                  choices={choicesOf(payout)}
                  value={payout.correction}
                  onChange={(correction) =>
                    void onCorrect({
                      ...corrections,
                      corrections: { ...corrections.corrections, [payout.reference]: correction },
                    })
                  }
                />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <MoreRows shown={differing.length} count={counts.differs} />
    </section>
  );
}

/** The lines that come and go by the correction that is selected. */
function Changes({ payout }: { payout: FilePayout }) {
  const text = describeChanges(payout);
  return text === null ? null : <span className="block text-ink-quiet text-xs">{text}</span>;
}

function describeChanges({ difference, correction, currency }: FilePayout): string | null {
  const { replace = null, add = null } = difference ?? {};
  const sumOf = (verb: 'come' | 'go', { count, amount }: { readonly count: number; readonly amount: string }) =>
    `${countLines(count)} ${count === 1 ? `${verb}${verb === 'go' ? 'es' : 's'}` : verb}, ${formatMoney(currency, amount)}`;
  if (correction === 'add' && add !== null) return `${sumOf('come', add.added)}; ${countLines(add.repeated)} already stored`;
  if (correction === 'replace' && replace !== null) return `${sumOf('come', replace.added)}; ${sumOf('go', replace.removed)}`;
  return null;
}

function choicesOf({ difference }: FilePayout) {
  return ALL.filter((value) => value === 'keep' || difference?.[value] !== null).map((value) => ({
    value,
    label: CORRECTIONS[value],
  }));
}

function describeAmounts({
  net,
  currency,
  settledOn,
  lines,
}: {
  readonly net: string;
  readonly currency: string;
  readonly settledOn: string | null;
  readonly lines: number;
}): string {
  return `${formatMoney(currency, net)}, ${settledOn ?? 'no day'}, ${countLines(lines)}`;
}

const COLUMNS = [
  { title: 'Payout' },
  { title: 'Differs in' },
  { title: 'Stored' },
  { title: 'In the file' },
  { title: 'Correction' },
];
