import type { SelectOption } from './select-props.ts';

/** How far a zone's clocks are from UTC at a moment: `UTC+1`, `UTC+5:30`, `UTC`. */
function offsetOf(zone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(at);
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC').replace('GMT', 'UTC');
}

/** Every time zone the browser knows, with its offset at a moment; those of Africa first, where the merchants are. */
export function zoneOptions(at: number): SelectOption[] {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  const isNear = (zone: string) => zone === 'UTC' || zone.startsWith('Africa/');
  return [...zones.filter(isNear), ...zones.filter((zone) => !isNear(zone))].map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
    note: offsetOf(zone, at),
  }));
}
