'use client';

import { IconChevronDown } from '@tabler/icons-react';
import { exportClass } from '#/components/export-button/export-class.ts';
import { Popup } from '#/components/popup/popup.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { type AuditFilters, exportHref } from '../filters.ts';
import classes from './filter-bar.module.css';

/** Exports the filtered entries as a file. */
export function ExportMenu({ filters }: { filters: AuditFilters }) {
  const scope = useScope();
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
      width={240}
      button={{ className: exportClass, children: face }}
      content={(close) => (
        <div className="grid gap-1.5 text-sm">
          <a className={classes.choice} href={exportHref(scope, filters, 'xlsx')} download onClick={close}>
            XLSX <small>for a spreadsheet</small>
          </a>
          <a className={classes.choice} href={exportHref(scope, filters, 'csv')} download onClick={close}>
            CSV <small>for spreadsheets and programs</small>
          </a>
          <a className={classes.choice} href={exportHref(scope, filters, 'ndjson')} download onClick={close}>
            NDJSON <small>for programs, a line each</small>
          </a>
          <p className="text-ink-faint text-xs px-2">All entries that match the filters, newest first.</p>
        </div>
      )}
    />
  );
}
