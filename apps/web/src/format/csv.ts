/** A line of a file of comma-separated values. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A cell that no spreadsheet takes for a formula. Negative numbers stay numbers. */
function csvCell(value: string | number): string {
  const text = String(value);
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The file of a text of comma-separated values, with the byte order mark without which spreadsheets misread names. */
export function csvFile(text: string): Blob {
  return new Blob([`\uFEFF${text}`], { type: 'text/csv;charset=utf-8' });
}
