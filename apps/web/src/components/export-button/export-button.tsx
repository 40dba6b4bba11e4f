'use client';

import { IconChevronDown } from '@tabler/icons-react';
import Link from 'next/link';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCanHere } from '#/trpc/use-can.ts';
import { Popup } from '../popup/popup.tsx';

interface Choice {
  readonly format: 'csv' | 'xlsx' | 'ndjson';
  /** True if the file has only the shown columns. */
  readonly asShown: boolean;
  readonly label: string;
  readonly about: string;
}

const AS_SHOWN: readonly Choice[] = [
  { format: 'xlsx', asShown: true, label: 'XLSX as shown', about: 'The columns of the list' },
  { format: 'csv', asShown: true, label: 'CSV as shown', about: 'The columns of the list' },
];
const WHOLE: readonly Choice[] = [
  { format: 'xlsx', asShown: false, label: 'XLSX', about: 'For spreadsheets, amounts as numbers' },
  { format: 'csv', asShown: false, label: 'CSV', about: 'For spreadsheets and programs' },
  { format: 'ndjson', asShown: false, label: 'NDJSON', about: 'For programs, a line of JSON each' },
];
const BESIDE: readonly Choice[] = [
  { format: 'xlsx', asShown: false, label: 'XLSX, all columns', about: 'For spreadsheets' },
  { format: 'csv', asShown: false, label: 'CSV, all columns', about: 'For spreadsheets and programs' },
  { format: 'ndjson', asShown: false, label: 'NDJSON, all columns', about: 'For programs' },
];

/** Downloads a list as a file, with all rows that match its filters. Shown only with the permission to export. */
export function ExportButton({
  list,
  filter,
  columns,
  isAsked,
  onClose,
}: {
  list:
    | 'payments'
    | 'refunds'
    | 'duplicate-charges'
    | 'discrepancies'
    | 'disputes'
    | 'settlements'
    | 'settlement-lines'
    | 'settlement-discrepancies'
    | 'fees'
    | 'webhook-deliveries';
  /** The filters of the list's page. */
  filter: object;
  /** The export's columns that match the list's, in its order; left out where the columns cannot be chosen. */
  columns?: readonly string[];
  /** True opens it without its button, as an address does that names it. */
  isAsked?: boolean;
  onClose?: () => void;
}) {
  const scope = useScope();
  const may = useCanHere()('report:export');
  if (!may) return null;
  function addressOf({ format, asShown }: Choice): string {
    const query = new URLSearchParams({ format, bom: String(format === 'csv'), filter: JSON.stringify(filter) });
    if (asShown && columns !== undefined) query.set('columns', columns.join(','));
    return `/api/export/${list}?${query}`;
  }
  const choices = columns === undefined ? WHOLE : [...AS_SHOWN, ...BESIDE];
  const face = (
    <>
      Export
      <IconChevronDown size={14} stroke={1.7} aria-hidden="true" />
    </>
  );
  return (
    <Popup
      label="Export"
      align="end"
      isAsked={isAsked ?? false}
      onClose={onClose}
      button={{ className: 'bar-control', children: face }}
      content={(close) => (
        <div className="grid gap-0.5">
          {choices.map((choice) => (
            <a
              key={choice.label}
              className="menu-entry justify-between gap-6"
              href={addressOf(choice)}
              // The browser downloads it as it comes; the server names the file.
              download
              onClick={close}
            >
              {choice.label}
              <span className="text-ink-faint text-xs">{choice.about}</span>
            </a>
          ))}
          <Link
            className="menu-entry justify-between gap-6"
            href={hrefIn(scope, '/reports/scheduled', { do: 'add', list, filter: JSON.stringify(filter) })}
          >
            Schedule…
            <span className="text-ink-faint text-xs">For each day, week or month, by e-mail or as a link</span>
          </Link>
          <p className="px-2 pt-1.5 text-ink-faint text-xs">Times in files are in UTC.</p>
        </div>
      )}
    />
  );
}
