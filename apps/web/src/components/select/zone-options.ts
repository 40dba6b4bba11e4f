import type { SelectOption } from './select-props.ts';

/** Every time zone the browser knows; those of Africa first, where the merchants are. Offsets are left out: 400 formats take a second. */
export function zoneOptions(): SelectOption[] {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  const isNear = (zone: string) => zone === 'UTC' || zone.startsWith('Africa/');
  return [...zones.filter(isNear), ...zones.filter((zone) => !isNear(zone))].map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }));
}
