import { COUNT_MAX } from '@switchyard/db/lists';

/** The number of rows of a list: exact to 10,000, then only that there are more. */
export interface ListCount {
  /** At most 10,000. */
  readonly count: number;
  readonly more: boolean;
}

/** A number of rows that was counted to one more than the limit. */
export function toListCount(counted: number): ListCount {
  return { count: Math.min(counted, COUNT_MAX), more: counted > COUNT_MAX };
}
