/** Characters by which two numbers are of one kind, and not two parts of one. */
const PREFIX = 4;

/**
 * Joins the lines of a text. A line that is full was cut where the width ends, and goes on without a blank; so does a reference, whose last part
 * in a line and first part in the next have digits. All others are divided by a blank.
 */
export function joinCut(lines: readonly string[], width: number): string {
  return lines
    .filter((line) => line !== '')
    .reduce((text, line, at, all) => {
      if (at === 0) return line;
      return text + (isCut(all[at - 1] ?? '', line, width) ? '' : ' ') + line;
    }, '')
    .trim();
}

function isCut(line: string, next: string, width: number): boolean {
  if (line.length >= width) return true;
  const [last = ''] = /[\p{L}\p{N}]+$/u.exec(line) ?? [];
  const [first = ''] = /^[\p{L}\p{N}]+/u.exec(next) ?? [];
  // Two references of one kind begin alike and are as long as each other.
  const isPair = last.length === first.length && last.slice(0, PREFIX) === first.slice(0, PREFIX);
  return /\d/.test(last) && /\d/.test(first) && !isPair;
}
