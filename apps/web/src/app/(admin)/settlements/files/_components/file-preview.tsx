'use client';

import { correctionReason } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import {
  type CorrectionEffect,
  EffectSection,
  useEffectOf,
} from '#/app/(admin)/settlements/_components/corrections/effect-section.tsx';
import type { IntakeProgress } from '#/app/(admin)/settlements/_components/file-intake/file-intake.tsx';
import {
  describeSkipped,
  FileWarnings,
  IntakeProgressBar,
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
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import {
  CORRECTIONS,
  countLines,
  DIFFERENCES,
  describeLedgerFinding,
  FILE_STATES,
  type FileCorrection,
  type FilePayout,
  type SettlementFilePreview,
} from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { FileCorrections } from './file-corrections.ts';

/** Preview of a file, and what takes it in where it may be; in its place the cells that cannot be read. */
export function FilePreview({
  preview,
  corrections,
  progress,
  onCorrect,
  onTake,
  readEffect,
}: {
  preview: SettlementFilePreview;
  corrections: FileCorrections;
  progress: IntakeProgress | null;
  /** Shows the preview by other corrections. */
  onCorrect: (corrections: FileCorrections) => Promise<void>;
  onTake: (reason: string) => Promise<void>;
  readEffect: () => Promise<CorrectionEffect>;
}) {
  const { counts, problemCount, undecided, replaced, extended, ledger, hash } = preview;
  const isUnchanged = counts.known > 0 && counts.new === 0 && counts.differs === 0;
  const refused = refusedSummary('file', { storedSince: isUnchanged ? preview.takenBefore : null, problemCount });
  const [changes, isSerious] = [replaced + extended, ledger.some((finding) => finding.isSerious)];
  const mayTake = refused === null && undecided === 0 && counts.new + changes > 0;
  const button = { label: isSerious ? `${takeLabel(preview)} anyway` : takeLabel(preview), isSerious };
  const action = mayTake && changes === 0 && progress === null && (
    <Button variant={isSerious ? 'danger' : 'accent'} onClick={() => void onTake('')}>
      {button.label}
    </Button>
  );
  return (
    <PreviewSection
      summary={refused ?? <Summary preview={preview} />}
      action={progress === null ? action : <IntakeProgressBar progress={progress} />}
    >
      <FileWarnings warnings={preview.warnings} />
      {problemCount > 0 ? (
        <UnreadableCells preview={preview} />
      ) : (
        <div className="grid gap-5">
          {!isUnchanged && <LedgerFindings preview={preview} />}
          {counts.differs > 0 && <DifferingPayouts preview={preview} corrections={corrections} onCorrect={onCorrect} />}
          <Settlements preview={preview} />
          {mayTake && changes > 0 && progress === null && (
            <Corrections key={hash} hash={hash} button={button} onTake={onTake} readEffect={readEffect} />
          )}
        </div>
      )}
      <SkippedRows preview={preview} />
    </PreviewSection>
  );
}

function takeLabel({ counts, replaced, extended }: SettlementFilePreview): string {
  const payouts = (count: number) => (count === 1 ? '1 settlement' : `${count.toLocaleString('en')} settlements`);
  const parts = [
    ...(counts.new > 0 ? [`import ${payouts(counts.new)}`] : []),
    ...(replaced > 0 ? [`replace ${payouts(replaced)}`] : []),
    ...(extended > 0 ? [`add to ${payouts(extended)}`] : []),
  ].join(', ');
  return parts.charAt(0).toUpperCase() + parts.slice(1);
}

function Summary({ preview }: { preview: SettlementFilePreview }) {
  const { rows, counts, undecided } = preview;
  if (undecided > 0) {
    return (
      <>
        <strong>Nothing is imported yet:</strong>{' '}
        {undecided === 1 ? '1 payout is' : `${undecided.toLocaleString('en')} payouts are`} stored otherwise. Say below what
        becomes of {undecided === 1 ? 'it' : 'them'}.
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

/** The file beside the ledger: whether it is of this account and these payments. */
function LedgerFindings({ preview: { ledger } }: { preview: SettlementFilePreview }) {
  if (ledger.length === 0) return null;
  const isSerious = ledger.some((finding) => finding.isSerious);
  return (
    <section
      aria-label="Compared with the ledger"
      className={`py-2 px-3 border-l-3 text-sm ${isSerious ? 'border-bad bg-bad-soft text-bad-ink' : 'border-line'}`}
    >
      {isSerious && <p className="font-semibold">This may be the wrong file, account or mapping.</p>}
      <ul>
        {ledger.map((finding) => (
          <li key={describeLedgerFinding(finding)} className={finding.isSerious ? 'font-medium' : undefined}>
            {describeLedgerFinding(finding)}
          </li>
        ))}
      </ul>
    </section>
  );
}

const schema = z.object({ reason: correctionReason });

/** The effect of the corrections, the reason for them, and the button that carries them out. */
function Corrections({
  hash,
  button,
  onTake,
  readEffect,
}: {
  hash: string;
  button: { readonly label: string; readonly isSerious: boolean };
  onTake: (reason: string) => Promise<void>;
  readEffect: () => Promise<CorrectionEffect>;
}) {
  const effect = useEffectOf(hash, readEffect);
  const form = useForm({
    schema,
    values: { reason: '' },
    async onSubmit({ reason }) {
      await onTake(reason);
      return null;
    },
  });
  return (
    <Form form={form} label="Corrections" className="grid gap-4 max-w-[1000px]">
      <EffectSection effect={effect} />
      <form.Area name="reason" label="Reason" description="Saved with your name on each payout that changes." maxLength={1_000} />
      <FormRefusal />
      <p>
        <SubmitButton variant={button.isSerious ? 'danger' : 'accent'} disabled={effect.data === undefined}>
          {button.label}
        </SubmitButton>
      </p>
    </Form>
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
    <div>
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
    </div>
  );
}

const ALL: readonly FileCorrection[] = ['keep', 'replace', 'add'];

/** Payouts that are stored otherwise, how they differ, and what becomes of each: each choice shows its preview. */
function DifferingPayouts({
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
      <PlainTable label="Payouts stored otherwise" columns={DIFFERENCE_COLUMNS}>
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

const DIFFERENCE_COLUMNS = [
  { title: 'Payout' },
  { title: 'Differs in' },
  { title: 'Stored' },
  { title: 'In the file' },
  { title: 'Correction' },
];
