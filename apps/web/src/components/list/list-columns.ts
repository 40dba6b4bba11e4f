/** A column that a list can have, whether it is shown or not. */
export interface ListColumn {
  readonly id: string;
  /** Name of the column in the column chooser. */
  readonly title: string;
  /** Only shown when chosen. */
  readonly optional?: boolean;
  /** Always shown: it holds the link to the row, or its actions. */
  readonly fixed?: boolean;
}

/**
 * The ids of the columns to show, in order: the wanted ones and the fixed ones, or the default ones where none is wanted. What the list
 * does not have is left out. Fixed columns that are not named keep their place: the first ones are first, the others last.
 */
export function columnsShown(columns: readonly ListColumn[], wanted: readonly string[]): string[] {
  const known = wanted.filter((id, at) => columns.some((column) => column.id === id) && wanted.indexOf(id) === at);
  if (known.length === 0) return columns.flatMap(({ id, optional }) => (optional === true ? [] : [id]));
  const missing = columns.filter(({ id, fixed }) => fixed === true && !known.includes(id)).map(({ id }) => id);
  const last = columns.at(-1)?.id;
  return [...missing.filter((id) => id !== last), ...known, ...missing.filter((id) => id === last)];
}

/** The columns of a table that are shown, in order. */
export function pickColumns<Column extends { readonly id: string }>(
  columns: readonly Column[],
  shown: readonly string[],
): Column[] {
  return shown.flatMap((id) => columns.find((column) => column.id === id) ?? []);
}
