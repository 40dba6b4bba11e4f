/** Text of others on a terminal: what is not printable, such as a sequence that moves the cursor, is shown as its code. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}

/** Rows under a heading, each column as wide as its widest cell. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [heading, ...rows.map((row) => row.map(printable))];
  const widths = heading.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Names and values, one a line. */
export function list(entries: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}\n`)
    .join('');
}

/** A value for programs. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** `NGN 2,500.00`, with the decimals of the currency. */
export function amountOf({ amount, currency }: { readonly amount: number | string; readonly currency: string }): string {
  const decimals = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  const [whole = '', fraction = ''] = String(amount).split('.');
  const shown = fraction.replace(/0+$/, '').padEnd(decimals, '0');
  return `${currency} ${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${shown === '' ? '' : `.${shown}`}`;
}

/** `2026-11-21 09:30:00`, in UTC. */
export function timeOf(instant: string): string {
  return instant.slice(0, 19).replace('T', ' ');
}

/** Environment of a command line. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  /** Writes what was asked for. */
  out(text: string): void;
  /** Writes what else a person should know. */
  err(text: string): void;
  /** Asks at the terminal. Null where there is none. */
  readLine(question: string): Promise<string | null>;
  /** Asks at the terminal, without showing the answer; reads a line of the pipe where there is none. */
  readSecret(question: string): Promise<string>;
  /** Reads lines that a person pastes, to their end or until `limit` is aborted. */
  readText(limit: AbortSignal): Promise<string>;
  /** The folder that relative paths are read from. */
  readonly folder: string;
  /** Aborted when the command should end. */
  readonly signal: AbortSignal;
}

/** Something that the person at the terminal can put right; the message says how. Ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
