import type { SelectOption } from './select.tsx';

/** Every time zone the browser knows, in its order: those of Africa, where the merchants are, first. Offsets are left out: 400 formats take a second. */
export function zoneOptions(): SelectOption[] {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}
