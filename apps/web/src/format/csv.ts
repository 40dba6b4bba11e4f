/**
 * A line of a file of comma-separated values. Text that a spreadsheet would take for a formula begins with an apostrophe; the column
 * decides, so that an amount below zero stays a number. `isNumber` names the columns of numbers whose values come as text.
 */
export function csvLine(cells: readonly (string | number)[], isNumber: (at: number) => boolean = () => false): string {
  return `${cells.map((cell, at) => csvCell(String(cell), typeof cell === 'number' || isNumber(at))).join(',')}\r\n`;
}

function csvCell(text: string, isNumber: boolean): string {
  const harmless = !isNumber && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The file of a text of comma-separated values, with the byte order mark without which spreadsheets misread names. */
export function csvFile(text: string): Blob {
  return new Blob([`\uFEFF${text}`], { type: 'text/csv;charset=utf-8' });
}
