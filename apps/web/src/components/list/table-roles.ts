/**
 * The roles of a table's parts, to be spread on the elements that have them anyway: a style sheet that shows rows as cards takes
 * elements out of table layout, and some browsers take the role from them with it.
 */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  columnHeader: { role: 'columnheader' },
  rowHeader: { role: 'rowheader' },
  cell: { role: 'cell' },
  none: { role: 'presentation' },
} as const;
