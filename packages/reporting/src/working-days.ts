const DAY_MS = 86_400_000;
const SATURDAY = 6;
const SUNDAY = 0;

/** The first Monday to Friday after a day, both as `YYYY-MM-DD`. */
export function nextWorkingDay(day: string): string {
  let at = Date.parse(`${day}T00:00:00Z`) + DAY_MS;
  for (let weekday = new Date(at).getUTCDay(); weekday === SATURDAY || weekday === SUNDAY; weekday = new Date(at).getUTCDay()) {
    at += DAY_MS;
  }
  return new Date(at).toISOString().slice(0, 10);
}
