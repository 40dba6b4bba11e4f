/** One line of what happened. */
export interface HistoryLine {
  /** Milliseconds from the beginning of the world. */
  readonly at: number;
  readonly text: string;
}

/** Most lines of a report. */
export const LINES_MAX = 40;
/** Most characters of a line. */
export const LINE_MAX = 200;

/** At most so many lines of a history as they are printed; what happens again and again is one, and the middle of a long one is left out. */
export function printHistory(lines: readonly HistoryLine[], most: number): readonly string[] {
  const folded: { text: string; at: number; times: number }[] = [];
  for (const { at, text } of lines) {
    const last = folded.at(-1);
    if (last?.text === text) last.times += 1;
    else folded.push({ text, at, times: 1 });
  }
  const printed = folded.map(({ text, at, times }) =>
    `  ${clock(at)} ${text}${times > 1 ? ` (${times} times)` : ''}`.slice(0, LINE_MAX),
  );
  if (printed.length <= most) return printed;
  const end = Math.trunc(most / 2);
  const begin = most - end - 1;
  return [...printed.slice(0, begin), `  … ${printed.length - begin - end} lines …`, ...printed.slice(-end)];
}

/** Days, hours, minutes and seconds from the beginning of a world. */
function clock(ms: number): string {
  const seconds = Math.trunc(ms / 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [days, hours, minutes] = [Math.trunc(seconds / 86_400), Math.trunc(seconds / 3_600) % 24, Math.trunc(seconds / 60) % 60];
  return `${days === 0 ? '' : `day ${days} `}${two(hours)}:${two(minutes)}:${two(seconds % 60)}.${String(Math.trunc(ms % 1_000)).padStart(3, '0')}`;
}
