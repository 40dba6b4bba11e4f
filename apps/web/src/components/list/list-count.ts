/** The number of rows of a list, counted to a limit. */
export interface ListCount {
  readonly count: number;
  /** True if there are more than were counted. */
  readonly more: boolean;
}

/** A number that is not limited; undefined while it is not known. */
export function exactly(count: number | undefined): ListCount | undefined {
  return count === undefined ? undefined : { count, more: false };
}

/** `1,234`, or `10,000+` where there are more. */
export function formatCount({ count, more }: ListCount): string {
  return `${count.toLocaleString('en')}${more ? '+' : ''}`;
}

/** Why a number is not exact; undefined where it is. */
export function countHint({ more }: ListCount): string | undefined {
  return more ? 'There are more: lists are counted up to 10,000' : undefined;
}

/** The numbers of several statuses together; undefined where one of them is not known. */
export function addCounts(counts: readonly (ListCount | undefined)[]): ListCount | undefined {
  return counts.reduce<ListCount | undefined>(
    (sum, one) =>
      sum === undefined || one === undefined ? undefined : { count: sum.count + one.count, more: sum.more || one.more },
    { count: 0, more: false },
  );
}
