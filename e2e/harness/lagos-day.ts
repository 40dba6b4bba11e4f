/** The calendar day in Lagos, `YYYY-MM-DD`. */
export function lagosDay(moment: Date = new Date()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Lagos' }).format(moment);
}
