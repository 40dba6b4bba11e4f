'use client';

import { IconColumns3 } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { Popup } from '../popup/popup.tsx';
import type { TableColumn, TableColumns } from './use-table-columns.ts';

const ColumnChoices = dynamic(() => import('./column-choices.tsx').then((module) => module.ColumnChoices));

/** The button that opens the choice of a table's columns. */
export function ColumnsButton({
  table,
  empty,
}: {
  table: TableColumns<TableColumn>;
  /** Ids of the columns that are not shown because no row has anything in them. */
  empty?: ReadonlySet<string>;
}) {
  const face = <IconColumns3 size={16} stroke={1.7} aria-hidden="true" />;
  return (
    <Popup
      label="Columns"
      align="end"
      button={{
        className: 'grid place-items-center size-7 rounded-sm text-ink-faint hover:bg-ground-hover hover:text-ink',
        'aria-label': 'Columns',
        title: 'Choose, order and pin columns',
        children: face,
      }}
      content={() => <ColumnChoices table={table} empty={empty} />}
    />
  );
}
