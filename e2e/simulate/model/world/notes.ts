/** One line of what happened, about a payment or a reference of one; null for what concerns all. */
export interface Line {
  /** Milliseconds from the beginning. */
  readonly at: number;
  readonly about: string | null;
  readonly text: string;
}

/** Events of a world, for people. Costs nothing where it is not recorded. */
export class History {
  readonly lines: Line[] = [];
  private readonly records: boolean;
  private readonly now: () => number;

  constructor(records: boolean, now: () => number) {
    this.records = records;
    this.now = now;
  }

  note(about: string | null, text: string): void {
    if (this.records) this.lines.push({ at: this.now(), about, text });
  }
}
