/** A column that a table can have, whether it is shown or not. */
export interface TableColumn {
  readonly id: string;
  readonly header: string;
  /** Only shown when chosen. */
  readonly optional?: boolean | undefined;
  /** Always shown: it holds the link to the row, or its actions. */
  readonly fixed?: boolean | undefined;
}

/**
 * The ids of the columns to show, in order: the wanted ones and the fixed ones, or the default ones where none is wanted. What the table
 * does not have is left out. Fixed columns that are not named keep their place: the first ones are first, the others last. Pinned
 * columns come before all others.
 */
export function columnsShown(
  columns: readonly TableColumn[],
  wanted: readonly string[],
  pinned: ReadonlySet<string> = new Set(),
): string[] {
  const known = wanted.filter((id, at) => columns.some((column) => column.id === id) && wanted.indexOf(id) === at);
  const missing = columns.filter(({ id, fixed }) => fixed === true && !known.includes(id)).map(({ id }) => id);
  const last = columns.at(-1)?.id;
  const shown =
    known.length === 0
      ? columns.flatMap(({ id, optional }) => (optional === true ? [] : [id]))
      : [...missing.filter((id) => id !== last), ...known, ...missing.filter((id) => id === last)];
  return [...shown.filter((id) => pinned.has(id)), ...shown.filter((id) => !pinned.has(id))];
}
