import type { Mode } from '@switchyard/db/client';
import type { MerchantConfiguration } from '@switchyard/runtime';
import { DEFAULT_HEALTH_THRESHOLDS, type HealthThresholds, readHealthThresholds } from './thresholds.ts';

const read = new WeakMap<MerchantConfiguration, Partial<Record<Mode, HealthThresholds>>>();

/** A merchant's health thresholds in one mode, parsed once per loaded configuration. */
export function thresholdsOf(configuration: MerchantConfiguration | undefined, mode: Mode): HealthThresholds {
  if (configuration === undefined) return DEFAULT_HEALTH_THRESHOLDS;
  const known = read.get(configuration) ?? {};
  const thresholds = known[mode] ?? readHealthThresholds(configuration.healthThresholds[mode]?.changes ?? {});
  read.set(configuration, { ...known, [mode]: thresholds });
  return thresholds;
}
