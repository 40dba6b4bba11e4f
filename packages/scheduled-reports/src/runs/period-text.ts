/** `25 Nov 2026`, `23–29 Nov 2026`, `30 Nov – 6 Dec 2026`; a whole month is `November 2026`. */
export function periodText(firstDay: string, lastDay: string): string {
  const [first, last] = [firstDay, lastDay].map((day) => new Date(`${day}T00:00:00Z`));
  if (first === undefined || last === undefined) return '';
  if (firstDay === lastDay) return wordsOf(first, { day: 'numeric', month: 'short', year: 'numeric' });
  const isMonth = firstDay.endsWith('-01') && new Date(last.getTime() + 86_400_000).getUTCDate() === 1;
  if (isMonth && firstDay.slice(0, 7) === lastDay.slice(0, 7)) return wordsOf(first, { month: 'long', year: 'numeric' });
  const end = wordsOf(last, { day: 'numeric', month: 'short', year: 'numeric' });
  if (firstDay.slice(0, 7) === lastDay.slice(0, 7)) return `${first.getUTCDate()}–${end}`;
  const year = firstDay.slice(0, 4) === lastDay.slice(0, 4) ? {} : { year: 'numeric' as const };
  return `${wordsOf(first, { day: 'numeric', month: 'short', ...year })} – ${end}`;
}

/** British dates write `Sept`; ours have three letters. */
function wordsOf(date: Date, options: Intl.DateTimeFormatOptions): string {
  return date.toLocaleDateString('en-GB', { ...options, timeZone: 'UTC' }).replace('Sept ', 'Sep ');
}
