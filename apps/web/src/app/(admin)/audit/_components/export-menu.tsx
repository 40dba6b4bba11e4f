'use client';

import { IconDownload } from '@tabler/icons-react';
import { filterClass } from '../../../../components/filter-bar/filter-bar.tsx';
import { Popup } from '../../../../components/popup/popup.tsx';
import { useScope } from '../../../../scope/use-scope.ts';
import { type AuditFilters, exportHref } from '../filters.ts';
import classes from './filter-bar.module.css';

/** The entries of these filters as a file. */
export function ExportMenu({ filters }: { filters: AuditFilters }) {
  const scope = useScope();
  const face = (
    <>
      <IconDownload size={16} stroke={1.7} aria-hidden="true" />
      Export
    </>
  );
  return (
    <Popup
      label="Export"
      align="end"
      width={240}
      button={{ className: filterClass, children: face }}
      content={(close) => (
        <div className={classes.choices}>
          <a className={classes.choice} href={exportHref(scope, filters, 'csv')} download onClick={close}>
            CSV <small>for a spreadsheet</small>
          </a>
          <a className={classes.choice} href={exportHref(scope, filters, 'ndjson')} download onClick={close}>
            NDJSON <small>for programs, a line each</small>
          </a>
          <p className={classes.note}>All entries that fit the filters, newest first.</p>
        </div>
      )}
    />
  );
}
